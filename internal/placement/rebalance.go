// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// Rebalance makes an existing layout even: first each partition is repaired (unknown brokers, duplicates, too few
// racks), then replicas move along shortest chains until they are even over the brokers, then lists are re-ordered
// until leaders are. Each partition keeps its replica count and at least its number of racks. An even layout comes back
// as it is. Errors as for Change.
func Rebalance(topic string, current Assignment, brokers []Broker) (Assignment, error) {
	allowed := make([]int32, len(brokers))
	for i, b := range brokers {
		allowed[i] = b.ID
	}
	target := Target{Brokers: brokers, Allowed: allowed, Racks: RacksSpread}
	out, err := Change(topic, current, target)
	if err != nil {
		return nil, err
	}
	c := newCluster(out, target)
	c.evenReplicas(out)
	c.evenLeaders(out)
	return out, nil
}

// evenReplicas evens out replicas in place; a moved replica keeps its place in the list.
func (c *cluster) evenReplicas(layout Assignment) {
	b := newBoard(c, make([]int, len(c.ids)), true)
	for p, replicas := range layout {
		slots := make([]int, len(replicas))
		for i, id := range replicas {
			slots[i] = c.index[id]
			b.load[slots[i]]++
		}
		b.addPart(p, nil, slots, c.accepts)
		b.register(p)
	}
	b.even()
	for _, p := range b.parts {
		for i, broker := range p.slots {
			layout[p.partition][i] = c.ids[broker]
		}
	}
}

// evenLeaders evens out first replicas in place: the new leader and the old one swap places in the list.
func (c *cluster) evenLeaders(layout Assignment) {
	b := newBoard(c, make([]int, len(c.ids)), false)
	for p, replicas := range layout {
		may := newBitset(len(c.ids))
		for _, id := range replicas {
			may.add(c.index[id])
		}
		first := c.index[replicas[0]]
		b.load[first]++
		b.addPart(p, nil, []int{first}, may)
		b.register(p)
	}
	b.even()
	for _, p := range b.parts {
		replicas := layout[p.partition]
		i := slices.Index(replicas, c.ids[p.slots[0]])
		replicas[0], replicas[i] = replicas[i], replicas[0]
	}
}
