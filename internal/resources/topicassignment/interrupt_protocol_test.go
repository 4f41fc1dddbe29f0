// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// interrupted applies a plan, interrupts it when so many partitions move, and gives its one error.
func (b bench) interrupted(p *acctest.Plan, topic string, moving ...int32) acctest.Diagnostic {
	b.t.Helper()
	ctx, interrupt := context.WithCancel(b.t.Context())
	b.tf.Context = ctx
	defer func() { b.tf.Context = nil }()
	done := b.background(p)
	b.inFlight(topic, moving...)
	seen := b.rec.Count(keyList)
	b.waitFor("apply to look at the moves", func() error { return b.asked(keyList, seen+6) })
	start := time.Now()
	interrupt()
	e := (<-done).One(b.t)
	if took := time.Since(start); took > 15*time.Second {
		b.t.Errorf("It took %s to end", took)
	}
	return e
}

// Acceptance line 4; C-94, C-99: Ctrl-C in mid-move. Nothing more is submitted, what moves goes on, the error says so; the next plan finishes
// it, and leaders are right.
func TestInterruptContinues(t *testing.T) {
	b := newBench(t)
	b.reassignment(values{"max_moves_per_broker": 2})
	layout, want := lists{{1, 2}, {1, 2}, {1, 2}, {1, 2}}, lists{{3, 1}, {3, 1}, {3, 1}, {3, 1}}
	topic := b.held(layout)
	r := b.imported(topic)
	e := b.interrupted(b.tf.Plan(r, explicit(topic, want)), topic, 0, 1)
	mentions(t, e, topic, "The run was interrupted", "partitions [0, 1] are still being moved, and go on", "next apply", "[2, 3] were not begun")
	b.inFlight(topic, 0, 1)
	inState(t, r, lists{{3, 1}, {3, 1}, {1, 2}, {1, 2}}, true)
	again := b.tf.Plan(r, explicit(topic, want))
	planned(t, again, acctest.Update, want)
	mentions(t, warned(t, again.Diagnostics, "What the new layout"), "Partitions [0, 1] are on the way there already", "2 replicas are copied")
	b.rec.Reset()
	done := b.background(again)
	b.release(topic)
	(<-done).NoErrors(t)
	b.sends(map[int32][]int32{2: {3, 1}, 3: {3, 1}})
	b.has(topic, want)
	b.led(topic)
	inState(t, r, want, false)
}

// Acceptance line 5; C-97: Ctrl-C with cancel, half-way through the batches. What is done stays, what moves has its former replicas again, in
// their order, which a cancel alone loses; what waits is untouched. A pure increase of replicas goes the same way.
func TestInterruptCancels(t *testing.T) {
	b := newBench(t)
	b.reassignment(values{"max_moves_per_broker": 2})
	layout := lists{{3, 1}, {3, 1}, {3, 1}, {3, 1}, {3, 1}}
	for name, to := range map[string][]int32{"swap": {1, 2}, "increase": {1, 2, 3}} {
		t.Run(name, func(t *testing.T) {
			b := b
			b.t, b.tf = t, b.tf.For(t)
			topic := b.topic(layout)
			for p := int32(1); p < 5; p++ {
				b.fillPartition(topic, p)
			}
			b.hold(topic)
			r := b.imported(topic)
			want := lists{to, to, to, to, to}
			config := explicit(topic, want).With("on_interruption", "cancel")
			e := b.interrupted(b.tf.Plan(r, config), topic, 1, 2)
			mentions(t, e, topic, "The run was interrupted", "partitions [1, 2] were cancelled", "former replicas", "Partitions [0] are done", "[3, 4] were not begun")
			left := lists{to, {3, 1}, {3, 1}, {3, 1}, {3, 1}}
			b.at(topic, left)
			inState(t, r, left, name == "increase") // the leader of partition 0 is there still, so that an election is owed
			b.release(topic)
			b.rec.Reset()
			b.tf.Apply(r, config)
			b.has(topic, want)
			b.led(topic)
			inState(t, r, want, false)
		})
	}
}

