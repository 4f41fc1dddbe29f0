// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// own is the cluster of this package's tests, which set rates on its brokers. The tests run one after the other.
var own struct {
	once    sync.Once
	cluster *testbed.Cluster
	err     error
}

const brokerCount = 4

// ownCluster starts the package's cluster at the first call.
func ownCluster(t testing.TB) *testbed.Cluster {
	t.Helper()
	if testbed.UsesDocker() {
		t.Skip("did not run: the shared cluster runs in Docker with three brokers, and this test needs four of its own")
	}
	own.once.Do(func() {
		own.cluster, own.err = testbed.Start(context.Background(), testbed.Options{Brokers: brokerCount})
	})
	if own.err != nil {
		t.Fatalf("The package's cluster did not start: %v", own.err)
	}
	return own.cluster
}

func TestMain(m *testing.M) {
	code := m.Run()
	if own.cluster != nil {
		if err := closeAfter(own.cluster, code); err != nil {
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
