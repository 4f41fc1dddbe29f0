// SPDX-License-Identifier: MPL-2.0

package placement

// even moves slots until no chain of moves takes load from a broker to one that has at least two less. For loads
// counted in squares that is the optimum, as in every minimum cost flow with convex costs.
func (b *board) even() {
	dead := newBitset(len(b.c.ids)) // sources whose chains all fail
	for {
		from := b.heaviest(dead)
		if from < 0 {
			return
		}
		if !b.relieve(from) {
			dead.add(from)
			continue
		}
		dead.clear()
	}
}

// heaviest is the most loaded broker with slots that is not excluded, or -1.
func (b *board) heaviest(excluded bitset) int {
	best := -1
	for i, l := range b.load {
		if len(b.at[i]) > 0 && !excluded.has(i) && (best < 0 || l > b.load[best]) {
			best = i
		}
	}
	return best
}

// relieve takes one slot off the broker by the shortest chain that ends at a broker with at least two less.
func (b *board) relieve(from int) bool {
	previous := make([]int, len(b.c.ids))
	seen := newBitset(len(b.c.ids))
	seen.add(from)
	queue := []int{from}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for t := b.out[at].next(0); t >= 0; t = b.out[at].next(t + 1) {
			if seen.has(t) {
				continue
			}
			seen.add(t)
			previous[t] = at
			if b.load[t] <= b.load[from]-2 && b.apply(chainBack(previous, from, t)) {
				return true
			}
			queue = append(queue, t)
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

// apply moves one slot along each link of the chain, all or none: moves of one partition can exclude each other.
func (b *board) apply(chain []int) bool {
	type step struct {
		ref  slotRef
		from int
	}
	var done []step
	for i := 0; i+1 < len(chain); i++ {
		ref, ok := b.movable(chain[i], chain[i+1])
		if !ok {
			for j := len(done) - 1; j >= 0; j-- {
				b.move(done[j].ref, done[j].from)
			}
			return false
		}
		b.move(ref, chain[i+1])
		done = append(done, step{ref, chain[i]})
	}
	return true
}

// movable finds a registered slot that may go from one broker to the other.
func (b *board) movable(from, to int) (slotRef, bool) {
	if b.edges[from*len(b.c.ids)+to] == 0 {
		return slotRef{}, false
	}
	for _, ref := range b.at[from] {
		p := &b.parts[ref.part]
		if p.held.has(to) || !p.may.has(to) {
			continue
		}
		b.countRacks(p)
		if b.targets(p, ref.slot).has(to) {
			return ref, true
		}
	}
	return slotRef{}, false
}
