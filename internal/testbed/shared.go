// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
)

// SharedOptions is the cluster that tests share.
var SharedOptions = Options{Policy: true}

// EnvWay chooses how the shared cluster runs: "docker", or on the JVM.
const EnvWay = "TESTBED"

// UsesDocker reports whether the environment asks for the shared cluster to run in Docker.
func UsesDocker() bool { return os.Getenv(EnvWay) == "docker" }

// StartShared starts a cluster in Docker where the environment asks for that or where Docker is there and Java is not, else on the JVM
// as [Start] does. Where neither is there it says so in one line.
func StartShared(ctx context.Context, o Options) (*Cluster, error) {
	if UsesDocker() {
		return StartDocker(ctx, o)
	}
	if _, javaErr := findJava(ctx); javaErr != nil {
		if err := FindDocker(ctx); err != nil {
			return nil, fmt.Errorf("%w; or use Docker: %w", javaErr, err)
		}
		return StartDocker(ctx, o)
	}
	return Start(ctx, o)
}

var shared struct {
	once    sync.Once
	cluster *Cluster
	err     error
}

// Shared returns the cluster that tests share: the one that the environment names, else one that this process starts at the first
// call and [Main] closes. Tests use topics of their own on it ([Cluster.UniqueTopic]), stop no broker, and leave cluster-wide
// settings as they are.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	shared.once.Do(func() {
		if os.Getenv(EnvBootstrapServers) != "" {
			ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
			defer cancel()
			shared.cluster, shared.err = attach(ctx)
			return
		}
		shared.cluster, shared.err = StartShared(context.Background(), SharedOptions)
	})
	if shared.err != nil {
		t.Fatalf("The shared cluster is not there: %v", shared.err)
	}
	return shared.cluster
}

// Own starts a cluster for one test, which may stop its brokers and change its settings. It is closed when the test ends; the logs
// of a failed test are kept, and the test says where.
func Own(t testing.TB, o Options) *Cluster {
	t.Helper()
	if UsesDocker() {
		t.Skip("did not run: " + EnvWay + "=docker, and this test needs brokers on the JVM that it may stop")
	}
	c, err := Start(context.Background(), o)
	if err != nil {
		t.Fatalf("The test's own cluster did not start: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			if err := c.CloseTelling(t.Output()); err != nil {
				t.Logf("Close the test's own cluster: %v", err)
			}
			return
		}
		if err := c.Close(); err != nil {
			t.Errorf("Close the test's own cluster: %v", err)
		}
	})
	return c
}

// Main runs the tests of a package and closes the shared cluster if this process started it. Use it as the package's TestMain:
//
//	func TestMain(m *testing.M) { testbed.Main(m) }
func Main(m *testing.M) {
	code := m.Run()
	if c := shared.cluster; c != nil && !c.isAttached() {
		if err := closeAfter(c, code); err != nil {
			fmt.Fprintln(os.Stderr, "Close the shared cluster:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// closeAfter closes the cluster, and keeps the logs if the tests failed.
func closeAfter(c *Cluster, code int) error {
	if code == 0 {
		return c.Close()
	}
	return c.CloseTelling(os.Stderr)
}
