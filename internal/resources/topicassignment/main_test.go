// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// own is the cluster of this package's tests, which move replicas and stop brokers: five brokers in three racks, two of them with two.
// The tests run one after the other.
var own = testbed.OfPackage{Options: testbed.Options{Brokers: 5}, Needs: "five brokers of its own", Prepare: limitThrottled}

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

func TestMain(m *testing.M) { own.Main(m) }
