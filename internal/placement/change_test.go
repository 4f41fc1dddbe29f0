// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"errors"
	"testing"
)

// rackBrokers are brokers 1 to 6 in three racks: 1 and 4 in a, 2 and 5 in b, 3 and 6 in c.
var rackBrokers = []Broker{{1, "a"}, {2, "b"}, {3, "c"}, {4, "a"}, {5, "b"}, {6, "c"}}

// plainBrokers are brokers 1 to n without racks.
func plainBrokers(n int) []Broker {
	out := make([]Broker, n)
	for i := range out {
		out[i].ID = int32(i + 1)
	}
	return out
}

// Where several layouts are equally good the hash decides: such rows also hold the hash in place, as another hash would
// be another target for layouts that are on their way.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		name    string
		current Assignment
		target  Target
		want    Assignment
	}{
		{
			"a satisfied layout stays, however lopsided",
			Assignment{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
			Target{ReplicationFactor: 3, Brokers: rackBrokers, Racks: RacksSpread},
			Assignment{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
		},
		{
			"a broker that joined changes nothing",
			Assignment{{1, 2}, {2, 1}},
			Target{Partitions: 2, ReplicationFactor: 2, Brokers: rackBrokers, Allowed: []int32{1, 2, 3, 4, 5, 6}},
			Assignment{{1, 2}, {2, 1}},
		},
		{
			"C-57: only partitions are wanted: replicas on dead brokers and uneven lists stay",
			Assignment{{99, 1}, {2}},
			Target{Partitions: 2, Brokers: rackBrokers},
			Assignment{{99, 1}, {2}},
		},
		{
			"C-51: one rack stays one rack while racks are no condition",
			Assignment{{1, 4}},
			Target{ReplicationFactor: 2, Brokers: rackBrokers},
			Assignment{{1, 4}},
		},
		{
			"C-51: replicas added go to racks that have none",
			Assignment{{1}},
			Target{ReplicationFactor: 3, Brokers: rackBrokers[:4]},
			Assignment{{1, 3, 2}},
		},
		{
			"racks as a condition: the surplus replica moves, never the leader",
			Assignment{{4, 1}},
			Target{ReplicationFactor: 2, Brokers: []Broker{{1, "a"}, {4, "a"}, {5, "b"}}, Racks: RacksSpread},
			Assignment{{4, 5}},
		},
		{
			"racks as a condition: adding alone would not reach them all",
			Assignment{{1, 4}},
			Target{ReplicationFactor: 3, Brokers: []Broker{{1, "a"}, {4, "a"}, {5, "b"}, {6, "c"}}, Racks: RacksSpread},
			Assignment{{1, 6, 5}},
		},
		{
			"racks as a condition: fewer replicas on more racks",
			Assignment{{4, 1, 7}},
			Target{ReplicationFactor: 2, Brokers: []Broker{{1, "a"}, {4, "a"}, {7, "a"}, {5, "b"}}, Racks: RacksSpread},
			Assignment{{4, 5}},
		},
		{
			"C-52: four replicas over two racks with room for one in the second",
			Assignment{{1}},
			Target{ReplicationFactor: 4, Brokers: []Broker{{1, "a"}, {2, "a"}, {3, "a"}, {4, "b"}}, Racks: RacksSpread},
			Assignment{{1, 2, 4, 3}},
		},
		{
			"RF down drops what shares a rack and keeps the leader",
			Assignment{{4, 1, 2}},
			Target{ReplicationFactor: 2, Brokers: rackBrokers},
			Assignment{{4, 2}},
		},
		{
			"RF down takes the load off the fullest broker",
			Assignment{{1, 2, 3}, {1, 2}, {3, 2}},
			Target{ReplicationFactor: 2, Brokers: plainBrokers(3)},
			Assignment{{1, 3}, {1, 2}, {3, 2}},
		},
		{
			"RF down drops what is on a fenced broker first, the leader included",
			Assignment{{3, 1, 2}},
			Target{ReplicationFactor: 2, Brokers: plainBrokers(3), Avoid: []int32{3}},
			Assignment{{1, 2}},
		},
		{
			"a fenced broker keeps what it has and receives nothing",
			Assignment{{3}, {1, 2}},
			Target{ReplicationFactor: 2, Brokers: plainBrokers(4), Avoid: []int32{3}},
			Assignment{{3, 4}, {1, 2}},
		},
		{
			"a fenced broker is not chosen to lead",
			Assignment{{4, 3, 1}, {1, 2}, {1, 2}},
			Target{Brokers: plainBrokers(3), Allowed: []int32{1, 2, 3}, ReplicationFactor: 2, Avoid: []int32{3}},
			Assignment{{1, 3}, {1, 2}, {1, 2}},
		},
		{
			"unless there is no other",
			Assignment{{4, 3}},
			Target{Brokers: plainBrokers(3), Allowed: []int32{1, 2, 3}, ReplicationFactor: 1, Avoid: []int32{3}},
			Assignment{{3}},
		},
		{
			"C-56: a replaced replica takes the place of the old one",
			Assignment{{2, 4, 1}, {1, 2, 3}},
			Target{Brokers: plainBrokers(4), Allowed: []int32{1, 2, 3}},
			Assignment{{2, 3, 1}, {1, 2, 3}},
		},
		{
			"a duplicate is replaced in its place",
			Assignment{{1, 1, 2}},
			Target{Brokers: plainBrokers(3)},
			Assignment{{1, 3, 2}},
		},
		{
			"an empty list is filled, with as many replicas as the others have",
			Assignment{{1, 2}, {}},
			Target{Brokers: plainBrokers(4)},
			Assignment{{1, 2}, {4, 3}},
		},
		{
			"new partitions go to the least loaded brokers",
			Assignment{{1}, {1}, {2}},
			Target{Partitions: 5, Brokers: plainBrokers(4)},
			Assignment{{1}, {1}, {2}, {4}, {3}},
		},
		{
			"one broker",
			nil,
			Target{Partitions: 3, ReplicationFactor: 1, Brokers: plainBrokers(1)},
			Assignment{{1}, {1}, {1}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := c.current.Clone()
			got, err := Change("orders", c.current, c.target)
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equal(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if !c.current.Equal(before) {
				t.Errorf("the input changed: %v", c.current)
			}
			if !Satisfied(got, c.target) {
				t.Errorf("Satisfied says no to %v", got)
			}
			if Satisfied(c.current, c.target) != c.current.Equal(got) {
				t.Errorf("Satisfied(%v) = %v, yet Change gives %v", c.current, Satisfied(c.current, c.target), got)
			}
		})
	}
}

// C-46, C-48: each refusal says what is wrong, with numbers and broker ids.
func TestChangeRefuses(t *testing.T) {
	fewer, brokers, invalid := new(*FewerPartitionsError), new(*TooFewBrokersError), new(*InvalidTargetError)
	for _, c := range []struct {
		name    string
		current Assignment
		target  Target
		as      any
		text    string
	}{
		{
			"fewer partitions", Assignment{{1}, {1}, {1}}, Target{Partitions: 2, Brokers: plainBrokers(1)}, fewer,
			"3 partitions cannot become 2 partitions: Kafka cannot remove partitions",
		},
		{
			"more replicas than brokers", Assignment{{1}}, Target{ReplicationFactor: 4, Brokers: plainBrokers(3)}, brokers,
			"partition 0 needs 4 replicas on different brokers, and only 3 brokers can hold them (1, 2, 3)",
		},
		{
			"more replicas than allowed brokers", Assignment{{1}, {3, 1}},
			Target{ReplicationFactor: 2, Brokers: plainBrokers(3), Allowed: []int32{3}}, brokers,
			"partition 0 needs 2 replicas on different brokers, and only 1 broker can hold them (3)",
		},
		{
			"fenced brokers receive nothing", Assignment{{2}, {1}},
			Target{ReplicationFactor: 2, Brokers: plainBrokers(2), Avoid: []int32{2}}, brokers,
			"partition 1 needs 2 replicas on different brokers, and only 1 broker can hold them (1)",
		},
		{
			"no broker at all", nil, Target{Partitions: 1, ReplicationFactor: 1}, brokers,
			"partition 0 needs 1 replica on different brokers, and only 0 brokers can hold them (none)",
		},
		{"no partitions", nil, Target{ReplicationFactor: 1, Brokers: plainBrokers(1)}, invalid, "a topic needs at least one partition"},
		{
			"too many partitions", nil, Target{Partitions: 2_000_000_000, ReplicationFactor: 1, Brokers: plainBrokers(1)}, invalid,
			"2000000000 partitions are more than the 1000000 that can be placed",
		},
		{
			"negative replication factor", nil, Target{Partitions: 1, ReplicationFactor: -1}, invalid,
			"replication factor -1 is not between 1 and 32767",
		},
		{
			"nowhere to take the replication factor from", Assignment{{}}, Target{Brokers: plainBrokers(1)}, invalid,
			"the replication factor is not given, and no partition has replicas to take it from",
		},
		{"broker twice", nil, Target{Partitions: 1, Brokers: []Broker{{1, "a"}, {1, "b"}}}, invalid, "broker 1 is listed more than once"},
		{"negative broker", nil, Target{Partitions: 1, Brokers: []Broker{{-1, ""}}}, invalid, "broker id -1 is negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Change("orders", c.current, c.target)
			if !errors.As(err, c.as) || err.Error() != c.text {
				t.Errorf("got %T %q, want %T %q", err, err, c.as, c.text)
			}
			if Satisfied(c.current, c.target) {
				t.Error("Satisfied says yes")
			}
		})
	}
	if _, err := Spread("orders", 1, 0, plainBrokers(1)); !errors.As(err, invalid) {
		t.Errorf("Spread with replication factor 0: %v", err)
	}
}

// Racks that are ignored neither move nor attract anything.
func TestRacksIgnored(t *testing.T) {
	brokers := []Broker{{1, "a"}, {2, "a"}, {3, "b"}}
	current := Assignment{{3, 1}, {3, 1}, {1}}
	got, err := Change("t", current, Target{ReplicationFactor: 2, Brokers: brokers, Racks: RacksIgnore})
	if want := (Assignment{{3, 1}, {3, 1}, {1, 2}}); err != nil || !got.Equal(want) {
		t.Errorf("got %v, %v, want %v: broker 2 is the emptiest", got, err, want)
	}
	got, err = Change("t", current, Target{ReplicationFactor: 2, Brokers: brokers})
	if want := (Assignment{{3, 1}, {3, 1}, {1, 3}}); err != nil || !got.Equal(want) {
		t.Errorf("got %v, %v, want %v: the only one in another rack", got, err, want)
	}
}

// Acceptance 1: 3 partitions with one replica become 12 with three.
func TestGrowTopic(t *testing.T) {
	got, err := Change("orders", Assignment{{1}, {2}, {3}}, Target{Partitions: 12, ReplicationFactor: 3, Brokers: rackBrokers})
	if err != nil {
		t.Fatal(err)
	}
	if faults := Check(got, rackBrokers); faults != nil {
		t.Error(faults)
	}
	for _, b := range CostOf(nil, got, rackBrokers, nil).Brokers {
		if b.ReplicasAfter != 6 || b.LeadersAfter != 2 {
			t.Errorf("broker %d: %d replicas and %d leaders, want 6 and 2", b.ID, b.ReplicasAfter, b.LeadersAfter)
		}
	}
}
