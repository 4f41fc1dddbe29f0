// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"strconv"
)

// firstCountless is the first version of CreateTopics that takes -1 for the cluster's defaults (KIP-464, Kafka 2.4).
const firstCountless = 4

// counted gives the creation with the defaults written out, for brokers that do not know -1. They are those of the broker that
// was asked, which before 2.4 is the controller, whose defaults count.
func (w *creator) counted(ctx context.Context, b Broker, t creation, version int16) (creation, bool) {
	if version >= firstCountless || t.partitions >= 0 {
		return t, false
	}
	asked := batch[listing]{target: target{kind: toBroker, id: b.ID}, items: []listing{{entity: BrokerEntity(b.ID)}}}
	for _, held := range w.client.listBatch(ctx, asked, ListConfigsOptions{}) {
		for _, c := range held.Configs {
			switch c.Name {
			case "num.partitions":
				if n, err := strconv.ParseInt(c.Value, 10, 32); err == nil {
					t.partitions = int32(n)
				}
			case "default.replication.factor":
				if n, err := strconv.ParseInt(c.Value, 10, 16); err == nil {
					t.replicas = int16(n)
				}
			}
		}
	}
	return t, t.partitions > 0 && t.replicas > 0
}
