// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// own is the cluster of this package's tests, which move replicas and stop brokers: five brokers in three racks, two of them with two.
// The tests run one after the other.
var own struct {
	once    sync.Once
	cluster *testbed.Cluster
	err     error
}

// ownCluster starts the package's cluster at the first call.
func ownCluster(t testing.TB) *testbed.Cluster {
	t.Helper()
	if testbed.UsesDocker() {
		t.Skip("did not run: the shared cluster runs in Docker with three brokers, and this test needs five of its own")
	}
	own.once.Do(func() {
		own.cluster, own.err = testbed.Start(context.Background(), testbed.Options{Brokers: 5})
		if own.err == nil {
			own.err = limitThrottled(own.cluster)
		}
	})
	if own.err != nil {
		t.Fatalf("The package's cluster did not start: %v", own.err)
	}
	return own.cluster
}

// limitThrottled gives every broker a rate at which a move of some megabytes never ends. It counts for topics that are held only.
func limitThrottled(c *testbed.Cluster) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(c.BootstrapServers()...))
	if err != nil {
		return err
	}
	defer client.Close()
	rate := "1000"
	changes := []kadm.AlterConfig{
		{Name: "leader.replication.throttled.rate", Value: &rate},
		{Name: "follower.replication.throttled.rate", Value: &rate},
	}
	var ids []int32
	for _, b := range c.Brokers() {
		ids = append(ids, int32(b.ID))
	}
	answers, err := kadm.NewClient(client).AlterBrokerConfigs(context.Background(), changes, ids...)
	if err != nil {
		return err
	}
	for _, answer := range answers {
		if answer.Err != nil {
			return fmt.Errorf("set the rates of broker %s: %w", answer.Name, answer.Err)
		}
	}
	return nil
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
