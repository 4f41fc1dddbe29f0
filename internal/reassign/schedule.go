// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"cmp"
	"slices"
)

// copying is what a move costs brokers while it is in flight.
type copying struct {
	topic     string
	partition int32
	// load is how many replicas are copied into or out of each broker. It is empty where nothing is copied.
	load map[int32]int
	// underReplicated: a replica is missing already, so that the move may be its repair.
	underReplicated bool
	// size is what one replica holds, -1 where it is not known.
	size int64
}

// loadOf counts the copies that a move makes: into each broker that is added, out of the leader, which sends them all, and out of the
// brokers that lose their replica, as whoever counts replicas that leave a broker counts those.
func loadOf(m Move, leader int32) map[int32]int {
	adding := m.Adding()
	if len(adding) == 0 {
		return nil
	}
	load := map[int32]int{}
	for _, id := range adding {
		load[id] = 1
	}
	for _, id := range m.Removing() {
		load[id] = 1
	}
	if leader >= 0 {
		load[leader] = len(adding)
	}
	return load
}

// schedule picks the moves to submit now, as indexes of waiting, in the order to submit them. Beside what is in flight no broker gets
// more than limit copies, with one exception: a move that is more than limit by itself goes where its brokers are idle. Partitions that
// lack a replica go first, then small ones; those that copy nothing always go.
func schedule(waiting, inFlight []copying, limit int) []int {
	load := map[int32]int{}
	for _, m := range inFlight {
		m.addTo(load)
	}
	order := make([]int, len(waiting))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compare(waiting[a], waiting[b]) })
	var picked []int
	for _, i := range order {
		if waiting[i].fits(load, limit) {
			waiting[i].addTo(load)
			picked = append(picked, i)
		}
	}
	return picked
}

func (m copying) addTo(load map[int32]int) {
	for id, n := range m.load {
		load[id] += n
	}
}

func (m copying) fits(load map[int32]int, limit int) bool {
	for id, n := range m.load {
		if load[id] > 0 && load[id]+n > limit {
			return false
		}
	}
	return true
}

// compare orders moves by how soon they should go.
func compare(a, b copying) int {
	return cmp.Or(
		first(len(a.load) == 0, len(b.load) == 0),
		first(a.underReplicated, b.underReplicated),
		first(a.size >= 0, b.size >= 0),
		cmp.Compare(a.size, b.size),
		cmp.Compare(a.topic, b.topic),
		cmp.Compare(a.partition, b.partition),
	)
}

// first puts true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}
