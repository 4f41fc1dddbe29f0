// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// topicAt is a topic at rest on brokers 1 to 5, but for the moves.
func topicAt(present placement.Assignment, moves map[int32]kafkaapi.Reassignment) live {
	l := live{topic: "orders", id: "id", present: present, registered: true}
	for id := int32(1); id <= 5; id++ {
		l.brokers = append(l.brokers, kafkaapi.RegisteredBroker{Broker: kafkaapi.Broker{ID: id, Rack: "r"}})
	}
	for _, list := range present {
		l.inSync, l.leaders = append(l.inSync, list), append(l.leaders, list[0])
	}
	l.setMoves(moves)
	return l
}

// Who moves what: toward the plan, ours from before, or somebody else's; and what state says after a failure.
func TestWhoMoves(t *testing.T) {
	l := topicAt(placement.Assignment{{3, 1}, {3, 1}, {4, 2}, {5}}, map[int32]kafkaapi.Reassignment{
		0: {Replicas: []int32{3, 1}, Adding: []int32{3}, Removing: []int32{1}}, 1: {Replicas: []int32{3, 1}, Adding: []int32{3}, Removing: []int32{1}},
		2: {Replicas: []int32{4, 2}, Adding: []int32{4}, Removing: []int32{2}}, 9: {Replicas: []int32{1}},
	})
	wanted, state := placement.Assignment{{3}, {2}, {2}, {5}}, placement.Assignment{{1}, {3}, {2}, {5}}
	for name, c := range map[string]struct{ got, want []int32 }{
		"toward": {l.toward(wanted), []int32{0}}, "elsewhere": {l.elsewhere(wanted), []int32{1, 2}}, "foreign": {l.foreign(wanted, state), []int32{2}}, "own": {l.own(wanted, state), []int32{1}},
		"foreign on create": {l.foreign(wanted, nil), []int32{1, 2}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if got, want := reached(l, wanted, state), (placement.Assignment{{3}, {3}, {2}, {5}}); !got.Equal(want) {
		t.Errorf("Reached %v, want %v", got, want)
	}
	if got := reached(live{}, wanted, state); !got.Equal(state) {
		t.Errorf("Without a reading, reached %v", got)
	}
	// Partition 3 is not wanted elsewhere; 1 and 2 move elsewhere and are left alone.
	if got := submissions(l, placement.Assignment{{3}, {2}, {2}, {4}}); !maps.EqualFunc(got, map[int32][]int32{3: {4}}, slices.Equal[[]int32]) {
		t.Errorf("Submits %v", got)
	}
}

// Who moves: what is submitted, from the list at rest, and what is taken over in flight. Its former list, order included, is the one that an
// apply noted or state has, where it names the brokers that Kafka tells; otherwise these.
func TestMovesOf(t *testing.T) {
	move := kafkaapi.Reassignment{Replicas: []int32{3, 1, 2}, Adding: []int32{3}, Removing: []int32{1}}
	l := topicAt(placement.Assignment{{1, 2}, {3, 1, 2}, {3, 1, 2}, {3, 1, 2}, {4}}, map[int32]kafkaapi.Reassignment{1: move, 2: move, 3: move})
	wanted := placement.Assignment{{2, 1}, {3, 2}, {3, 2}, {3, 2}, {4}}
	state := placement.Assignment{{1, 2}, {2, 1}, {3, 2}, {5, 6}, {4}}
	want := []reassign.Move{
		{Partition: 0, From: []int32{1, 2}, To: []int32{2, 1}},
		{Partition: 1, From: []int32{2, 1}, To: []int32{3, 2}, InFlight: true}, // as in state
		{Partition: 2, From: []int32{2, 1}, To: []int32{3, 2}, InFlight: true}, // as noted
		{Partition: 3, From: []int32{1, 2}, To: []int32{3, 2}, InFlight: true}, // as Kafka tells
	}
	if got := movesOf(l, wanted, state, map[int32][]int32{2: {2, 1}, 3: {7, 8}}); !reflect.DeepEqual(got, want) {
		t.Errorf("Moves %v, want %v", got, want)
	}
}

// What a person is told of a job that was given up: where each partition is, and how to go on.
func TestHalted(t *testing.T) {
	held := reassign.Throttle{LeaderRate: map[int32]int64{1: 5}}
	for name, c := range map[string]struct {
		why     error
		outcome reassign.Outcome
		refused map[int32]error
		says    string
	}{
		"interrupted": {context.Canceled, reassign.Outcome{InFlight: []int32{0, 2}, Waiting: []int32{3}, Done: []int32{1}, Throttle: held}, nil,
			"The run was interrupted: partitions [0, 2] are still being moved, and go on, throttled; the next apply takes the moves over. Partitions [1] are done. Partitions [3] were not begun; the next apply moves them."},
		"out of time, cancelled": {context.DeadlineExceeded, reassign.Outcome{Restored: []int32{0}, InFlight: []int32{2}, Kept: map[int32]string{2: "none is alive"}}, nil,
			"The time given in the timeouts block is over: partitions [2] are still being moved, and go on; the next apply takes the moves over. Partition 2 was not taken back: none is alive. " +
				"The moves of partitions [0] were cancelled; these have their former replicas."},
		"nothing begun": {context.Canceled, reassign.Outcome{}, nil, "The run was interrupted: nothing was begun."},
		"stalled and refused": {&reassign.StalledError{Reasons: map[int32]string{4: "broker 5 is down"}}, reassign.Outcome{InFlight: []int32{4}}, map[int32]error{7: errors.New("no")},
			"The move does not come to its end. Partitions [4]: broker 5 is down. Partitions [4] are still being moved, and go on; the next apply takes the moves over. The brokers refused to move partitions [7]: no."},
		"strayed": {&reassign.StrayedError{Partition: 1, Has: []int32{1}, Wants: []int32{2}}, reassign.Outcome{InFlight: []int32{1}}, nil,
			"partition 1 is at rest with the replicas [1], not [2]: somebody else moved or cancelled it meanwhile. Partitions [1] are still being moved, and go on; the next apply takes the moves over."},
	} {
		err := errors.Join(&haltedError{why: c.why, outcome: c.outcome}, refusal(c.refused))
		if got := explain(err); got != c.says {
			t.Errorf("%s: %s\nwant %s", name, got, c.says)
		}
	}
}

// Acceptance 16: what makes a planned layout void, and what does not.
func TestOutgrown(t *testing.T) {
	before, wanted := placement.Assignment{{1, 2}, {2, 3}}, placement.Assignment{{1, 4}, {2, 3}}
	m := memory{TopicID: "id"}
	for id := int32(1); id <= 4; id++ {
		m.Brokers = append(m.Brokers, brokerMemory{ID: id, Rack: "r"})
	}
	for name, c := range map[string]struct {
		change func(l *live)
		skip   []string
		says   string
	}{
		"nothing changed":         {func(*live) {}, nil, ""},
		"another topic":           {func(l *live) { l.id = "new" }, nil, "made again"},
		"ids are not told":        {func(l *live) { l.id = "" }, nil, ""},
		"grown":                   {func(l *live) { l.present = append(l.present, []int32{1}); l.setMoves(nil) }, nil, "3 partitions"},
		"moved":                   {func(l *live) { l.targets[1] = []int32{3, 2} }, nil, "Partition 1 has the replicas [3, 2]"},
		"moved as wanted":         {func(l *live) { l.targets[0] = []int32{1, 4} }, nil, ""},
		"on the way elsewhere":    {func(l *live) { l.setMoves(map[int32]kafkaapi.Reassignment{0: {Replicas: []int32{5, 1}}}) }, nil, ""}, // foreign_reassignment judges
		"destination left":        {func(l *live) { l.brokers = slices.Delete(l.brokers, 3, 4) }, nil, "broker 4, which has left"},
		"destination down":        {func(l *live) { l.brokers[3].Fenced = true }, nil, "broker 4, which is down"},
		"down and skipped":        {func(l *live) { l.brokers[3].Fenced = true }, []string{checkOfflineBroker}, ""},
		"destination moved":       {func(l *live) { l.brokers[3].Rack = "s" }, nil, `in rack "r" and is in "s"`},
		"another down":            {func(l *live) { l.brokers[0].Fenced = true }, nil, ""},
		"another left":            {func(l *live) { l.brokers = slices.Delete(l.brokers, 4, 5) }, nil, ""},
		"old cluster":             {func(l *live) { l.registered = false; l.brokers = slices.Delete(l.brokers, 3, 4) }, nil, "is down or has left"},
		"old cluster and skipped": {func(l *live) { l.registered = false; l.brokers = slices.Delete(l.brokers, 3, 4) }, []string{checkOfflineBroker}, ""},
	} {
		l := topicAt(before.Clone(), nil)
		c.change(&l)
		got := outgrown(l, before, wanted, m, c.skip)
		if got == "" != (c.says == "") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", name, got, c.says)
		}
	}
}

// What is planned for reassignment_pending.
func TestPlannedPending(t *testing.T) {
	yes, no, unknown := types.BoolValue(true), types.BoolValue(false), types.BoolUnknown()
	moving, owing := memory{Moving: true}, memory{Owed: []int32{1}}
	for name, c := range map[string]struct {
		changes   bool
		wait, was types.Bool
		memory    memory
		want      types.Bool
	}{
		"wait":                       {true, yes, no, memory{}, no},
		"wait for what is pending":   {false, yes, yes, moving, no},
		"do not wait":                {true, no, no, memory{}, unknown},
		"moves run":                  {false, no, yes, moving, yes},
		"an election is owed":        {false, no, yes, owing, no},
		"nothing":                    {false, no, no, memory{}, no},
		"not known, changes":         {true, unknown, no, memory{}, unknown},
		"not known, pending":         {false, unknown, yes, moving, unknown},
		"not known, nothing pending": {false, unknown, no, memory{}, no},
		"imported":                   {false, yes, types.BoolNull(), memory{}, no},
	} {
		if got := plannedPending(c.changes, c.wait, c.was, c.memory); !got.Equal(c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A move that cannot be told from a refused one is not: each reason is said once.
func TestRefusal(t *testing.T) {
	same := &kafkaapi.Error{Operation: "AlterPartitionReassignments", Code: 31, CodeName: "CLUSTER_AUTHORIZATION_FAILED", Permission: "ALTER on Cluster"}
	other := &kafkaapi.Error{Operation: "AlterPartitionReassignments", Code: 39, CodeName: "INVALID_REPLICA_ASSIGNMENT", Message: "no room"}
	err := refusal(map[int32]error{2: same, 0: same, 1: other})
	text := explain(err)
	if strings.Count(text, "CLUSTER_AUTHORIZATION_FAILED") != 1 || !strings.Contains(text, "[0, 2]") || !strings.Contains(text, "no room") || !strings.Contains(text, "ALTER on Cluster") {
		t.Errorf("It says %s", text)
	}
	if refusal(nil) != nil {
		t.Error("Nothing refused is an error")
	}
}
