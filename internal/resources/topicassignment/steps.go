// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// growth is the request that adds the partitions of a wanted layout that the topic does not have, nil where there are none. Kafka
// wants lists as long as those of one present partition, which one it does not say: replicas is that length. What the lists lack or
// have too much is settled by the moves that follow.
func growth(l live, wanted placement.Assignment, replicas int) *kafkaapi.TopicAlteration {
	if len(wanted) <= len(l.targets) {
		return nil
	}
	added := make([][]int32, 0, len(wanted)-len(l.targets))
	for _, list := range wanted[len(l.targets):] {
		added = append(added, fitted(list, replicas, l.brokers))
	}
	return &kafkaapi.TopicAlteration{Topic: l.topic, Partitions: int32(len(wanted)), NewReplicas: added}
}

// fitted cuts a list to the wanted length, or fills it up with other live brokers.
func fitted(list []int32, length int, brokers []kafkaapi.RegisteredBroker) []int32 {
	out := slices.Clone(list[:min(length, len(list))])
	for _, b := range brokers {
		if len(out) >= length {
			break
		}
		if !b.Fenced && !slices.Contains(out, b.ID) {
			out = append(out, b.ID)
		}
	}
	return out
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

// moving gives the lists to submit: of the partitions that neither have the wanted list nor are on the way to it. Partitions that
// somebody else moves elsewhere are not among them.
func submissions(l live, wanted placement.Assignment) map[int32][]int32 {
	lists := map[int32][]int32{}
	for p, list := range wanted {
		if _, inFlight := l.moving[int32(p)]; !inFlight && !slices.Equal(listAt(l.targets, p), list) {
			lists[int32(p)] = list
		}
	}
	return lists
}

// unfinished are the partitions, ascending, that do not have the wanted list in order, or are still listed as moving.
func unfinished(l live, wanted placement.Assignment) []int32 {
	var all []int32
	for p, list := range wanted {
		if _, inFlight := l.moving[int32(p)]; inFlight || !slices.Equal(listAt(l.present, p), list) {
			all = append(all, int32(p))
		}
	}
	return all
}

// notInSync are the partitions, ascending, of which a wanted replica is not in sync.
func notInSync(l live, wanted placement.Assignment) []int32 {
	var all []int32
	for p, list := range wanted {
		if p < len(l.inSync) && slices.ContainsFunc(list, func(id int32) bool { return !slices.Contains(l.inSync[p], id) }) {
			all = append(all, int32(p))
		}
	}
	return all
}

// misled are those of the partitions that their first replica does not lead.
func misled(l live, partitions []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(partitions), func(p int32) bool {
		return int(p) >= len(l.leaders) || len(l.present[p]) == 0 || l.leaders[p] == l.present[p][0]
	})
}

// outgrown says, in a sentence, why a planned layout must not be applied any more: the topic is not what the plan was made from, or
// a broker that it gives replicas to has left, is fenced or stands in another rack. Empty where the plan still holds.
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
			if reason := changedBroker(l, id, m, contains(skip, checkOfflineBroker)); reason != "" {
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
	case !there:
		return "which has left the cluster"
	case is.Fenced && !was.Fenced && !offlineIsFine:
		return "which is down"
	case is.Rack != was.Rack:
		return fmt.Sprintf("which was in rack %q and is in %q", was.Rack, is.Rack)
	}
	return ""
}
