// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// A refreshed layout has the topic's own throttled-replica lists, for a hundred topics in a request, and never from
// before a write of the run.
func TestLayoutHasThrottledReplicas(t *testing.T) {
	cluster := testbed.Shared(t)
	rec := testbed.Record(t, cluster)
	c := newTestClient(t, Options{BootstrapServers: rec.BootstrapServers()})
	ctx := testContext(t)
	keys := ThrottledReplicasKeys()
	var names []string
	for range 8 {
		names = append(names, cluster.UniqueTopic(t, 1, 1))
	}
	throttled := Alteration{Entity: Topic(names[0]), Set: map[string]string{keys[0]: "0:1", keys[1]: "*"}}
	if err := c.AlterConfigs(ctx, []Alteration{throttled}, false)[0].Err; err != nil {
		t.Fatal(err)
	}
	awaitThrottled(t, c, names[0], throttled.Set)
	rec.Reset()
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			l := c.ReadLayout(ctx, name)
			want := map[string]string{}
			if i == 0 {
				want = throttled.Set
			}
			if l.Err != nil || l.ThrottledErr != nil || !maps.Equal(l.Throttled, want) {
				t.Errorf("Topic %d: %v, %v, %v; want %v", i, l.Throttled, l.Err, l.ThrottledErr, want)
			}
		})
	}
	all.Wait()
	const describeConfigs = 32
	if n := rec.Count(describeConfigs); n > 4 {
		t.Errorf("%d requests for the lists of %d topics:\n%s", n, len(names), rec)
	}
	if err := c.AlterConfigs(ctx, []Alteration{{Entity: Topic(names[0]), Delete: keys}}, false)[0].Err; err != nil {
		t.Fatal(err)
	}
	awaitThrottled(t, c, names[0], nil)
}

func awaitThrottled(t *testing.T, c *Client, topic string, want map[string]string) {
	t.Helper()
	var got map[string]string
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if got = c.ReadLayout(testContext(t), topic).Throttled; maps.Equal(got, want) {
			return
		}
	}
	t.Fatalf("The lists of %q are %v, want %v", topic, got, want)
}
