// SPDX-License-Identifier: MPL-2.0

package placementtest

import (
	"fmt"
	"sort"
)

// Malformed lists what no layout may have: another number of partitions, another number of replicas, a broker twice in
// a list, a broker that racks does not name. replicas 0 means any number but zero.
func Malformed(layout [][]int32, racks map[int32]string, partitions, replicas int) []string {
	var found []string
	if len(layout) != partitions {
		found = append(found, fmt.Sprintf("%d partitions, want %d", len(layout), partitions))
	}
	for p, list := range layout {
		if len(list) == 0 || replicas != 0 && len(list) != replicas {
			found = append(found, fmt.Sprintf("partition %d: %d replicas, want %d", p, len(list), replicas))
		}
		for i, id := range list {
			if _, ok := racks[id]; !ok {
				found = append(found, fmt.Sprintf("partition %d: broker %d is not allowed", p, id))
			}
			for _, other := range list[:i] {
				if other == id {
					found = append(found, fmt.Sprintf("partition %d: broker %d twice", p, id))
				}
			}
		}
	}
	return found
}

// TooFewRacks lists the partitions that are on fewer racks than min(replicas, racks).
func TooFewRacks(layout [][]int32, racks map[int32]string) []string {
	all := map[string]bool{}
	for _, rack := range racks {
		all[rack] = true
	}
	var found []string
	for p, list := range layout {
		want := min(len(list), len(all))
		if got := len(perRack(list, racks)); got < want {
			found = append(found, fmt.Sprintf("partition %d: %d racks, want %d", p, got, want))
		}
	}
	return found
}

// UnevenRacks lists the partitions that have two replicas more in one rack than in another that had room for one.
func UnevenRacks(layout [][]int32, racks map[int32]string) []string {
	size := map[string]int{}
	for _, rack := range racks {
		size[rack]++
	}
	var found []string
	for p, list := range layout {
		have := perRack(list, racks)
		for full, n := range have {
			for poor, room := range size {
				if n-have[poor] >= 2 && have[poor] < room {
					found = append(found, fmt.Sprintf("partition %d: %d in rack %q, %d in %q", p, n, full, have[poor], poor))
				}
			}
		}
	}
	sort.Strings(found)
	return found
}

func perRack(list []int32, racks map[int32]string) map[string]int {
	n := map[string]int{}
	for _, id := range list {
		n[racks[id]]++
	}
	return n
}
