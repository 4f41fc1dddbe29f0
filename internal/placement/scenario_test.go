// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"slices"
	"testing"
)

func change(t *testing.T, current Assignment, target Target) Assignment {
	t.Helper()
	out, err := Change("orders", current, target)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// perBroker gives the smallest and the largest number of replicas and of leaders over the brokers.
func perBroker(a Assignment, brokers []Broker) (replicas, leaders [2]int) {
	for i, b := range CostOf(nil, a, brokers, nil).Brokers {
		if i == 0 {
			replicas, leaders = [2]int{b.ReplicasAfter, b.ReplicasAfter}, [2]int{b.LeadersAfter, b.LeadersAfter}
		}
		replicas = [2]int{min(replicas[0], b.ReplicasAfter), max(replicas[1], b.ReplicasAfter)}
		leaders = [2]int{min(leaders[0], b.LeadersAfter), max(leaders[1], b.LeadersAfter)}
	}
	return replicas, leaders
}

// Acceptance 6: the replication factor goes down and up again; leaders stay, racks are used, evenness holds.
func TestReplicationFactorDownAndUp(t *testing.T) {
	three := spread(t, "orders", 12, 3, rackBrokers)
	two := change(t, three, Target{ReplicationFactor: 2, Brokers: rackBrokers})
	if cost := CostOf(three, two, rackBrokers, nil); cost.Replicas != 0 || cost.Leaders != 0 || len(cost.Changes) != 12 {
		t.Errorf("3 to 2 copies %d, changes %d leaders in %d partitions", cost.Replicas, cost.Leaders, len(cost.Changes))
	}
	if replicas, _ := perBroker(two, rackBrokers); replicas != [2]int{4, 4} {
		t.Errorf("3 to 2: replicas per broker %v, want 4 each: %v", replicas, two)
	}
	again := change(t, two, Target{ReplicationFactor: 3, Brokers: rackBrokers})
	cost := CostOf(two, again, rackBrokers, nil)
	if replicas, leaders := perBroker(again, rackBrokers); replicas != [2]int{6, 6} || leaders != [2]int{2, 2} {
		t.Errorf("2 to 3: %v replicas and %v leaders per broker, want 6 and 2: %v", replicas, leaders, again)
	}
	if cost.Replicas != 12 || cost.Leaders != 0 || Check(again, rackBrokers) != nil {
		t.Errorf("2 to 3 copies %d, changes %d leaders, faults %v", cost.Replicas, cost.Leaders, Check(again, rackBrokers))
	}
}

// Acceptance 6: a topic with uneven replica counts is repaired where it has to be.
func TestUnevenTopicIsRepaired(t *testing.T) {
	uneven := Assignment{{1, 2, 3}, {2}, {3, 1}}
	got := change(t, uneven, Target{ReplicationFactor: 3, Brokers: rackBrokers[:3]})
	if want := (Assignment{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}}); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if faults := Check(uneven, rackBrokers[:3]); len(faults) != 1 || faults[0].Kind != UnevenReplicationFactor {
		t.Errorf("faults before: %v", faults)
	}
}

// Acceptance 7, C-56: a broker leaves the allowed ones, comes back, and nothing flaps.
func TestBrokerLeavesAndReturns(t *testing.T) {
	layout := spread(t, "orders", 30, 3, rackBrokers)
	target := Target{ReplicationFactor: 3, Brokers: rackBrokers, Allowed: []int32{1, 2, 3, 4, 5}, Racks: RacksSpread}
	without := change(t, layout, target)
	cost := CostOf(layout, without, rackBrokers, nil)
	if cost.Replicas != 15 {
		t.Errorf("%d copies, want the 15 replicas of broker 6", cost.Replicas)
	}
	for _, b := range cost.Brokers {
		// Only broker 3 is left in rack c.
		if want := map[int32]int{3: 15}[b.ID]; b.ReplicasIn != want {
			t.Errorf("broker %d receives %d replicas, want %d", b.ID, b.ReplicasIn, want)
		}
	}
	target.Allowed = []int32{1, 2, 3, 4, 5, 6}
	if back := change(t, without, target); !back.Equal(without) {
		t.Errorf("broker 6 is allowed again and %v became %v", without, back)
	}
	balanced, err := Rebalance("orders", without, rackBrokers)
	if err != nil {
		t.Fatal(err)
	}
	if replicas, leaders := perBroker(balanced, rackBrokers); replicas != [2]int{15, 15} || leaders != [2]int{5, 5} {
		t.Errorf("rebalanced: %v replicas and %v leaders per broker, want 15 and 5", replicas, leaders)
	}
	if moved := CostOf(without, balanced, rackBrokers, nil).Replicas; moved != 15 {
		t.Errorf("rebalancing copies %d, want 15", moved)
	}
}

