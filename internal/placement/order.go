// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"cmp"
	"slices"
)

// order turns members into lists. A first replica that stays is first; where it goes, or the partition is new, the
// first replica is chosen so that leaders are even. What stays keeps its order.
func (c *cluster) order(current Assignment, members [][]int, r *ranking) Assignment {
	firsts := c.leaders(current, members, r)
	out := make(Assignment, len(current))
	for p, replicas := range current {
		kept, added := c.split(replicas, members[p])
		if len(added) > 1 {
			keys := r.of(p)
			slices.SortFunc(added, func(x, y int) int { return cmp.Compare(keys[x], keys[y]) })
		}
		if firsts[p] >= 0 {
			out[p] = c.lead(firsts[p], kept, added)
		} else {
			out[p] = c.refill(replicas, kept, added)
		}
	}
	return out
}

// split divides the members into those of the current list, in its order, and the rest.
func (c *cluster) split(replicas []int32, members []int) (kept, added []int) {
	for _, id := range replicas {
		if b := c.index[id]; slices.Contains(members, b) && !slices.Contains(kept, b) {
			kept = append(kept, b)
		}
	}
	for _, b := range members {
		if !slices.Contains(kept, b) {
			added = append(added, b)
		}
	}
	return kept, added
}

// leaders chooses a first replica for each partition that needs a new one, and -1 for the others.
func (c *cluster) leaders(current Assignment, members [][]int, r *ranking) []int {
	firsts := make([]int, len(current))
	b := newBoard(c, make([]int, len(c.ids)), false)
	for p, replicas := range current {
		firsts[p] = -1
		if len(replicas) > 0 && slices.Contains(members[p], c.index[replicas[0]]) {
			b.load[c.index[replicas[0]]]++
			continue
		}
		b.addPart(p, nil, []int{-1}, c.electable(members[p]))
	}
	b.fill(r)
	b.even()
	b.settle(r)
	for _, p := range b.parts {
		firsts[p.partition] = p.fixed[0]
	}
	return firsts
}

// electable are the members that can lead: not those on a fenced broker, unless there are no others.
func (c *cluster) electable(members []int) bitset {
	all, able := newBitset(len(c.ids)), newBitset(len(c.ids))
	for _, m := range members {
		all.add(m)
		if c.accepts.has(m) {
			able.add(m)
		}
	}
	if able.size() == 0 {
		return all
	}
	return able
}

// lead puts the first replica first, then what stays, then what is new.
func (c *cluster) lead(first int, kept, added []int) []int32 {
	out := []int32{c.ids[first]}
	for _, b := range slices.Concat(kept, added) {
		if b != first {
			out = append(out, c.ids[b])
		}
	}
	return out
}

// refill puts new replicas where old ones went, and the rest at the end.
func (c *cluster) refill(replicas []int32, kept, added []int) []int32 {
	out := make([]int32, 0, len(kept)+len(added))
	next := 0
	for _, id := range replicas {
		if next < len(kept) && c.ids[kept[next]] == id {
			out = append(out, id)
			next++
		} else if len(added) > 0 {
			out = append(out, c.ids[added[0]])
			added = added[1:]
		}
	}
	for _, b := range added {
		out = append(out, c.ids[b])
	}
	return out
}
