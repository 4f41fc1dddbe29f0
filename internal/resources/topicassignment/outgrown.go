// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"fmt"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// outgrown says, in a sentence, why a planned layout must not be applied any more: the topic is not what the plan was made from, or
// a broker that it gives replicas to has left, is down or stands in another rack. Empty where the plan still holds.
func outgrown(l live, before, wanted placement.Assignment, m memory, skip []string) string {
	if m.TopicID != "" && l.id != "" && m.TopicID != l.id {
		return fmt.Sprintf("Topic %q was deleted and made again: its id was %s and is %s.", l.topic, m.TopicID, l.id)
	}
	if len(l.targets) != len(before) {
		return fmt.Sprintf("Topic %q has %d partitions, and the plan was made from %d.", l.topic, len(l.targets), len(before))
	}
	for p := range before {
		_, inFlight := l.moving[int32(p)]
		if !inFlight && !slices.Equal(l.targets[p], before[p]) && !slices.Equal(l.targets[p], listAt(wanted, p)) {
			return fmt.Sprintf("Partition %d has the replicas %s, and the plan was made from %s.", p, idList(l.targets[p]), idList(before[p]))
		}
	}
	for p := range wanted {
		for _, id := range addedTo(l.targets, wanted, p) {
			if reason := changedBroker(l, id, m, slices.Contains(skip, checkOfflineBroker)); reason != "" {
				return fmt.Sprintf("Partition %d is to have a replica on broker %d, %s.", p, id, reason)
			}
		}
	}
	return ""
}

// changedBroker says what has become of a broker since the snapshot, empty where nothing that matters has.
func changedBroker(l live, id int32, m memory, offlineIsFine bool) string {
	was, remembered := m.find(id)
	is, there := l.broker(id)
	switch {
	case !remembered:
		return "" // the checks of the plan have judged it
	case !there && !l.registered && offlineIsFine:
		return "" // an old cluster, which tells only the brokers that are alive
	case !there && !l.registered:
		return "which is down or has left the cluster"
	case !there:
		return "which has left the cluster"
	case is.Fenced && !was.Fenced && !offlineIsFine:
		return "which is down"
	case is.Rack != was.Rack:
		return fmt.Sprintf("which was in rack %q and is in %q", was.Rack, is.Rack)
	}
	return ""
}
