// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// settle picks, among the equally even layouts, the first one by rank: partition by partition each slot goes to the
// best broker in rank from which the others can still be made even. The choice depends on the set of possible layouts
// only, not on the way there: that is why a half-moved layout leads to the same target.
func (b *board) settle(r *ranking) {
	for i := range b.parts {
		b.unregister(i)
		p := &b.parts[i]
		keys := r.of(p.partition)
		free := make([]int, len(p.slots))
		for s := range free {
			free[s] = s
		}
		for len(free) > 0 {
			slot := b.settleOne(p, free, keys)
			free = slices.DeleteFunc(free, func(s int) bool { return s == slot })
		}
	}
}

// settleOne gives one of the free slots the best broker in rank that any of them can have, and says which.
func (b *board) settleOne(p *part, free []int, keys []uint64) int {
	type option struct {
		slot, to int
		next     []int
	}
	var options []option
	for _, s := range free {
		at := p.slots[s]
		options = append(options, option{slot: s, to: at})
		next := b.toward(at)
		b.countRacks(p)
		to := b.targets(p, s)
		for t := to.next(0); t >= 0; t = to.next(t + 1) {
			if next[t] != unreached {
				options = append(options, option{s, t, next})
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
		o := options[best]
		if o.next == nil {
			return o.slot
		}
		chain := []int{o.to}
		for at := o.to; o.next[at] != goal; {
			at = o.next[at]
			chain = append(chain, at)
		}
		if b.apply(chain) {
			b.put(p, o.slot, o.to)
			return o.slot
		}
		options[best] = options[len(options)-1]
		options = options[:len(options)-1]
	}
}

const (
	unreached = -1
	goal      = -2
)

// toward says for each broker the next one on the shortest chain that takes a slot back to the broker, or to one that
// has one less (then the two swap their loads): goal at the end of a chain, unreached where there is none.
func (b *board) toward(at int) []int {
	next := make([]int, len(b.c.ids))
	queue := make([]int, 0, len(next))
	for i := range next {
		next[i] = unreached
		if i == at || b.load[i] < b.load[at] {
			next[i] = goal
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		to := queue[0]
		queue = queue[1:]
		for from := b.in[to].next(0); from >= 0; from = b.in[to].next(from + 1) {
			if next[from] == unreached {
				next[from] = to
				queue = append(queue, from)
			}
		}
	}
	return next
}
