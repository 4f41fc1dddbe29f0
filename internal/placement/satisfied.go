// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// Satisfied says whether the layout meets the target as it is: partition count, replication factor, allowed brokers,
// no empty list, no broker twice in a list, and with RacksSpread the most racks that each partition can have. It says
// nothing about evenness, nor about the state of brokers. Change returns such a layout unchanged.
func Satisfied(current Assignment, target Target) bool {
	target, err := target.resolve(current)
	if err != nil || target.Partitions != len(current) {
		return false
	}
	c := newCluster(current, target)
	for _, replicas := range current {
		if !c.satisfies(replicas, target) {
			return false
		}
	}
	return true
}

func (c *cluster) satisfies(replicas []int32, target Target) bool {
	kept := c.valid(replicas)
	if len(replicas) == 0 || len(kept) != len(replicas) {
		return false
	}
	if target.ReplicationFactor != 0 && len(replicas) != target.ReplicationFactor {
		return false
	}
	return target.Racks != RacksSpread || c.racksOf(kept) >= min(len(kept), c.racksWith(kept))
}

// PossibleRacks is the number of racks that a partition with so many replicas can be on. All brokers without a rack
// count as one rack.
func PossibleRacks(replicas int, brokers []Broker) int {
	var racks []string
	for _, b := range brokers {
		if !slices.Contains(racks, b.Rack) {
			racks = append(racks, b.Rack)
		}
	}
	return min(replicas, len(racks))
}

// WithoutRack are the brokers that have no rack, ascending.
func WithoutRack(brokers []Broker) []int32 {
	var out []int32
	for _, b := range brokers {
		if b.Rack == "" {
			out = append(out, b.ID)
		}
	}
	slices.Sort(out)
	return out
}
