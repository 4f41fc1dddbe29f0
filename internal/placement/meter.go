// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// meter adds up a Cost partition by partition.
type meter struct {
	racks   map[int32]string
	brokers map[int32]*BrokerCost
	cost    Cost
}

func newMeter(brokers []Broker) *meter {
	m := &meter{
		racks: map[int32]string{}, brokers: map[int32]*BrokerCost{},
		cost: Cost{RacksBefore: map[int]int{}, RacksAfter: map[int]int{}},
	}
	for _, b := range brokers {
		m.racks[b.ID] = b.Rack
		m.broker(b.ID)
	}
	return m
}

func (m *meter) broker(id int32) *BrokerCost {
	b := m.brokers[id]
	if b == nil {
		b = &BrokerCost{ID: id}
		m.brokers[id] = b
	}
	return b
}

// tally counts replicas, leaders and racks, whether the partition changes or not.
func (m *meter) tally(before, after []int32) {
	for i, id := range before {
		m.broker(id).ReplicasBefore++
		if i == 0 {
			m.broker(id).LeadersBefore++
		}
	}
	for i, id := range after {
		m.broker(id).ReplicasAfter++
		if i == 0 {
			m.broker(id).LeadersAfter++
		}
	}
	if len(before) > 0 {
		m.cost.RacksBefore[countRacks(before, m.racks)]++
	}
	if len(after) > 0 {
		m.cost.RacksAfter[countRacks(after, m.racks)]++
	}
}

// compare says what changes in one partition.
func (m *meter) compare(p int, before, after []int32, size int64) PartitionChange {
	c := PartitionChange{
		Partition: p, Before: slices.Clone(before), After: slices.Clone(after), New: len(before) == 0,
		Added: minus(after, before), Removed: minus(before, after),
		RacksBefore: countRacks(before, m.racks), RacksAfter: countRacks(after, m.racks),
	}
	c.OrderOnly = len(c.Added) == 0 && len(c.Removed) == 0 && len(before) == len(after)
	c.LeaderChanged = len(before) > 0 && len(after) > 0 && before[0] != after[0]
	switch {
	case c.New || len(c.Added) == 0:
		c.Bytes = 0
	case size < 0:
		c.Bytes = -1
	default:
		c.Bytes = size * int64(len(c.Added))
	}
	return c
}

// charge adds one change to the totals.
func (m *meter) charge(c PartitionChange, size int64) {
	m.cost.Changes = append(m.cost.Changes, c)
	if c.LeaderChanged {
		m.cost.Leaders++
	}
	known := max(size, 0)
	for _, id := range c.Removed {
		m.broker(id).Freed += known
	}
	if c.New {
		return
	}
	if c.Bytes < 0 {
		m.cost.UnknownSizes++
	}
	m.cost.Replicas += len(c.Added)
	m.cost.Bytes += max(c.Bytes, 0)
	source := m.broker(c.Before[0])
	source.Out += known * int64(len(c.Added))
	source.ReplicasOut += len(c.Added)
	for _, id := range c.Added {
		m.broker(id).In += known
		m.broker(id).ReplicasIn++
	}
}

// minus lists what is in a and not in b, in the order of a.
func minus(a, b []int32) []int32 {
	var out []int32
	for _, id := range a {
		if !slices.Contains(b, id) {
			out = append(out, id)
		}
	}
	return out
}
