// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"cmp"
	"slices"
)

// even moves slots until no chain of moves takes load from a broker to one that has at least two less. For loads
// counted in squares that is the optimum, as in every minimum cost flow with convex costs.
func (b *board) even() {
	failed := newBitset(len(b.load)) // brokers whose chains all fail
	for {
		from := b.heaviest(failed)
		if from < 0 {
			return
		}
		if b.relieve(from) {
			failed.clear()
		} else {
			failed.add(from)
		}
	}
}

// heaviest is the most loaded broker with slots that is not excluded and has two more than some other one, or -1.
func (b *board) heaviest(excluded bitset) int {
	best, lowest := -1, 0
	for i, l := range b.load {
		if len(b.at[i]) > 0 && !excluded.has(i) && (best < 0 || l > b.load[best]) {
			best = i
		}
		if b.load[lowest] > l {
			lowest = i
		}
	}
	if best >= 0 && b.load[best] < b.load[lowest]+2 {
		return -1
	}
	return best
}

// relieve takes one slot off the broker by a chain to the least loaded broker in reach, the shortest such chain, if that
// broker has at least two less. Where the chain fails, the next one is tried.
func (b *board) relieve(from int) bool {
	previous := make([]int, len(b.c.ids))
	seen := newBitset(len(b.c.ids))
	seen.add(from)
	queue := []int{from}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for t := b.out[at].next(0); t >= 0; t = b.out[at].next(t + 1) {
			if !seen.has(t) {
				seen.add(t)
				previous[t] = at
				queue = append(queue, t)
			}
		}
	}
	slices.SortStableFunc(queue, func(x, y int) int { return cmp.Compare(b.load[x], b.load[y]) })
	for _, to := range queue {
		if b.load[to] > b.load[from]-2 {
			return false
		}
		if b.apply(links(chainBack(previous, from, to))) {
			return true
		}
	}
	return false
}

// chainBack lists the brokers from the first to the last.
func chainBack(previous []int, first, last int) []int {
	chain := []int{last}
	for at := last; at != first; {
		at = previous[at]
		chain = append([]int{at}, chain...)
	}
	return chain
}

// link is one move of a chain: of a certain slot, or of any that can.
type link struct {
	from, to int
	slot     *slotRef
}

func links(chain []int) []link {
	var out []link
	for i := 0; i+1 < len(chain); i++ {
		out = append(out, link{from: chain[i], to: chain[i+1]})
	}
	return out
}

// apply makes all moves or none: moves of one partition can exclude each other.
func (b *board) apply(chains ...[]link) bool {
	type step struct {
		ref  slotRef
		from int
	}
	var done []step
	for _, l := range slices.Concat(chains...) {
		ref, ok := b.movable(l)
		if !ok {
			for _, s := range slices.Backward(done) {
				b.move(s.ref, s.from)
			}
			return false
		}
		b.move(ref, l.to)
		done = append(done, step{ref, l.from})
	}
	return true
}

// movable finds the slot that makes the move.
func (b *board) movable(l link) (slotRef, bool) {
	if b.edges[l.from*len(b.c.ids)+l.to] == 0 {
		return slotRef{}, false
	}
	if l.slot != nil {
		return *l.slot, b.mayMove(*l.slot, l)
	}
	for _, ref := range b.at[l.from] {
		if b.mayMove(ref, l) {
			return ref, true
		}
	}
	return slotRef{}, false
}

func (b *board) mayMove(ref slotRef, l link) bool {
	p := &b.parts[ref.part]
	if p.slots[ref.slot] != l.from || p.held.has(l.to) || !p.may.has(l.to) {
		return false
	}
	b.countRacks(p)
	return b.targets(p, ref.slot).has(l.to)
}
