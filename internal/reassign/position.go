// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// position is where a partition is on its way to a list.
type position int

const (
	// elsewhere: at rest with another list, or moving to another one.
	elsewhere position = iota
	// onTheWay: listed as moving to the list.
	onTheWay
	// atGoal: not listed, and the replicas are the list in order.
	atGoal
)

// positionOf judges one reading. One is not enough to call a move done: the list of moves is empty some milliseconds before brokers show
// the final replicas, and while replicas are only added, those brokers show the final list at once (Kafka 2.4 to 4.4).
func positionOf(layout kafkaapi.Layout, partition int32, goal []int32) position {
	if move, moves := layout.Moving[partition]; moves {
		if slices.Equal(move.Target(), goal) {
			return onTheWay
		}
		return elsewhere
	}
	if seen, ok := partitionIn(layout, partition); ok && slices.Equal(seen.Replicas, goal) {
		return atGoal
	}
	return elsewhere
}

func partitionIn(layout kafkaapi.Layout, partition int32) (kafkaapi.PartitionDescription, bool) {
	i := slices.IndexFunc(layout.Partitions, func(p kafkaapi.PartitionDescription) bool { return p.Partition == partition })
	if i < 0 {
		return kafkaapi.PartitionDescription{Leader: -1}, false
	}
	return layout.Partitions[i], true
}

// sameSet tells whether two lists have the same brokers in whatever order.
func sameSet(a, b []int32) bool {
	return len(a) == len(b) && len(difference(a, b)) == 0
}
