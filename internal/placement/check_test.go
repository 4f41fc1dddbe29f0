// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"slices"
	"testing"
)

// C-48, C-50, C-51: each fault is typed, and its sentence names partition and culprit.
func TestCheck(t *testing.T) {
	type found struct {
		kind FaultKind
		text string
	}
	for _, c := range []struct {
		name    string
		layout  Assignment
		brokers []Broker
		want    []found
	}{
		{"sound", Assignment{{1, 2, 3}, {4, 5, 6}}, rackBrokers, nil},
		{"no racks", Assignment{{1, 2}}, plainBrokers(2), nil},
		{"nothing", nil, rackBrokers, []found{{NoPartitions, "the assignment has no partitions"}}},
		{"empty list", Assignment{{1}, {}}, rackBrokers, []found{{EmptyList, "partition 1 has no replicas"}}},
		{
			"unknown broker", Assignment{{1, 99}}, plainBrokers(3),
			[]found{{UnknownBroker, "partition 0: broker 99 does not exist (brokers: 1, 2, 3)"}},
		},
		{"no broker known", Assignment{{1}}, nil, []found{{UnknownBroker, "partition 0: broker 1 does not exist (brokers: none)"}}},
		{"negative", Assignment{{1, -2}}, rackBrokers, []found{{NegativeBroker, "partition 0: broker id -2 is negative"}}},
		{"three times", Assignment{{2, 2, 2}}, rackBrokers, []found{{DuplicateReplica, "partition 0 lists broker 2 more than once"}}},
		{
			"uneven", Assignment{{1, 2, 3}, {1, 2}, {4, 5, 6}}, rackBrokers,
			[]found{{UnevenReplicationFactor, "partitions have different numbers of replicas: partition 1 has 2; partitions 0, 2 have 3"}},
		},
		{"one rack of three", Assignment{{1, 4}}, rackBrokers, []found{{FewerRacks, "partition 0 is on 1 rack, and 2 are possible"}}},
		{"C-52: 2 + 2", Assignment{{1, 2, 4, 5}}, slices.Concat(rackBrokers[:2], rackBrokers[3:5]), nil},
		{"C-53: no rack counts as one", Assignment{{1, 2}, {1, 3}}, []Broker{{1, ""}, {2, ""}, {3, "a"}}, []found{
			{FewerRacks, "partition 0 is on 1 rack, and 2 are possible"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []found
			for _, f := range Check(c.layout, c.brokers) {
				got = append(got, found{f.Kind, f.String()})
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if got := (Fault{Kind: 42}).String(); got != "unknown fault 42" {
		t.Error(got)
	}
	if got := (Fault{Kind: FewerRacks, PossibleRacks: 1}).String(); got != "partition 0 is on 0 racks, and 1 is possible" {
		t.Error(got)
	}
}

func TestRackFacts(t *testing.T) {
	some := []Broker{{7, ""}, {2, ""}, {3, "a"}}
	if got := WithoutRack(some); !slices.Equal(got, []int32{2, 7}) {
		t.Errorf("without rack: %v", got)
	}
	for replicas, want := range []int{0, 1, 2, 2} {
		if got := PossibleRacks(replicas, some); got != want {
			t.Errorf("%d replicas: %d racks, want %d", replicas, got, want)
		}
	}
}

func TestSatisfied(t *testing.T) {
	layout := Assignment{{1, 2}, {4, 1}}
	for _, c := range []struct {
		name   string
		target Target
		want   bool
	}{
		{"nothing wanted", Target{}, true},
		{"count and factor hold", Target{Partitions: 2, ReplicationFactor: 2, Brokers: rackBrokers}, true},
		{"allowed brokers hold", Target{Allowed: []int32{1, 2, 4}}, true},
		{"fenced brokers do not matter", Target{Brokers: rackBrokers, Avoid: []int32{1}}, true},
		{"racks are not written out", Target{Brokers: rackBrokers, Racks: RacksPrefer}, true},
		{"racks are ignored", Target{Brokers: rackBrokers, Racks: RacksIgnore}, true},
		{"racks are written out", Target{Brokers: rackBrokers, Racks: RacksSpread}, false},
		{"more partitions", Target{Partitions: 3}, false},
		{"fewer partitions", Target{Partitions: 1}, false},
		{"another factor", Target{ReplicationFactor: 3}, false},
		{"a broker is not allowed", Target{Allowed: []int32{1, 2}}, false},
	} {
		if got := Satisfied(layout, c.target); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for _, broken := range []Assignment{{{1, 1}}, {{1}, {}}, {}} {
		if Satisfied(broken, Target{}) {
			t.Errorf("%v is satisfied", broken)
		}
	}
}

func TestReplaceBroker(t *testing.T) {
	current := Assignment{{1, 2, 3}, {2, 1}, {3}}
	got, err := ReplaceBroker(current, 2, 9)
	if want := (Assignment{{1, 9, 3}, {9, 1}, {3}}); err != nil || !got.Equal(want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if !current.Equal(Assignment{{1, 2, 3}, {2, 1}, {3}}) {
		t.Error("the input changed")
	}
	if got, err = ReplaceBroker(current, 2, 2); err != nil || !got.Equal(current) {
		t.Errorf("by itself: %v, %v", got, err)
	}
	_, err = ReplaceBroker(current, 1, 3)
	if want := "partition 0 has replicas on broker 1 and on broker 3: one cannot replace the other"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
