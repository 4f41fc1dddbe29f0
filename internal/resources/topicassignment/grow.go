// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// validateGrowth has the brokers check the partitions that the plan adds. Not while the topic moves, as the length of the lists that
// Kafka wants is then that of the move. Without the permission the error is ErrNotAuthorized.
func validateGrowth(ctx context.Context, kafka Kafka, l live, wanted placement.Assignment) error {
	if len(l.moving) > 0 {
		return nil
	}
	return grow(ctx, kafka, l, wanted, true)
}

// grow adds the partitions that the topic lacks. Kafka wants lists as long as those of one present partition, which one it does not
// say: where partitions differ, the lengths that occur are tried.
func grow(ctx context.Context, kafka Kafka, l live, wanted placement.Assignment, validateOnly bool) error {
	if len(wanted) <= len(l.present) {
		return nil
	}
	var first error
	for _, length := range growthLengths(l.present) {
		request := kafkaapi.TopicAlteration{Topic: l.topic, Partitions: int32(len(wanted)), NewReplicas: growth(l, wanted, length)}
		err := kafka.AlterTopics(ctx, []kafkaapi.TopicAlteration{request}, validateOnly)[0].Err
		if err == nil || !errors.Is(err, kafkaapi.ErrInvalidLayout) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// growth are the lists to add partitions with, each as long as Kafka takes: the first replicas of the wanted list, or all of them and
// more. What is too short or too long then is settled by the moves that follow, and until then another plan has the same target.
func growth(l live, wanted placement.Assignment, length int) [][]int32 {
	lists := wanted[len(l.present):]
	if slices.ContainsFunc(lists, func(list []int32) bool { return len(list) < length }) {
		_, avoid := memory{Brokers: rememberBrokers(l.brokers)}.brokers()
		longer, err := placement.Change(l.topic, wanted, placement.Target{ReplicationFactor: length, Brokers: l.placementBrokers(), Avoid: avoid})
		if err == nil { // otherwise the brokers say what is wrong with the wanted lists
			lists = fillUp(lists, longer[len(l.present):], length)
		}
	}
	added := make([][]int32, 0, len(lists))
	for _, list := range lists {
		added = append(added, slices.Clone(list[:min(length, len(list))]))
	}
	return added
}

// fillUp takes the longer lists where the own ones are too short.
func fillUp(own, longer placement.Assignment, length int) placement.Assignment {
	lists := own.Clone()
	for p := range lists {
		if len(lists[p]) < length {
			lists[p] = longer[p]
		}
	}
	return lists
}

// growthLengths are the lengths to try for growth: that of partition 0, then the others that occur.
func growthLengths(present placement.Assignment) []int {
	lengths := map[int]bool{}
	for _, list := range present {
		lengths[len(list)] = true
	}
	first := len(listAt(present, 0))
	delete(lengths, first)
	return append([]int{first}, slices.Sorted(maps.Keys(lengths))...)
}
