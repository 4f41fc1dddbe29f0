// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"maps"
	"math"
	"slices"
)

// RackMode says what racks mean for a layout.
type RackMode int

const (
	// RacksPrefer uses as many racks as possible for what is placed, and moves nothing that is already placed.
	RacksPrefer RackMode = iota
	// RacksSpread also makes the spread a condition: a partition on fewer racks than possible is changed.
	RacksSpread
	// RacksIgnore places as if all brokers stood in one rack.
	RacksIgnore
)

// MaxReplicationFactor is what Kafka's own protocol can carry: the replication factor of CreateTopics is an int16.
const MaxReplicationFactor = math.MaxInt16

// MaxPartitions keeps a slip of the keyboard from eating all memory: no topic is near it, and no cluster far above.
const MaxPartitions = 1_000_000

// Target is what a layout has to satisfy.
type Target struct {
	// Partitions is the wanted partition count; 0 keeps the current one. It never shrinks.
	Partitions int
	// ReplicationFactor is the wanted replica count of every partition; 0 keeps each partition's own count and gives
	// new partitions the most frequent one (of equally frequent ones the largest).
	ReplicationFactor int
	// Brokers are all brokers that are known, with their racks, each id once. The order does not matter.
	Brokers []Broker
	// Allowed are the brokers that may hold replicas. Nil means no restriction: new replicas go to Brokers, and a
	// replica stays where it is even on a broker that is not among Brokers.
	Allowed []int32
	// Avoid are brokers that receive nothing (fenced ones, say). What is on them stays.
	Avoid []int32
	// Racks is the meaning of racks.
	Racks RackMode
}

// allows says whether a replica may stay on the broker.
func (t Target) allows(id int32) bool { return t.Allowed == nil || slices.Contains(t.Allowed, id) }

// receives says whether a replica may be placed on the broker.
func (t Target) receives(id int32) bool { return t.allows(id) && !slices.Contains(t.Avoid, id) }

// resolve fills in what the target leaves to the current layout and refuses what no layout can satisfy.
func (t Target) resolve(current Assignment) (Target, error) {
	if t.Partitions == 0 {
		t.Partitions = len(current)
	}
	if t.Partitions < len(current) {
		return t, &FewerPartitionsError{Current: len(current), Wanted: t.Partitions}
	}
	if t.Partitions <= 0 {
		return t, &InvalidTargetError{Reason: "a topic needs at least one partition"}
	}
	if t.Partitions > MaxPartitions {
		return t, invalidTarget("%d partitions are more than the %d that can be placed", t.Partitions, MaxPartitions)
	}
	if t.ReplicationFactor < 0 || t.ReplicationFactor > MaxReplicationFactor {
		return t, invalidTarget("replication factor %d is not between 1 and %d", t.ReplicationFactor, MaxReplicationFactor)
	}
	seen := make(map[int32]bool, len(t.Brokers))
	for _, b := range t.Brokers {
		if b.ID < 0 {
			return t, invalidTarget("broker id %d is negative", b.ID)
		}
		if seen[b.ID] {
			return t, invalidTarget("broker %d is listed more than once", b.ID)
		}
		seen[b.ID] = true
	}
	return t, nil
}

// wanted is the replica count of each partition, new ones included.
func (t Target) wanted(current Assignment) ([]int, error) {
	usual := t.ReplicationFactor
	if usual == 0 {
		usual = commonLength(current)
	}
	out := make([]int, t.Partitions)
	for p := range out {
		out[p] = usual
		if t.ReplicationFactor == 0 && p < len(current) && len(current[p]) > 0 {
			out[p] = len(current[p])
		}
		if out[p] == 0 {
			return nil, invalidTarget("the replication factor is not given, and no partition has replicas to take it from")
		}
	}
	return out, nil
}

// commonLength is the most frequent length of the non-empty lists, of equally frequent ones the largest; 0 without any.
func commonLength(current Assignment) int {
	count := map[int]int{}
	for _, replicas := range current {
		if len(replicas) > 0 {
			count[len(replicas)]++
		}
	}
	best := 0
	for _, length := range slices.Sorted(maps.Keys(count)) {
		if count[length] >= count[best] {
			best = length
		}
	}
	return best
}
