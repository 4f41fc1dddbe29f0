// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

func mapsEqual(a, b any) bool { return reflect.DeepEqual(a, b) }

// line is a partition as warnings print it.
func line(p int, list []int32) string {
	return fmt.Sprintf("  %d: [%s]", p, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list)), ", "), "[]"))
}

// Acceptance 2; C-72: the lists are brought about in their order, and the first replica leads. The plan is exact, on create too.
func TestExplicitLists(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}})
	want := lists{{3, 1, 2}, {2, 3, 4}, {5, 1, 3}}
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, explicit(topic, want))
	planned(t, p, acctest.Create, want)
	b.tf.ApplyPlan(p).NoErrors(t)
	inState(t, r, want, false)
	if r.State()["replication_factor"] != int64(3) {
		t.Errorf("The replication factor is %v", r.State()["replication_factor"])
	}
	b.has(topic, want)
	b.led(topic)
	b.tf.Empty(r, explicit(topic, want))
}

// Acceptance 5; C-71: of 50 partitions one changes, and one is in the request.
func TestOnePartitionOfFifty(t *testing.T) {
	b := newBench(t)
	var layout lists
	for p := range 50 {
		layout = append(layout, []int32{int32(p%5) + 1, int32((p+1)%5) + 1})
	}
	topic := b.topic(layout)
	r := b.imported(topic)
	want := slices.Clone(layout)
	want[17] = []int32{4, 2}
	p := b.tf.Plan(r, explicit(topic, want))
	planned(t, p, acctest.Update, want)
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.sends(map[int32][]int32{17: {4, 2}})
	b.has(topic, want)
}

// Acceptance 5: another order moves no byte, is done at once, and moves the leader.
func TestOrderOnly(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}, {2, 3, 1}})
	b.fill(topic, 2)
	r := b.imported(topic)
	want := lists{{3, 2, 1}, {2, 3, 1}}
	p := b.tf.Plan(r, explicit(topic, want))
	planned(t, p, acctest.Update, want)
	mentions(t, warned(t, p.Diagnostics, "What the new layout"), "zero bytes", "preferred leader of 1 partitions", "0: [1, 2, 3] -> [3, 2, 1]")
	if n := b.rec.Count(keyDescribeLogDirs); n != 0 {
		t.Errorf("%d questions for bytes that nobody copies", n)
	}
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.sends(map[int32][]int32{0: {3, 2, 1}})
	elections := b.rec.RequestsOf(keyElectLeaders)
	if len(elections) != 1 {
		t.Fatalf("%d elections:\n%s", len(elections), b.rec)
	}
	if body := elections[0].Body.(*kmsg.ElectLeadersRequest); body.ElectionType != 0 || len(body.Topics) != 1 || !slices.Equal(body.Topics[0].Partitions, []int32{0}) {
		t.Errorf("Not the preferred leader of partition 0: %+v", body)
	}
	b.has(topic, want)
	b.led(topic)
}

// elect_preferred_leaders = false leaves leaders alone, and nothing is owed.
func TestNoElection(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}})
	r := b.imported(topic)
	config := explicit(topic, lists{{2, 1}}).With("elect_preferred_leaders", false)
	b.tf.Apply(r, config)
	inState(t, r, lists{{2, 1}}, false)
	if n := b.rec.Count(keyElectLeaders); n != 0 {
		t.Errorf("%d elections", n)
	}
	b.tf.Empty(r, config)
}

// Acceptance 6: the replication factor goes down and up again in place, by the declared number alone.
func TestReplicationFactorDownAndUp(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}, {2, 3, 4}})
	b.fill(topic, 2)
	id := b.describe(topic).ID
	r := b.imported(topic)
	b.tf.Apply(r, values{"topic": topic, "replication_factor": 2})
	b.spread(listsOf(t, r.State()["assignment"]), 2, 2)
	b.tf.Apply(r, values{"topic": topic, "replication_factor": 3})
	got := listsOf(t, r.State()["assignment"])
	b.spread(got, 2, 3)
	b.has(topic, got)
	b.led(topic)
	if b.describe(topic).ID != id {
		t.Error("The topic was made anew")
	}
}

// Acceptance 6; C-50, C-59, C-60: partitions with different replication factors are read, planned without a change, imported and repaired.
func TestUnevenTopic(t *testing.T) {
	b := newBench(t)
	uneven := lists{{1, 2, 3}, {2, 3}, {3, 1, 2}}
	topic := b.topic(lists{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}})
	b.reassign(topic, map[int32][]int32{1: {2, 3}})
	b.has(topic, uneven)
	r := b.imported(topic)
	inState(t, r, uneven, false)
	if r.State()["replication_factor"] != nil {
		t.Errorf("The replication factor of an uneven topic is %v", r.State()["replication_factor"])
	}
	b.tf.Empty(r, explicit(topic, uneven))
	b.tf.Empty(r, values{"topic": topic, "partitions": 3})
	b.tf.Apply(r, computed(topic, 3, 3))
	got := listsOf(t, r.State()["assignment"])
	b.spread(got, 3, 3)
	b.sends(map[int32][]int32{1: got[1]})
	if r.State()["replication_factor"] != int64(3) {
		t.Errorf("The replication factor is %v", r.State()["replication_factor"])
	}
	// Drift: somebody adds a replica. The next plan shows it by partition, and apply brings the declared list back.
	b.reassign(topic, map[int32][]int32{2: {3, 1, 2, 5}})
	b.has(topic, lists{got[0], got[1], {3, 1, 2, 5}})
	b.rec.Reset()
	b.tf.Apply(r, computed(topic, 3, 3))
	if sent := b.submitted(); len(sent) != 1 || len(sent[2]) != 3 {
		t.Errorf("Submitted %v for one replica too many of partition 2", sent)
	}
}
