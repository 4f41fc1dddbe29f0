// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"slices"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance 9; C-58, C-61, C-100: somebody else moves the topic. Refresh keeps the last layout with a warning and no diff; a change is refused
// with partition, adding and removing; with the skip it waits for the other move and then makes its own.
func TestForeignMove(t *testing.T) {
	b := newBench(t)
	layout := lists{{1, 2}, {2, 3}}
	topic := b.held(layout)
	r := b.imported(topic)
	b.reassign(topic, map[int32][]int32{0: {1, 3}})

	unchanged := b.tf.Plan(r, explicit(topic, layout))
	planned(t, unchanged, acctest.NoOp, layout)
	inState(t, r, layout, false)
	if r.State()["replication_factor"] != int64(2) {
		t.Errorf("The replica that is being added counts: %v", r.State()["replication_factor"])
	}
	mentions(t, b.tf.Walk().Refresh(r).OneWarning(t), topic, "[0]", "0 adding [3], removing [2]")

	want := lists{{1, 2}, {2, 5}}
	config := explicit(topic, want).With("skip_checks", []string{"rack_spread"})
	e := b.tf.Plan(r, config).Diagnostics.One(t)
	mentions(t, e, topic, "partition 0: adding [3], removing [2]", "--cancel", "foreign_reassignment")
	b.quiet()

	p := b.tf.Plan(r, config.With("skip_checks", []string{"rack_spread", "foreign_reassignment"}))
	planned(t, p, acctest.Update, want)
	done := b.background(p)
	b.waitFor("apply to look at the moves", func() error { return b.asked(keyList, 3) })
	if sent := b.submitted(); len(sent) > 0 {
		t.Errorf("Submitted %v although somebody else is moving the topic", sent)
	}
	b.release(topic)
	(<-done).NoErrors(t)
	b.has(topic, want)
	inState(t, r, want, false)
}

// Acceptance 9; C-71: a move to the same lists is taken over, not sent again.
func TestSameTargetIsAdopted(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}, {2, 3}})
	r := b.imported(topic)
	want := lists{{1, 3}, {2, 3}}
	b.reassign(topic, map[int32][]int32{0: {1, 3}})
	p := b.tf.Plan(r, explicit(topic, want))
	planned(t, p, acctest.Update, want)
	mentions(t, warned(t, p.Diagnostics, "What the new layout"), "Partitions [0] are on the way there already")
	b.rec.Reset()
	done := b.background(p)
	b.waitFor("apply to look at the moves", func() error { return b.asked(keyList, 3) })
	select {
	case early := <-done:
		t.Fatalf("Apply did not wait for the move:\n%s", early)
	case <-time.After(100 * time.Millisecond):
	}
	b.release(topic)
	(<-done).NoErrors(t)
	b.sends(nil)
	b.has(topic, want)
	inState(t, r, want, false)
}

// Acceptance 11, and line 13b of the executor's: what an earlier apply began and the new plan contradicts is cancelled, looked at again, and only then moved.
func TestOwnMoveElsewhereIsCancelledFirst(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 3}, {2, 3}})
	r := b.imported(topic)
	away := explicit(topic, lists{{1, 2}, {2, 3}}).With("wait_for_completion", false)
	b.tf.Apply(r, away)
	inState(t, r, lists{{1, 2}, {2, 3}}, true)
	b.rec.Reset()
	back := lists{{3, 1}, {2, 3}}
	p := b.tf.Plan(r, explicit(topic, back))
	planned(t, p, acctest.Update, back)
	mentions(t, warned(t, p.Diagnostics, "What the new layout"), "Partitions [0] are on the way elsewhere by an earlier apply")
	b.tf.ApplyPlan(p).NoErrors(t)
	requests := b.rec.RequestsOf(keyReassign)
	if len(requests) != 2 || replicasOf(requests[0])[0] != nil || !slices.Equal(replicasOf(requests[1])[0], []int32{3, 1}) {
		t.Fatalf("Not a cancel and then the new list:\n%s", b.rec)
	}
	b.has(topic, back)
	b.led(topic)

	// Back to the very list from before: a cancel may be all that it takes, but for the order, and the first replica leads.
	b.tf.Apply(r, explicit(topic, lists{{3, 2}, {2, 3}}).With("wait_for_completion", false).With("skip_checks", []string{"rack_spread"}))
	b.tf.Apply(r, explicit(topic, back))
	b.has(topic, back)
	b.led(topic)
	inState(t, r, back, false)
}
