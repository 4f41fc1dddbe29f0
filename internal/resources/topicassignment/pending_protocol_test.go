// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance 11; C-78: wait_for_completion = false returns once the moves are accepted. Refresh shows pending, without a diff while they
// run; when they are done, the next apply finishes with the elections, and then nothing is pending.
func TestDoNotWait(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}})
	r := b.imported(topic)
	want := lists{{3, 1}}
	config := explicit(topic, want).With("wait_for_completion", false)
	p := b.tf.Plan(r, config)
	planned(t, p, acctest.Update, want)
	if p.After["reassignment_pending"] != acctest.Unknown {
		t.Errorf("Pending is planned as %v", p.After["reassignment_pending"])
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	inState(t, r, want, true)
	if got := b.moving(topic); len(got) != 1 {
		t.Fatalf("%v are moving", got)
	}
	b.tf.Empty(r, config)
	inState(t, r, want, true)
	// Another attribute changes meanwhile: pending stays as planned, and nothing is sent.
	b.rec.Reset()
	b.tf.Apply(r, config.With("timeouts", values{"update": "1h"}))
	b.quiet()
	inState(t, r, want, true)

	b.release(topic)
	b.has(topic, want)
	p = b.tf.Plan(r, config)
	if p.Action == acctest.NoOp { // the leader's broker was dropped, so that Kafka may have elected by itself
		inState(t, r, want, false)
	} else {
		planned(t, p, acctest.Update, want)
		if p.Before["reassignment_pending"] != true || p.After["reassignment_pending"] != false {
			t.Errorf("Pending goes from %v to %v", p.Before["reassignment_pending"], p.After["reassignment_pending"])
		}
		b.tf.ApplyPlan(p).NoErrors(t)
	}
	b.led(topic)
	b.tf.Empty(r, config.With("timeouts", nil))
}

// Acceptance 11: an order-only change without waiting owes the election; a plan shows it, and the next apply pays.
func TestElectionOwed(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}})
	r := b.imported(topic)
	want := lists{{3, 1, 2}}
	config := explicit(topic, want).With("wait_for_completion", false)
	b.tf.Apply(r, config)
	inState(t, r, want, true)
	b.has(topic, want)
	b.rec.Reset()
	p := b.tf.Plan(r, config)
	planned(t, p, acctest.Update, want)
	if p.Before["reassignment_pending"] != true || p.After["reassignment_pending"] != false {
		t.Errorf("Pending goes from %v to %v", p.Before["reassignment_pending"], p.After["reassignment_pending"])
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.sends(nil)
	b.led(topic)
	inState(t, r, want, false)
	b.tf.Empty(r, config)
}

// Turning the wait on finishes what is pending.
func TestWaitTurnedOn(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}})
	r := b.imported(topic)
	want := lists{{3, 1}}
	b.tf.Apply(r, explicit(topic, want).With("wait_for_completion", false))
	p := b.tf.Plan(r, explicit(topic, want))
	planned(t, p, acctest.Update, want)
	if p.After["reassignment_pending"] != false {
		t.Errorf("Pending is planned as %v", p.After["reassignment_pending"])
	}
	b.rec.Reset()
	done := b.background(p)
	b.waitFor("apply to look at the moves", func() error { return b.asked(keyList, 3) })
	b.release(topic)
	(<-done).NoErrors(t)
	b.sends(nil)
	b.has(topic, want)
	b.led(topic)
	inState(t, r, want, false)
}

