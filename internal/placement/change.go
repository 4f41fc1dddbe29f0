// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// Change is the layout that satisfies the target with the fewest copied replicas. Partitions that satisfy it already
// come back as they are, order included. The topic's name only breaks ties. The current layout is not modified and
// shares no memory with the result.
//
// Errors: *FewerPartitionsError, *TooFewBrokersError, *InvalidTargetError.
func Change(topic string, current Assignment, target Target) (Assignment, error) {
	target, err := target.resolve(current)
	if err != nil {
		return nil, err
	}
	want, err := target.wanted(current)
	if err != nil {
		return nil, err
	}
	current = slices.Concat(current, make(Assignment, target.Partitions-len(current)))
	c := newCluster(current, target)
	r := newRanking(topic, c)
	members, err := c.place(current, want, target.Racks, r)
	if err != nil {
		return nil, err
	}
	return c.order(current, members, r), nil
}

// Spread is a layout from scratch: racks as even as possible in each partition, then replicas as even as possible over
// brokers, then leaders. Errors as for Change.
func Spread(topic string, partitions, replicationFactor int, brokers []Broker) (Assignment, error) {
	if replicationFactor < 1 {
		return nil, invalidTarget("replication factor %d is not between 1 and %d", replicationFactor, MaxReplicationFactor)
	}
	return Change(topic, nil, Target{Partitions: partitions, ReplicationFactor: replicationFactor, Brokers: brokers})
}

// place decides which brokers hold each partition, without an order.
func (c *cluster) place(current Assignment, want []int, mode RackMode, r *ranking) ([][]int, error) {
	load := make([]int, len(c.ids))
	decisions := make([]decision, len(current))
	for p, replicas := range current {
		d := c.decide(replicas, want[p], mode)
		if err := c.enough(p, d); err != nil {
			return nil, err
		}
		for _, b := range d.fixed {
			load[b]++
		}
		decisions[p] = d
	}
	b := newBoard(c, load, true)
	for p, d := range decisions {
		if d.slots > 0 {
			b.addPart(p, d.fixed, slices.Repeat([]int{-1}, d.slots), d.may)
		}
	}
	b.fill(r)
	b.even()
	b.settle(r)

	members := make([][]int, len(current))
	for p, d := range decisions {
		members[p] = d.fixed
	}
	for _, p := range b.parts {
		members[p.partition] = p.fixed // settle has pinned all
	}
	return members, nil
}

// enough refuses a partition whose slots outnumber the brokers that can take them.
func (c *cluster) enough(partition int, d decision) error {
	can := slices.Clone(d.may)
	for _, b := range d.fixed {
		can.add(b)
	}
	want := len(d.fixed) + d.slots
	if can.size() >= want {
		return nil
	}
	e := &TooFewBrokersError{Partition: partition, Wanted: want}
	for b := can.next(0); b >= 0; b = can.next(b + 1) {
		e.Brokers = append(e.Brokers, c.ids[b])
	}
	return e
}
