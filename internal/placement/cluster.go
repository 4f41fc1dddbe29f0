// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"cmp"
	"maps"
	"slices"
)

// cluster numbers brokers and racks from 0, so that the engine works on slices. Brokers that only the current layout
// names are in it too, without rack; they receive nothing.
type cluster struct {
	ids     []int32
	index   map[int32]int
	rack    []int
	inRack  []bitset // brokers of each rack
	keeps   bitset   // a replica may stay here
	accepts bitset   // a replica may be placed here
	ring    []int    // brokers that accept, racks alternating
}

func newCluster(current Assignment, t Target) *cluster {
	brokers := slices.SortedFunc(slices.Values(t.Brokers), func(a, b Broker) int { return cmp.Compare(a.ID, b.ID) })
	known := len(brokers)
	brokers = append(brokers, strangers(current, brokers)...)
	n := len(brokers)
	c := &cluster{
		ids: make([]int32, n), index: make(map[int32]int, n), rack: make([]int, n),
		keeps: newBitset(n), accepts: newBitset(n),
	}
	racks := map[string]int{}
	for _, b := range brokers {
		racks[rackName(b, t.Racks)] = 0
	}
	for r, name := range slices.Sorted(maps.Keys(racks)) {
		racks[name] = r
		c.inRack = append(c.inRack, newBitset(n))
	}
	for i, b := range brokers {
		c.ids[i], c.index[b.ID], c.rack[i] = b.ID, i, racks[rackName(b, t.Racks)]
		c.inRack[c.rack[i]].add(i)
		if t.allows(b.ID) {
			c.keeps.add(i)
		}
		if i < known && t.receives(b.ID) {
			c.accepts.add(i)
		}
	}
	c.ring = c.alternate()
	return c
}

// strangers are the ids of the layout that no broker has, ascending.
func strangers(current Assignment, brokers []Broker) []Broker {
	seen := map[int32]bool{}
	for _, b := range brokers {
		seen[b.ID] = true
	}
	var out []Broker
	for _, replicas := range current {
		for _, id := range replicas {
			if !seen[id] {
				seen[id] = true
				out = append(out, Broker{ID: id})
			}
		}
	}
	slices.SortFunc(out, func(a, b Broker) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func rackName(b Broker, mode RackMode) string {
	if mode == RacksIgnore {
		return ""
	}
	return b.Rack
}

// alternate lists the brokers that accept replicas: the first of each rack, the second of each rack, and so on. With
// racks of one size the rack at a place is the place modulo the number of racks, and a rotation changes nothing.
func (c *cluster) alternate() []int {
	next := make([]int, len(c.inRack))
	ring := make([]int, 0, len(c.ids))
	for total := c.accepts.size(); len(ring) < total; {
		for r, members := range c.inRack {
			i := next[r]
			for i >= 0 {
				if i = members.next(i); i < 0 || c.accepts.has(i) {
					break
				}
				i++
			}
			next[r] = i
			if i >= 0 {
				ring = append(ring, i)
				next[r] = i + 1
			}
		}
	}
	return ring
}

// racksOf is the number of different racks of the brokers.
func (c *cluster) racksOf(brokers []int) int {
	seen := map[int]bool{}
	for _, b := range brokers {
		seen[c.rack[b]] = true
	}
	return len(seen)
}

// racksWith is the number of racks that replicas can reach: of brokers that accept, and of those that are kept.
func (c *cluster) racksWith(kept []int) int {
	return c.racksOf(slices.Concat(c.ring, kept))
}
