// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// own is the cluster of this package's tests: configs of brokers are settings of the whole cluster, so it is not shared with other
// packages, and the tests that use it run one after the other.
var own struct {
	once    sync.Once
	cluster *testbed.Cluster
	err     error
}

// ownCluster starts the package's cluster at the first call.
func ownCluster(t testing.TB) *testbed.Cluster {
	t.Helper()
	if testbed.UsesDocker() {
		t.Skip("did not run: the shared cluster runs in Docker, and this test changes settings of the whole cluster")
	}
	own.once.Do(func() {
		own.cluster, own.err = testbed.Start(context.Background(), testbed.Options{})
	})
	if own.err != nil {
		t.Fatalf("The package's cluster did not start: %v", own.err)
	}
	return own.cluster
}

func TestMain(m *testing.M) {
	code := m.Run()
	if c := own.cluster; c != nil {
		if err := closeAfter(c, code); err != nil {
			fmt.Fprintln(os.Stderr, "Close the package's cluster:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// closeAfter closes the cluster, and keeps the logs if the tests failed.
func closeAfter(c *testbed.Cluster, code int) error {
	if code == 0 {
		return c.Close()
	}
	dir, err := c.CloseKeepingLogs()
	fmt.Fprintln(os.Stderr, "The servers' logs are in", dir)
	return err
}
