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
			shared.cluster, shared.err = attach(context.Background())
			return
		}
		shared.cluster, shared.err = Start(context.Background(), SharedOptions)
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
	c, err := Start(context.Background(), o)
	if err != nil {
		t.Fatalf("The test's own cluster did not start: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			c.keepLogs()
			t.Logf("The servers' logs are in %s", c.dir)
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
	if c := shared.cluster; c != nil && c.run != nil {
		if code == 0 {
			if err := c.Close(); err != nil {
				fmt.Fprintln(os.Stderr, "Close the shared cluster:", err)
				code = 1
			}
		} else {
			c.keepLogs()
			fmt.Fprintln(os.Stderr, "The servers' logs are in", c.dir)
		}
	}
	os.Exit(code)
}