// The request to elect leaders fails as a whole: the update ends in an error, state has the layout and the debt, and the next apply pays.
func TestElectionFails(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}})
	r := b.imported(topic)
	want := lists{{2, 1, 3}}
	p := b.tf.Plan(r, explicit(topic, want))
	stop := b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != keyElectLeaders {
			return testbed.Forward()
		}
		answer := q.Body.ResponseKind().(*kmsg.ElectLeadersResponse)
		answer.ErrorCode = kerr.ClusterAuthorizationFailed.Code
		return testbed.Answer(answer)
	})
	mentions(t, b.tf.ApplyPlan(p).One(t), topic, "CLUSTER_AUTHORIZATION_FAILED", "ALTER on Cluster")
	b.has(topic, want)
	stop()
	inState(t, r, want, true)
	b.tf.Apply(r, explicit(topic, want))
	b.led(topic)
	inState(t, r, want, false)
	// On create the topic is where it should be; that is a warning, and pending.
	other := b.topic(lists{{1, 2, 3}})
	created := b.tf.Resource(typeName)
	p = b.tf.Plan(created, explicit(other, want))
	stop = b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != keyElectLeaders {
			return testbed.Forward()
		}
		answer := q.Body.ResponseKind().(*kmsg.ElectLeadersResponse)
		answer.ErrorCode = kerr.ClusterAuthorizationFailed.Code
		return testbed.Answer(answer)
	})
	diags := b.tf.ApplyPlan(p)
	stop()
	diags.NoErrors(t)
	mentions(t, warned(t, diags, "Leaders of topic"), "ALTER on Cluster", "tries it again")
	inState(t, created, want, true)
	b.tf.Apply(created, explicit(other, want))
	b.led(other)
	inState(t, created, want, false)
}

// A create that is interrupted leaves no state, and the next create takes its moves over.
func TestInterruptedCreate(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}})
	r := b.tf.Resource(typeName)
	want := lists{{1, 3}}
	p := b.tf.Plan(r, explicit(topic, want))
	ctx, interrupt := context.WithCancel(t.Context())
	b.tf.Context = ctx
	done := b.background(p)
	b.waits()
	interrupt()
	mentions(t, (<-done).One(t), topic, "interrupted", "partitions [0] are still being moved", "next apply")
	b.tf.Context = nil
	if r.Exists() {
		t.Error("State knows a create that failed")
	}
	again := b.tf.Plan(r, explicit(topic, want))
	mentions(t, warned(t, again.Diagnostics, "What the new layout"), "Partitions [0] are on the way there already")
	b.rec.Reset()
	done = b.background(again)
	b.release(topic)
	(<-done).NoErrors(t)
	b.sends(nil)
	b.has(topic, want)
	inState(t, r, want, false)
}

// An update that was killed leaves the old layout in state and its moves in flight. The next plan shows the
// same change, computed anew, says so, and apply takes over.
func TestKilledUpdate(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1}, {2}, {3}})
	r := b.imported(topic)
	config := values{"topic": topic, "replication_factor": 2}
	first := b.tf.Plan(r, config)
	want := listsOf(t, first.After["assignment"])
	b.reassign(topic, map[int32][]int32{0: want[0], 1: want[1]}) // what a killed apply had submitted
	p := b.tf.Plan(r, config)
	planned(t, p, acctest.Update, want)
	mentions(t, warned(t, p.Diagnostics, "What the new layout"), "Partitions [0, 1] are on the way there already", "1 replicas are copied")
	b.rec.Reset()
	done := b.background(p)
	b.waitFor("the rest to be submitted", func() error { return b.asked(keyReassign, 1) })
	b.release(topic)
	(<-done).NoErrors(t)
	b.sends(map[int32][]int32{2: want[2]})
	b.has(topic, want)
	inState(t, r, want, false)
}

// C-137, C-69: the timeouts block ends the wait of an update with an error that says what goes on. State has the layout as pending.
func TestUpdateRunsOutOfTime(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}})
	r := b.imported(topic)
	want := lists{{1, 3}}
	config := explicit(topic, want).With("timeouts", values{"update": "3s"})
	p := b.tf.Plan(r, config)
	mentions(t, b.tf.ApplyPlan(p).One(t), topic, "timeouts block is over", "partitions [0] are still being moved", "next apply")
	inState(t, r, want, true)
	b.release(topic)
	b.has(topic, want)
	b.tf.Apply(r, config)
	b.led(topic)
	inState(t, r, want, false)
}
