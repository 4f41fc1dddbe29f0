// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

func TestOneBrokerOfThree(t *testing.T) {
	// C-101 and C-114, with brokers that are really killed and really stopped in their tracks. The controller is a node of its own: a
	// broker waits for as long as 30 s for a controller that stands still, and with it whoever wants to write.
	ctx := testContext(t)
	cluster := testbed.Own(t, testbed.Options{SeparateControllers: true})
	topic := cluster.UniqueTopic(t, 1, 3)
	client := plainClient(t, Options{BootstrapServers: cluster.BootstrapServers(), RequestTimeout: 6 * time.Second})
	if _, err := client.Cluster(ctx); err != nil {
		t.Fatal(err)
	}
	value := 0
	works := func(t *testing.T, c *Client) {
		t.Helper()
		if err := c.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{})[0].Err; err != nil {
			t.Error(err)
		}
		value++
		a := Alteration{Entity: Topic(topic), Set: map[string]string{"retention.ms": fmt.Sprint(value)}}
		for _, validateOnly := range []bool{true, false} {
			if err := alterOne(ctx, c, a, validateOnly); err != nil {
				t.Error(err)
			}
		}
	}
	for _, tt := range []struct {
		name       string
		ids        []int
		hurt, heal func(int) error
	}{
		{"killed", []int{1}, func(id int) error { return cluster.Kill(ctx, id) }, func(id int) error { return cluster.Restart(ctx, id) }},
		{"paused", []int{2, 3}, cluster.Pause, cluster.Resume},
	} {
		for _, id := range tt.ids {
			t.Run(fmt.Sprintf("%s %d", tt.name, id), func(t *testing.T) {
				if err := tt.hurt(id); err != nil {
					t.Fatal(err)
				}
				works(t, client)
				works(t, plainClient(t, client.opts))
				err := client.ListConfigs(ctx, []Entity{BrokerEntity(int32(id))}, ListConfigsOptions{})[0].Err
				var unavailable *BrokerError
				if !errors.As(err, &unavailable) || unavailable.Broker != int32(id) || unavailable.Request != "DescribeConfigs" {
					t.Errorf("the configs of broker %d give %v", id, err)
				}
				if err := tt.heal(id); err != nil {
					t.Fatal(err)
				}
				answersAgain(ctx, t, client, int32(id))
			})
		}
	}
	waitStored(t, cluster, topic, map[string]string{"retention.ms": fmt.Sprint(value)})
}

// answersAgain waits until a broker that is back answers.
func answersAgain(ctx context.Context, t *testing.T, c *Client, id int32) {
	t.Helper()
	for {
		err := c.ListConfigs(ctx, []Entity{BrokerEntity(id)}, ListConfigsOptions{})[0].Err
		if err == nil {
			return
		}
		if sleep(ctx, 200*time.Millisecond) != nil {
			t.Fatalf("broker %d is back, and the client says %v", id, err)
		}
	}
}
