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
