// SPDX-License-Identifier: MPL-2.0

package placementtest

// Replicas counts the replicas on each broker of racks, and on any other that the layout names.
func Replicas(layout [][]int32, racks map[int32]string) map[int32]int {
	n := map[int32]int{}
	for id := range racks {
		n[id] = 0
	}
	for _, list := range layout {
		for _, id := range list {
			n[id]++
		}
	}
	return n
}

// Leaders counts the first replicas on each broker of racks, and on any other that leads.
func Leaders(layout [][]int32, racks map[int32]string) map[int32]int {
	firsts := make([][]int32, 0, len(layout))
	for _, list := range layout {
		if len(list) > 0 {
			firsts = append(firsts, list[:1])
		}
	}
	return Replicas(firsts, racks)
}

// Gap is the largest count minus the smallest.
func Gap(counts map[int32]int) int {
	first := true
	low, high := 0, 0
	for _, n := range counts {
		if first || n < low {
			low = n
		}
		if first || n > high {
			high = n
		}
		first = false
	}
	return high - low
}

// Squares is the sum of the squared counts: smaller is more even.
func Squares(counts map[int32]int) int {
	sum := 0
	for _, n := range counts {
		sum += n * n
	}
	return sum
}

// Copies is the number of replicas of the new layout that the old one does not have. Partitions that the old layout
// lacks are empty and cost nothing.
func Copies(before, after [][]int32) int {
	n := 0
	for p := range min(len(before), len(after)) {
		n += copiesOf(before[p], after[p])
	}
	return n
}

func copiesOf(before, after []int32) int {
	n := 0
	for _, id := range after {
		if !has(before, id) {
			n++
		}
	}
	return n
}

func has(list []int32, id int32) bool {
	for _, x := range list {
		if x == id {
			return true
		}
	}
	return false
}
