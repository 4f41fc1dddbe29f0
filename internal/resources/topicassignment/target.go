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

// planned is target for a plan. It is not exact where the layout has to be computed and no refresh has left a snapshot of the brokers:
// then nothing but apply can tell, unless the present layout will do as it is.
func planned(topic string, d declaration, present placement.Assignment, m memory) (wanted placement.Assignment, exact bool, err error) {
	if d.explicit != nil || len(m.Brokers) > 0 {
		wanted, err = target(topic, d, present, m)
		return wanted, true, err
	}
	if d.partitions > 0 && d.partitions < len(present) {
		return nil, true, &placement.FewerPartitionsError{Current: len(present), Wanted: d.partitions}
	}
	satisfied := placement.Satisfied(present, placement.Target{Partitions: d.partitions, ReplicationFactor: d.replicationFactor, Allowed: d.allowed})
	return present, satisfied, nil
}
