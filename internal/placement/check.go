// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"maps"
	"slices"
)

// Check lists the faults of a layout, by partition and then by place in its list; what concerns the whole layout comes
// last. None means nil. Racks are judged only where a list has no other fault. All brokers without a rack count as one.
func Check(a Assignment, brokers []Broker) []Fault {
	if len(a) == 0 {
		return []Fault{{Kind: NoPartitions, Partition: -1}}
	}
	racks := make(map[int32]string, len(brokers))
	for _, b := range brokers {
		racks[b.ID] = b.Rack
	}
	known := slices.Sorted(maps.Keys(racks))
	var faults []Fault
	for p, replicas := range a {
		wrong := checkList(p, replicas, racks, known)
		faults = append(faults, wrong...)
		got := countRacks(replicas, racks)
		if want := PossibleRacks(len(replicas), brokers); len(wrong) == 0 && got < want {
			faults = append(faults, Fault{Kind: FewerRacks, Partition: p, Racks: got, PossibleRacks: want})
		}
	}
	if groups := replicaGroups(a); len(groups) > 1 {
		faults = append(faults, Fault{Kind: UnevenReplicationFactor, Partition: -1, ByReplicas: groups})
	}
	return faults
}

func checkList(p int, replicas []int32, racks map[int32]string, known []int32) []Fault {
	if len(replicas) == 0 {
		return []Fault{{Kind: EmptyList, Partition: p}}
	}
	var faults []Fault
	seen := map[int32]int{}
	for _, id := range replicas {
		seen[id]++
		_, exists := racks[id]
		switch {
		case seen[id] == 2:
			faults = append(faults, Fault{Kind: DuplicateReplica, Partition: p, Broker: id})
		case seen[id] > 2:
			// Said already.
		case id < 0:
			faults = append(faults, Fault{Kind: NegativeBroker, Partition: p, Broker: id})
		case !exists:
			faults = append(faults, Fault{Kind: UnknownBroker, Partition: p, Broker: id, Brokers: known})
		}
	}
	return faults
}

func countRacks(replicas []int32, racks map[int32]string) int {
	seen := map[string]bool{}
	for _, id := range replicas {
		if rack, exists := racks[id]; exists {
			seen[rack] = true
		}
	}
	return len(seen)
}

// replicaGroups groups the partitions that have replicas by how many they have, the smallest number first.
func replicaGroups(a Assignment) []ReplicaGroup {
	by := map[int][]int{}
	for p, replicas := range a {
		if len(replicas) > 0 {
			by[len(replicas)] = append(by[len(replicas)], p)
		}
	}
	var out []ReplicaGroup
	for _, n := range slices.Sorted(maps.Keys(by)) {
		out = append(out, ReplicaGroup{Replicas: n, Partitions: by[n]})
	}
	return out
}
