// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// The two sides of a copy: what a broker sends as leader of the throttled replicas, and what it fetches as their follower.
const (
	leader = iota
	follower
	sides
)

// listKeys are a topic's configs by side, rateKeys a broker's.
var (
	listKeys = [sides]string(kafkaapi.ThrottledReplicasKeys())
	rateKeys = [sides]string{"leader.replication.throttled.rate", "follower.replication.throttled.rate"}
)

// entries are explicit entries of one topic by side; topicLists are its lists.
type (
	entries    [sides][]reassign.Replica
	topicLists [sides]list
)

func (e entries) empty() bool { return len(e[leader])+len(e[follower]) == 0 }

func (e entries) with(other entries) entries {
	return entries{union(e[leader], other[leader]), union(e[follower], other[follower])}
}

func (e entries) without(other entries) entries {
	return entries{without(e[leader], other[leader]), without(e[follower], other[follower])}
}

// shares tells whether some entry is in both.
func (e entries) shares(other entries) bool {
	for side := range e {
		if len(without(e[side], other[side])) < len(e[side]) {
			return true
		}
	}
	return false
}

// hasPartition tells whether an entry is of the partition.
func (e entries) hasPartition(p int32) bool {
	return !e.where(func(r reassign.Replica) bool { return r.Partition == p }).empty()
}

// where keeps the entries that the function is true for.
func (e entries) where(keep func(reassign.Replica) bool) entries {
	var kept entries
	for side := range e {
		for _, r := range e[side] {
			if keep(r) {
				kept[side] = append(kept[side], r)
			}
		}
	}
	return kept
}

// brokers are those that entries name, ascending.
func (e entries) brokers() []int32 {
	var ids []int32
	for side := range e {
		for _, r := range e[side] {
			ids = append(ids, r.Broker)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// entriesOf are the entries that a move needs, as Kafka's own tool has them: the replicas from which it is copied and, as the lead may
// change meanwhile, any present one can be that; and those that are copied.
func entriesOf(m reassign.Move) entries {
	adding := m.Adding()
	if len(adding) == 0 {
		return entries{}
	}
	var e entries
	for _, id := range m.From {
		e[leader] = append(e[leader], reassign.Replica{Partition: m.Partition, Broker: id})
	}
	for _, id := range adding {
		e[follower] = append(e[follower], reassign.Replica{Partition: m.Partition, Broker: id})
	}
	return e
}

// cover tells whether all the entries are throttled.
func (l topicLists) cover(e entries) bool {
	return l[leader].covers(e[leader]) && l[follower].covers(e[follower])
}

// explicit are the lists' entries; "*" has none.
func (l topicLists) explicit() entries { return entries{l[leader].entries, l[follower].entries} }

// parseLists reads a topic's own lists from its configs, by name and value.
func parseLists(own map[string]string) (topicLists, error) {
	var lists topicLists
	for side, key := range listKeys {
		var err error
		if lists[side], err = parseList(own[key]); err != nil {
			return topicLists{}, err
		}
	}
	return lists, nil
}

// change is the alteration of a topic that makes its lists the merged ones; ok is false where they are so already. A list that becomes
// empty is deleted: an empty one would count as set.
func (l topicLists) change(topic string, add, remove entries) (a kafkaapi.Alteration, ok bool) {
	a = kafkaapi.Alteration{Entity: kafkaapi.Topic(topic), Set: map[string]string{}}
	for side, key := range listKeys {
		before, after := l[side], l[side].without(without(remove[side], add[side])).with(add[side])
		switch text := after.String(); {
		case text == before.String():
		case text == "":
			a.Delete = append(a.Delete, key)
		default:
			a.Set[key] = text
		}
	}
	return a, len(a.Set)+len(a.Delete) > 0
}
