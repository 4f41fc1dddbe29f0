// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// A broker that answers slowly is asked once and then left for others: the requests that follow go elsewhere.
func TestSlowBrokerIsPassedOver(t *testing.T) {
	c, cluster, recorder := recordedClient(t, 30*time.Second)
	topic := cluster.UniqueTopic(t, 1, 1)
	var slow int32 = -1
	stop := recorder.Intercept(func(r testbed.Request) testbed.Verdict {
		if r.Key != keyDescribeConfigs {
			return testbed.Forward()
		}
		if slow < 0 {
			slow = int32(r.Broker)
		}
		if int32(r.Broker) == slow {
			// Long enough to count as slow, on the way back so that the broker's own work is not disturbed.
			return testbed.EditAnswer(func(kmsg.Response) { time.Sleep(slowAnswer + 100*time.Millisecond) })
		}
		return testbed.Forward()
	})
	defer stop()
	for range 10 {
		if answer := c.ListConfigs(t.Context(), []Entity{Topic(topic)}, ListConfigsOptions{})[0]; answer.Err != nil {
			t.Fatal(answer.Err)
		}
	}
	asked := 0
	for _, r := range recorder.RequestsOf(keyDescribeConfigs) {
		if int32(r.Broker) == slow {
			asked++
		}
	}
	if asked != 1 || recorder.Count(keyDescribeConfigs) != 10 {
		t.Errorf("the slow broker %d was asked %d times: %s", slow, asked, recorder)
	}
}

// Acceptance line 4 of issue 8: a refresh of many topics, and a plan that changes them, go on beside a broker that takes two seconds for
// each answer, which is left alone after its first ones.
func TestManyBesideASlowBroker(t *testing.T) {
	cluster := testbed.Shared(t)
	names := cluster.UniqueTopics(t, 60)
	recorder := testbed.Record(t, cluster)
	for name, kind := range map[string]struct {
		key int16
		do  func(c *Client, name string) error
		// atFirst is how many requests can be under way before the first answer shows what kind of broker it is: two lanes and a fetch ahead.
		atFirst int
	}{
		"reads": {keyDescribeConfigs, func(c *Client, name string) error {
			return c.ReadConfigs(t.Context(), Topic(name), ListConfigsOptions{}).Err
		}, lanesPerKind + 1},
		"validations": {keyIncremental, func(c *Client, name string) error {
			return alterOne(t.Context(), c, Alteration{Entity: Topic(name), Set: map[string]string{"flush.ms": "1000"}}, true)
		}, lanesPerKind},
	} {
		t.Run(name, func(t *testing.T) {
			for slow := range 3 {
				c := newTestClient(t, Options{BootstrapServers: recorder.BootstrapServers()})
				// Connected before: a client that is made beside a slow broker would take the first of the others that answers.
				if _, err := c.Cluster(t.Context()); err != nil {
					t.Fatal(err)
				}
				recorder.Reset()
				over := make(chan struct{})
				stop := recorder.Intercept(func(r testbed.Request) testbed.Verdict {
					if r.Broker != slow+1 {
						return testbed.Forward()
					}
					return testbed.EditAnswer(func(kmsg.Response) {
						select {
						case <-time.After(2 * time.Second):
						case <-over:
						}
					})
				})
				start := time.Now()
				side(10, names, func(name string) {
					if err := kind.do(c, name); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
				stop()
				close(over)
				asked := 0
				for _, r := range recorder.RequestsOf(kind.key) {
					if r.Broker == slow+1 {
						asked++
					}
				}
				t.Logf("broker %d slow: asked %d times, %s in all", slow+1, asked, time.Since(start).Round(100*time.Millisecond))
				if asked > kind.atFirst {
					t.Errorf("the slow broker %d was asked %d times: %s", slow+1, asked, recorder)
				}
			}
		})
	}
}
