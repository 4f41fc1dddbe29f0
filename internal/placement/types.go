// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// Broker is a broker that can hold replicas. Rack is broker.rack, "" where the broker has none.
type Broker struct {
	ID   int32
	Rack string
}

// Assignment is the layout of one topic: index is the partition, each list holds broker ids, preferred leader first.
type Assignment [][]int32

// Clone copies the layout, so that the copy shares no memory with it.
func (a Assignment) Clone() Assignment {
	if a == nil {
		return nil
	}
	out := make(Assignment, len(a))
	for p, replicas := range a {
		out[p] = slices.Clone(replicas)
	}
	return out
}

// Equal says whether both layouts have the same lists in the same order.
func (a Assignment) Equal(b Assignment) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]int32])
}