// Acceptance 8, C-53: two racks, some brokers without rack, all without.
func TestWrongRacks(t *testing.T) {
	two := []Broker{{1, "a"}, {2, "b"}, {3, "a"}, {4, "b"}}
	some := []Broker{{1, "a"}, {2, "b"}, {3, ""}, {4, ""}}
	for name, brokers := range map[string][]Broker{"two": two, "some": some, "none": plainBrokers(4)} {
		got := spread(t, "orders", 12, 3, brokers)
		if faults := Check(got, brokers); faults != nil {
			t.Errorf("%s: %v", name, faults)
		}
		replicas, leaders := perBroker(got, brokers)
		if name != "some" && replicas != [2]int{9, 9} || leaders != [2]int{3, 3} {
			t.Errorf("%s: %v replicas and %v leaders per broker, want 9 and 3", name, replicas, leaders)
		}
	}
}

// C-141: rebalance on layouts where one result is right.
func TestRebalance(t *testing.T) {
	for _, c := range []struct {
		name    string
		current Assignment
		brokers []Broker
		want    Assignment
	}{
		{"even", Assignment{{1, 2}, {2, 1}}, plainBrokers(2), Assignment{{1, 2}, {2, 1}}},
		{"leaders by order only", Assignment{{1, 2}, {1, 2}}, plainBrokers(2), Assignment{{2, 1}, {1, 2}}},
		{"an empty broker", Assignment{{1}, {1}, {2}}, plainBrokers(3), Assignment{{3}, {1}, {2}}},
		{"a broker that left", Assignment{{9}, {1}}, plainBrokers(2), Assignment{{2}, {1}}},
		{"a rack missed", Assignment{{1, 4}}, []Broker{{1, "a"}, {4, "a"}, {5, "b"}}, Assignment{{1, 5}}},
		{"uneven counts stay", Assignment{{1, 2}, {3}}, plainBrokers(3), Assignment{{1, 2}, {3}}},
		{"racks hold replicas back", Assignment{{1, 2}, {1, 3}}, []Broker{{1, "a"}, {2, "b"}, {3, "b"}}, Assignment{{2, 1}, {1, 3}}},
	} {
		got, err := Rebalance("orders", c.current, c.brokers)
		if err != nil || !got.Equal(c.want) {
			t.Errorf("%s: got %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	if _, err := Rebalance("orders", Assignment{{1, 2}}, plainBrokers(1)); err == nil {
		t.Error("two replicas on one broker: no error")
	}
}

// Layouts made by one release are planned again by the next: the hash must not change.
func TestLayoutsArePinned(t *testing.T) {
	for topic, want := range map[string]Assignment{
		"orders":    {{1, 3, 2}, {2, 4, 3}, {5, 6, 4}, {6, 1, 5}},
		"orders-17": {{5, 3, 1}, {6, 4, 2}, {1, 2, 3}, {4, 6, 5}},
		"":          {{1, 6, 5}, {2, 1, 6}, {3, 2, 4}, {4, 3, 5}},
	} {
		if got := spread(t, topic, 4, 3, rackBrokers); !got.Equal(want) {
			t.Errorf("%q: got %v, want %v", topic, got, want)
		}
	}
}

// The doc's promise for names without numbers: like dice, so within five standard deviations.
func TestNamesWithoutNumbersScatterLikeDice(t *testing.T) {
	letters := "abcdefghij"
	var all Assignment
	for i := range 1000 {
		name := "topic-" + string([]byte{letters[i/100], letters[i/10%10], letters[i%10]})
		all = append(all, spread(t, name, 1, 3, rackBrokers)...)
	}
	replicas, leaders := perBroker(all, rackBrokers)
	if replicas[0] < 500-80 || replicas[1] > 500+80 || leaders[0] < 167-60 || leaders[1] > 167+60 {
		t.Errorf("%v replicas and %v leaders per broker", replicas, leaders)
	}
	t.Logf("%v replicas and %v leaders per broker, smallest and largest", replicas, leaders)
}

func TestCloneSharesNothing(t *testing.T) {
	a := Assignment{{1, 2}, {}}
	b := a.Clone()
	b[0][0] = 9
	if a[0][0] != 1 || a.Equal(b) || Assignment(nil).Clone() != nil || !slices.Equal(a[0], []int32{1, 2}) {
		t.Errorf("%v, %v", a, b)
	}
}
