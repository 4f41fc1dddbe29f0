// SPDX-License-Identifier: MPL-2.0

package topicassignment

import "github.com/kafka-layout/terraform-provider-kafka/internal/placement"

// target is the layout that a declaration leads to from the present one. It depends on its arguments only: called again at apply
// with the same configuration, state and private state it gives the same lists.
func target(topic string, d declaration, present placement.Assignment, m memory) (placement.Assignment, error) {
	if d.explicit != nil {
		return d.explicit, nil
	}
	brokers, avoid := m.brokers()
	return placement.Change(topic, present, placement.Target{
		Partitions: d.partitions, ReplicationFactor: d.replicationFactor,
		Brokers: brokers, Allowed: d.allowed, Avoid: avoid, Racks: d.racks,
	})
}
