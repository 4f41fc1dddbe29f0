// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// spread fails the test unless each partition has so many replicas on as many racks.
func (b bench) spread(got lists, partitions, replicas int) {
	b.t.Helper()
	if len(got) != partitions {
		b.t.Fatalf("%d partitions, want %d: %v", len(got), partitions, got)
	}
	for p, list := range got {
		if racks := racksOf(b.t, b.cluster, list); len(list) != replicas || len(racks) != min(replicas, 3) {
			b.t.Errorf("Partition %d has the replicas %v on racks %v", p, list, racks)
		}
	}
}

// Acceptance 1; C-47, C-51, C-54, C-60, C-65, C-67: an imported topic with 3 partitions of one replica becomes 12 of three. The plan
// shows every list and the cost, a second plan of the same state is the same, apply does exactly what was planned, in place.
func TestGrowAnImportedTopic(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}, {1}})
	b.fill(topic, 3)
	before := b.describe(topic)
	r := b.imported(topic)
	inState(t, r, lists{{1}, {2}, {1}}, false)
	config := computed(topic, 12, 3)
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	if p.Action != acctest.Update {
		t.Fatalf("The plan is a %s", p.Action)
	}
	want := listsOf(t, p.After["assignment"])
	b.spread(want, 12, 3)
	if again := b.tf.Plan(r, config); !mapsEqual(again.After["assignment"], p.After["assignment"]) {
		t.Errorf("Two plans of one state differ:\n%v\n%v", again.After["assignment"], p.After["assignment"])
	}
	cost := warned(t, p.Diagnostics, "What the new layout of topic")
	mentions(t, cost, "6 replicas are copied, 18 MiB", "There is no throttle", "9 partitions are added, 3 to 11: keys map to other partitions", "0: [1] -> [1,", "broker 3: ")
	if n := b.rec.Count(keyDescribeLogDirs); n == 0 {
		t.Error("Nobody asked how much there is to copy")
	}
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	inState(t, r, want, false)
	b.has(topic, want)
	b.led(topic)
	if n := b.rec.Count(keyCreatePartitions); n != 2 {
		t.Errorf("%d CreatePartitions, want one check and one write:\n%s", n, b.rec)
	}
	if b.describe(topic).ID != before.ID {
		t.Error("The topic was made anew")
	}
	b.rec.Reset()
	b.tf.Empty(r, config)
	b.quiet()
	if n := b.rec.Count(keyDescribeLogDirs); n != 0 {
		t.Errorf("A plan without changes asked %d times for log dirs", n)
	}
}

// Acceptance 1; C-54: the same as a plain create. The plan cannot know the layout, so the warning prints it, and apply does what is printed.
func TestComputedCreatePrintsTheLayout(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}, {3}})
	r := b.tf.Resource(typeName)
	config := computed(topic, 4, 2)
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	if p.Action != acctest.Create || p.After["assignment"] != acctest.Unknown || p.After["reassignment_pending"] != acctest.Unknown || p.After["partitions"] != int64(4) {
		t.Fatalf("The plan is a %s to %v", p.Action, p.After)
	}
	cost := warned(t, p.Diagnostics, "What the new layout of topic")
	mentions(t, cost, "3 replicas are copied, 0 B", "The whole layout will be:")
	b.tf.ApplyPlan(p).NoErrors(t)
	got := listsOf(t, r.State()["assignment"])
	b.spread(got, 4, 2)
	b.has(topic, got)
	_, printed, _ := strings.Cut(cost.Detail, "The whole layout will be:")
	for p, list := range got {
		if !strings.Contains(printed, line(p, list)) {
			t.Errorf("Partition %d is %v, which was not printed: %s", p, list, printed)
		}
	}
	b.tf.Empty(r, config)
	b.tf.Empty(r, explicit(topic, got))
	// With -refresh=false the next plan is made from what apply has left, and is exact.
	next := b.tf.Walk().Plan(r, computed(topic, 5, 2))
	next.Diagnostics.NoErrors(t)
	b.spread(listsOf(t, next.After["assignment"]), 5, 2)
}

// Acceptance 1: with an import block, the change is part of the same plan, and the plan is exact.
func TestImportBlockWithChange(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	r := b.tf.Resource(typeName)
	w := b.tf.Walk()
	w.Import(r, topic).NoErrors(t)
	p := w.Plan(r, computed(topic, 3, 2))
	p.Diagnostics.NoErrors(t)
	want := listsOf(t, p.After["assignment"])
	b.spread(want, 3, 2)
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, want)
	b.tf.Empty(r, computed(topic, 3, 2))
}

// C-57: with partitions alone, the replicas of present partitions stay the cluster's decision.
func TestPartitionsAlone(t *testing.T) {
	b := newBench(t)
	before := lists{{1, 4}, {4, 1}} // both in one rack, and left there
	topic := b.topic(before)
	r := b.imported(topic)
	b.tf.Apply(r, values{"topic": topic, "partitions": 3})
	got := listsOf(t, r.State()["assignment"])
	b.sends(nil)
	b.spread(got[2:], 1, 2)
	b.has(topic, append(before, got[2]))
}
