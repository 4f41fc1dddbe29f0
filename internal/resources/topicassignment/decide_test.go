// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
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
	if got := unfinished(l, wanted); !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("Unfinished %v", got)
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

// Design 4: what is planned for reassignment_pending.
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
