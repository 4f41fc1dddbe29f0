// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"reflect"
	"testing"
)

// C-55: the cost tells copies, bytes, leaders, racks, and replicas per broker before and after.
func TestCostOf(t *testing.T) {
	before := Assignment{{1, 2}, {1, 4}, {2, 3}, {3, 1}, {4, 5}}
	after := Assignment{{1, 2}, {1, 2}, {3, 2}, {2, 1, 6}, {4, 5}, {6, 5}}
	got := CostOf(before, after, rackBrokers, []int64{1, 10, 100, 1000})
	want := Cost{
		Changes: []PartitionChange{
			{Partition: 1, Before: []int32{1, 4}, After: []int32{1, 2}, Added: []int32{2}, Removed: []int32{4}, Bytes: 10, RacksBefore: 1, RacksAfter: 2},
			{Partition: 2, Before: []int32{2, 3}, After: []int32{3, 2}, OrderOnly: true, LeaderChanged: true, RacksBefore: 2, RacksAfter: 2},
			{
				Partition: 3, Before: []int32{3, 1}, After: []int32{2, 1, 6}, Added: []int32{2, 6}, Removed: []int32{3},
				Bytes: 2000, LeaderChanged: true, RacksBefore: 2, RacksAfter: 3,
			},
			{Partition: 5, After: []int32{6, 5}, New: true, Added: []int32{6, 5}, RacksAfter: 2},
		},
		Replicas: 3, Bytes: 2010, Leaders: 2,
		Brokers: []BrokerCost{
			{ID: 1, Out: 10, ReplicasOut: 1, ReplicasBefore: 3, ReplicasAfter: 3, LeadersBefore: 2, LeadersAfter: 2},
			{ID: 2, In: 1010, ReplicasIn: 2, ReplicasBefore: 2, ReplicasAfter: 4, LeadersBefore: 1, LeadersAfter: 1},
			{ID: 3, Out: 2000, Freed: 1000, ReplicasOut: 2, ReplicasBefore: 2, ReplicasAfter: 1, LeadersBefore: 1, LeadersAfter: 1},
			{ID: 4, Freed: 10, ReplicasBefore: 2, ReplicasAfter: 1, LeadersBefore: 1, LeadersAfter: 1},
			{ID: 5, ReplicasBefore: 1, ReplicasAfter: 2},
			{ID: 6, In: 1000, ReplicasIn: 1, ReplicasAfter: 2, LeadersAfter: 1},
		},
		RacksBefore: map[int]int{1: 1, 2: 4}, RacksAfter: map[int]int{2: 5, 3: 1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestCostOfUnknownSizes(t *testing.T) {
	got := CostOf(Assignment{{1}, {1}, {1}, {1, 2}}, Assignment{{1, 2}, {2}, {1, 3}, {1}}, plainBrokers(3), []int64{5, -1})
	if got.Replicas != 3 || got.Bytes != 5 || got.UnknownSizes != 2 {
		t.Errorf("%d replicas, %d bytes, %d unknown, want 3, 5, 2", got.Replicas, got.Bytes, got.UnknownSizes)
	}
	if got.Changes[1].Bytes != -1 || got.Changes[3].Bytes != 0 {
		t.Errorf("bytes %d and %d, want -1 (not known) and 0 (nothing to copy)", got.Changes[1].Bytes, got.Changes[3].Bytes)
	}
}

// Acceptance 5: an order-only change copies nothing, and what does not change is not listed.
func TestCostOfOrderOnlyAndNothing(t *testing.T) {
	before := Assignment{{1, 2}, {2, 3}}
	if got := CostOf(before, before, rackBrokers, []int64{7, 7}); len(got.Changes) != 0 || got.Bytes != 0 || got.Leaders != 0 {
		t.Errorf("no change costs %+v", got)
	}
	got := CostOf(before, Assignment{{2, 1}, {2, 3}}, rackBrokers, []int64{7, 7})
	if len(got.Changes) != 1 || !got.Changes[0].OrderOnly || got.Bytes != 0 || got.Replicas != 0 || got.Leaders != 1 {
		t.Errorf("an order costs %+v", got)
	}
}

// A broker that left and whose layout still names it appears in the cost.
func TestCostOfBrokerThatLeft(t *testing.T) {
	got := CostOf(Assignment{{99, 1}}, Assignment{{2, 1}}, plainBrokers(2), []int64{3})
	if last := got.Brokers[len(got.Brokers)-1]; last.ID != 99 || last.ReplicasBefore != 1 || last.ReplicasAfter != 0 || last.Out != 3 {
		t.Errorf("broker 99: %+v", last)
	}
}
