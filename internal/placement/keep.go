// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// decision is what becomes of one partition: replicas that stay, and slots to be placed on brokers of a set.
type decision struct {
	fixed []int
	slots int
	may   bitset
}

// decide keeps as many replicas as possible: the copies that are left are the fewest that any layout needs.
func (c *cluster) decide(replicas []int32, want int, mode RackMode) decision {
	kept := c.trim(c.valid(replicas), want)
	spread := 0
	if mode == RacksSpread {
		spread = min(want, c.racksWith(kept))
	}
	if len(kept) <= want {
		kept = c.vacate(kept, spread-c.racksOf(kept)-(want-len(kept)))
		return decision{fixed: kept, slots: want - len(kept), may: c.accepts}
	}
	if foreign := spread - c.racksOf(kept); foreign > 0 {
		kept = c.scatter(kept, want-foreign)
		return decision{fixed: kept, slots: foreign, may: c.accepts}
	}
	d := decision{slots: want, may: newBitset(len(c.ids))}
	if c.ids[kept[0]] == replicas[0] {
		d.fixed, d.slots = kept[:1:1], want-1
	}
	for _, b := range kept {
		d.may.add(b)
	}
	return d
}

// valid are the brokers of the list that may keep a replica, each once.
func (c *cluster) valid(replicas []int32) []int {
	out := make([]int, 0, len(replicas))
	for _, id := range replicas {
		if b := c.index[id]; c.keeps.has(b) && !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// trim drops replicas that are too many from brokers that accept nothing (fenced, gone), the last ones first.
func (c *cluster) trim(kept []int, want int) []int {
	for i := len(kept) - 1; i >= 0 && len(kept) > want; i-- {
		if !c.accepts.has(kept[i]) {
			kept = append(kept[:i], kept[i+1:]...)
		}
	}
	return kept
}

// vacate drops n replicas that share a rack, so that other racks get one: of the racks with most replicas the last in
// the list, never the first replica.
func (c *cluster) vacate(kept []int, n int) []int {
	for ; n > 0; n-- {
		perRack := make([]int, len(c.inRack))
		for _, b := range kept {
			perRack[c.rack[b]]++
		}
		drop := len(kept) - 1
		for i := drop; i > 0; i-- {
			if perRack[c.rack[kept[i]]] > perRack[c.rack[kept[drop]]] {
				drop = i
			}
		}
		kept = append(kept[:drop], kept[drop+1:]...)
	}
	return kept
}

// scatter keeps n replicas on all their racks: the first of each rack, then others in the order of the list.
func (c *cluster) scatter(kept []int, n int) []int {
	seen := newBitset(len(c.inRack))
	stay := newBitset(len(c.ids))
	for _, b := range kept {
		if !seen.has(c.rack[b]) {
			seen.add(c.rack[b])
			stay.add(b)
		}
	}
	for _, b := range kept {
		if stay.size() < n {
			stay.add(b)
		}
	}
	out := make([]int, 0, n)
	for _, b := range kept {
		if stay.has(b) {
			out = append(out, b)
		}
	}
	return out
}
