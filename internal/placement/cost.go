// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"maps"
	"slices"
)

// Cost is what it takes to get from one layout to another. Bytes are those known; UnknownSizes tells how complete.
type Cost struct {
	// Changes are the partitions that differ, new ones included, ascending.
	Changes []PartitionChange
	// Replicas is the number of replicas to copy, Bytes their size. New partitions are empty: nothing to copy.
	Replicas int
	Bytes    int64
	// UnknownSizes is the number of partitions that copy replicas and whose size is not known.
	UnknownSizes int
	// Leaders is the number of existing partitions whose preferred leader changes.
	Leaders int
	// Brokers are all that either layout names or that are known, by id.
	Brokers []BrokerCost
	// RacksBefore and RacksAfter tell how many partitions are on how many racks: racks -> partitions.
	RacksBefore, RacksAfter map[int]int
}

// PartitionChange is one partition whose list changes.
type PartitionChange struct {
	Partition     int
	Before, After []int32
	New           bool
	// OrderOnly means the same brokers in another order: zero bytes.
	OrderOnly bool
	// Added and Removed are broker ids, in the order of their lists.
	Added, Removed []int32
	// Bytes to copy; 0 for a new partition. -1 where the size is not known and something is copied.
	Bytes                   int64
	LeaderChanged           bool
	RacksBefore, RacksAfter int
}

// BrokerCost is what the change means for one broker.
type BrokerCost struct {
	ID int32
	// In are bytes that the broker receives, Out bytes that it sends as leader before the change, Freed bytes of
	// replicas that it loses.
	In, Out, Freed                int64
	ReplicasIn, ReplicasOut       int // replicas that it receives, replicas that it sends
	ReplicasBefore, ReplicasAfter int
	LeadersBefore, LeadersAfter   int
}

// CostOf compares two layouts of one topic. sizes are bytes of one replica of each partition; negative or beyond the
// end means not known. Copies are counted as sent by the first replica of the old list.
func CostOf(before, after Assignment, brokers []Broker, sizes []int64) Cost {
	m := newMeter(brokers)
	for p := range max(len(before), len(after)) {
		m.tally(listOf(before, p), listOf(after, p))
		if slices.Equal(listOf(before, p), listOf(after, p)) {
			continue
		}
		size := int64(-1)
		if p < len(sizes) && sizes[p] >= 0 {
			size = sizes[p]
		}
		change := m.compare(p, listOf(before, p), listOf(after, p), size)
		m.charge(change, size)
	}
	for _, id := range slices.Sorted(maps.Keys(m.brokers)) {
		m.cost.Brokers = append(m.cost.Brokers, *m.brokers[id])
	}
	return m.cost
}

func listOf(a Assignment, p int) []int32 {
	if p < len(a) {
		return a[p]
	}
	return nil
}