// A move that goes on after an interrupt is cancelled by the next apply's: the order of the former replicas was noted.
func TestCancelOfTakenOverMove(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{3, 1}})
	r := b.imported(topic)
	want := lists{{1, 2}}
	b.interrupted(b.tf.Plan(r, explicit(topic, want)), topic, 0)
	inState(t, r, want, true)
	e := b.interrupted(b.tf.Plan(r, explicit(topic, want).With("on_interruption", "cancel")), topic, 0)
	mentions(t, e, "partitions [0] were cancelled")
	b.at(topic, lists{{3, 1}})
	inState(t, r, lists{{3, 1}}, false)
}

// Acceptance line 10; C-96: a create that runs out of time is no taint either, and with cancel nothing has changed; the next plan is a create.
func TestCreateRunsOutOfTime(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{3, 1}})
	r := b.tf.Resource(typeName)
	config := explicit(topic, lists{{1, 2}}).With("timeouts", values{"create": "3s"}).With("on_interruption", "cancel")
	mentions(t, b.tf.ApplyPlan(b.tf.Plan(r, config)).One(t), topic, "timeouts block is over", "partitions [0] were cancelled")
	b.at(topic, lists{{3, 1}})
	if r.Exists() {
		t.Error("State knows a create that failed")
	}
	again := b.tf.Plan(r, config)
	planned(t, again, acctest.Create, lists{{1, 2}})
	if text := again.Diagnostics.String(); strings.Contains(text, "on the way") {
		t.Errorf("The plan speaks of moves in flight: %s", text)
	}
	b.release(topic)
	b.tf.ApplyPlan(again).NoErrors(t)
	b.has(topic, lists{{1, 2}})
}

// C-72, C-96: a create that ran out of time left a move that ends by itself, and no state. The next create finds everything in its place
// but the leader, says so, and makes the first replica leader without a move.
func TestCreateElectsAfterAnInterruptedOne(t *testing.T) {
	b := newBench(t)
	for name, config := range map[string]func(topic string) values{
		"explicit": func(topic string) values { return explicit(topic, lists{{3, 1}}) },
		"computed": func(topic string) values {
			return computed(topic, 1, 2).With("placement", among(1, 3)).With("wait_for_completion", false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := b
			b.t, b.tf = t, b.tf.For(t)
			topic := b.held(lists{{1, 2}})
			r := b.tf.Resource(typeName)
			first := explicit(topic, lists{{3, 1}}).With("timeouts", values{"create": "3s"})
			mentions(t, b.tf.ApplyPlan(b.tf.Plan(r, first)).One(t), topic, "partitions [0] are still being moved")
			b.release(topic)
			b.has(topic, lists{{3, 1}})
			if leader := b.describe(topic).Partitions[0].Leader; leader != 1 {
				t.Fatalf("Broker %d leads already", leader)
			}
			b.rec.Reset()
			p := b.tf.Plan(r, config(topic))
			mentions(t, warned(t, p.Diagnostics, "Leaders of topic"), topic, "Partitions [0]")
			b.tf.ApplyPlan(p).NoErrors(t)
			b.sends(nil)
			b.led(topic)
			inState(t, r, lists{{3, 1}}, false)
		})
	}
}

// inFlight returns when just these partitions are being moved.
func (b bench) inFlight(topic string, partitions ...int32) {
	b.t.Helper()
	b.waitFor("partitions to move", func() error { return same(b.moving(topic), partitions) })
}

// at fails the test unless the topic has this layout at once, at rest.
func (b bench) at(topic string, want lists) {
	b.t.Helper()
	if moving := b.moving(topic); len(moving) > 0 {
		b.t.Errorf("%v are moving", moving)
	}
	for p, detail := range b.describe(topic).Partitions {
		if err := same(detail.Replicas, want[p]); err != nil {
			b.t.Errorf("Partition %d: %v", p, err)
		}
	}
}
