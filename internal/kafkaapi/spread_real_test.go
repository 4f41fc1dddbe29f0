// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Writes to many topics go over several brokers with KRaft, and over one with ZooKeeper, which stores the set that it has read.
func TestWritesAreSpreadOnKRaftAlone(t *testing.T) {
	for name, tt := range map[string]struct {
		cluster func() *testbed.Cluster
		spread  bool
	}{
		"KRaft": {func() *testbed.Cluster { return testbed.Shared(t) }, true},
		"ZooKeeper": {func() *testbed.Cluster {
			return testbed.Own(t, testbed.Options{Version: "3.9.2", Mode: testbed.ZooKeeper, Brokers: 2})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := tt.cluster()
			topics := cluster.UniqueTopics(t, 60)
			recorder := testbed.Record(t, cluster)
			c := newTestClient(t, Options{BootstrapServers: recorder.BootstrapServers()})
			side(10, topics, func(topic string) {
				for _, value := range []string{"1000", "2000"} {
					if err := alterOne(t.Context(), c, Alteration{Entity: Topic(topic), Set: map[string]string{"flush.ms": value}}, false); err != nil {
						t.Error(err)
					}
				}
			})
			over := map[int]int{}
			for _, write := range recorder.Writes() {
				over[write.Broker]++
			}
			if len(over) == 0 || (len(over) > 1) != tt.spread {
				t.Errorf("Writes by broker: %v", over)
			}
		})
	}
}
