// SPDX-License-Identifier: MPL-2.0

package placementtest

import "sort"

// Wish is what each partition of a layout should become.
type Wish struct {
	// Replicas is the wanted number for every partition.
	Replicas int
	// Racks names the brokers that may hold replicas.
	Racks map[int32]string
	// Spread demands min(replicas, racks) racks; without it only what is new has to use racks.
	Spread bool
}

// Sets are all sets of brokers that a partition may end on with the fewest copies, and of those the ones that are the
// most even over racks. A partition that loses replicas keeps its first replica, if it may stay.
func (w Wish) Sets(list []int32) [][]int32 {
	var best [][]int32
	bestCopies, bestRacks := -1, -1
	for _, set := range w.subsets() {
		if w.Spread && len(TooFewRacks([][]int32{set}, w.Racks)) > 0 || w.dropsLeader(list, set) {
			continue
		}
		copies, racks := copiesOf(list, set), w.rackSquares(set)
		if best == nil || copies < bestCopies || copies == bestCopies && racks < bestRacks {
			best, bestCopies, bestRacks = nil, copies, racks
		}
		if copies == bestCopies && racks == bestRacks {
			best = append(best, set)
		}
	}
	return best
}

// LeastCopies is the smallest number of copies that leads from the layout to what is wished.
func (w Wish) LeastCopies(layout [][]int32) int {
	n := 0
	for _, list := range layout {
		n += copiesOf(list, w.Sets(list)[0])
	}
	return n
}

func (w Wish) dropsLeader(list, set []int32) bool {
	if len(list) == 0 {
		return false
	}
	_, mayStay := w.Racks[list[0]]
	return mayStay && !has(set, list[0])
}

func (w Wish) rackSquares(set []int32) int {
	sum := 0
	for _, n := range perRack(set, w.Racks) {
		sum += n * n
	}
	return sum
}

// subsets are all sets of brokers of the wanted size.
func (w Wish) subsets() [][]int32 {
	brokers := make([]int32, 0, len(w.Racks))
	for id := range w.Racks {
		brokers = append(brokers, id)
	}
	sort.Slice(brokers, func(i, j int) bool { return brokers[i] < brokers[j] })
	var out [][]int32
	for mask := range 1 << len(brokers) {
		var set []int32
		for i, id := range brokers {
			if mask>>i&1 == 1 {
				set = append(set, id)
			}
		}
		if len(set) == w.Replicas {
			out = append(out, set)
		}
	}
	return out
}

// LeastSquares tries every combination of one set per partition and gives the smallest sum of squared counts.
func LeastSquares(choices [][][]int32, racks map[int32]string) int {
	best := -1
	chosen := make([][]int32, len(choices))
	var try func(p int)
	try = func(p int) {
		if p == len(choices) {
			if s := Squares(Replicas(chosen, racks)); best < 0 || s < best {
				best = s
			}
			return
		}
		for _, set := range choices[p] {
			chosen[p] = set
			try(p + 1)
		}
	}
	try(0)
	return best
}

// LeastLeaderSquares is the smallest sum of squared leader counts of a layout where the marked partitions may choose
// any of their replicas as first.
func LeastLeaderSquares(layout [][]int32, free []bool, racks map[int32]string) int {
	choices := make([][][]int32, len(layout))
	for p, list := range layout {
		choices[p] = [][]int32{list[:1]}
		if free[p] {
			choices[p] = nil
			for _, id := range list {
				choices[p] = append(choices[p], []int32{id})
			}
		}
	}
	return LeastSquares(choices, racks)
}

// Spreads are all sets of brokers on as many racks as possible, whatever they cost.
func (w Wish) Spreads() [][]int32 {
	var out [][]int32
	for _, set := range w.subsets() {
		if len(TooFewRacks([][]int32{set}, w.Racks)) == 0 {
			out = append(out, set)
		}
	}
	return out
}
