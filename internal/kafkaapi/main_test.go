// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }

// newTestClient gives a client of the servers that leaves nothing running at the test's end.
func newTestClient(t *testing.T, opts Options) *Client {
	t.Helper()
	// The rates of the client library's own metrics are kept by one goroutine for the whole process.
	before := goleak.IgnoreCurrent()
	c := NewClient(opts)
	t.Cleanup(func() {
		_ = c.Close()
		goleak.VerifyNone(t, before,
			goleak.IgnoreTopFunction("github.com/rcrowley/go-metrics.(*meterArbiter).tick"),
			// A recorder that listens again outlives the client.
			goleak.IgnoreAnyFunction("github.com/kafka-layout/terraform-provider-kafka/internal/testbed.(*brokerProxy).accept"))
	})
	return c
}

// plainClient gives a client whose leaks nobody looks for: one beside another, or beside servers that start meanwhile.
func plainClient(t *testing.T, opts Options) *Client {
	t.Helper()
	c := NewClient(opts)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// sharedClient gives a client of the shared cluster.
func sharedClient(t *testing.T) (*Client, *testbed.Cluster) {
	t.Helper()
	cluster := testbed.Shared(t)
	return newTestClient(t, Options{BootstrapServers: cluster.BootstrapServers()}), cluster
}

// testContext bounds a test.
func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}
