// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// settle picks, among the equally even layouts, the first one by rank: partition by partition each slot goes to the
// best broker in rank from which the others can still be made even. The choice depends on the set of possible layouts
// only, not on the way there: that is why a half-moved layout leads to the same target.
func (b *board) settle(r *ranking) {
	for i := range b.parts {
		keys := r.of(b.parts[i].partition)
		for len(b.parts[i].slots) > 0 {
			b.pin(i, b.settleOne(i, keys))
		}
	}
}

// pin makes the replica in the slot one that stays.
func (b *board) pin(i, slot int) {
	b.unregister(i)
	p := &b.parts[i]
	p.fixed = append(slices.Clone(p.fixed), p.slots[slot])
	p.slots = slices.Delete(p.slots, slot, slot+1)
	b.register(i)
}

// option is a broker that a slot can have, and the chains of other slots that then have to move.
type option struct {
	slot, to int
	before   []int // ends where the slot is now; nil for none
	next     []int // from each broker the next one toward a goal; nil where the slot stays
}

// settleOne gives one of the partition's slots the best broker in rank that any of them can have, and says which.
func (b *board) settleOne(i int, keys []uint64) int {
	p := &b.parts[i]
	var options []option
	for s, at := range p.slots {
		options = append(options, option{slot: s, to: at})
		alone := b.toward(at, b.load[at])
		before := b.upstream(at)
		helped := b.toward(at, b.load[before[0]])
		b.countRacks(p)
		to := b.targets(p, s)
		for t := to.next(0); t >= 0; t = to.next(t + 1) {
			if alone[t] != unreached {
				options = append(options, option{s, t, nil, alone})
			} else if helped[t] != unreached {
				options = append(options, option{s, t, before, helped})
			}
		}
	}
	for {
		best := 0
		for o := range options {
			if keys[options[o].to] < keys[options[best].to] {
				best = o
			}
		}
		if b.take(i, options[best]) {
			return options[best].slot
		}
		options[best] = options[len(options)-1]
		options = options[:len(options)-1]
	}
}

// take moves the slot of the option and what has to move with it, or nothing.
func (b *board) take(i int, o option) bool {
	if o.next == nil {
		return true
	}
	at, after := o.to, []int{o.to}
	for o.next[at] != goal {
		at = o.next[at]
		after = append(after, at)
	}
	from := b.parts[i].slots[o.slot]
	return b.apply(links(o.before), []link{{from, o.to, &slotRef{i, o.slot}}}, links(after))
}

// upstream is a chain from the most loaded broker that can hand a slot to the broker, directly or not; only the broker
// itself where none has more. That broker may then give its surplus to one that is less loaded.
func (b *board) upstream(at int) []int {
	next := b.search([]int{at})
	top := at
	for i, n := range next {
		if n != unreached && b.load[i] > b.load[top] {
			top = i
		}
	}
	chain := []int{top}
	for next[top] != goal {
		top = next[top]
		chain = append(chain, top)
	}
	return chain
}

const (
	unreached = -1
	goal      = -2
)

// toward says for each broker the next one on the shortest chain that takes a slot back to the broker, or to one with
// less than the given load: goal at the end of a chain, unreached where there is none.
func (b *board) toward(at, load int) []int {
	goals := []int{at}
	for i, l := range b.load {
		if i != at && l < load {
			goals = append(goals, i)
		}
	}
	return b.search(goals)
}

// search walks the links backwards from the goals.
func (b *board) search(goals []int) []int {
	next := make([]int, len(b.c.ids))
	for i := range next {
		next[i] = unreached
	}
	for _, g := range goals {
		next[g] = goal
	}
	for queue := goals; len(queue) > 0; queue = queue[1:] {
		to := queue[0]
		for from := b.in[to].next(0); from >= 0; from = b.in[to].next(from + 1) {
			if next[from] == unreached {
				next[from] = to
				queue = append(queue, from)
			}
		}
	}
	return next
}
