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

// option is a broker that a slot can have.
type option struct{ slot, to int }

// settleOne gives one of the partition's slots the best broker in rank that any of them can have, and says which.
func (b *board) settleOne(i int, keys []uint64) int {
	p := &b.parts[i]
	b.options = b.options[:0]
	for s, at := range p.slots {
		b.options = append(b.options, option{s, at})
		b.countRacks(p)
		to := b.targets(p, s)
		for t := to.next(0); t >= 0; t = to.next(t + 1) {
			b.options = append(b.options, option{s, t})
		}
	}
	ways := make([]*ways, len(p.slots))
	for {
		best := 0
		for o := range b.options {
			if keys[b.options[o].to] < keys[b.options[best].to] {
				best = o
			}
		}
		o := b.options[best]
		from := p.slots[o.slot]
		if o.to == from {
			return o.slot
		}
		if ways[o.slot] == nil {
			ways[o.slot] = b.waysFrom(from)
		}
		before, after := ways[o.slot].chains(o.to)
		if after != nil && b.apply(links(before), []link{{from, o.to, &slotRef{i, o.slot}}}, links(after)) {
			return o.slot
		}
		b.options[best] = b.options[len(b.options)-1]
		b.options = b.options[:len(b.options)-1]
	}
}
