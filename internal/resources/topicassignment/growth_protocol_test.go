// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// growths are the CreatePartitions that were writes.
func (b bench) growths() []*kmsg.CreatePartitionsRequest {
	var all []*kmsg.CreatePartitionsRequest
	for _, q := range b.rec.RequestsOf(keyCreatePartitions) {
		if body := q.Body.(*kmsg.CreatePartitionsRequest); !body.ValidateOnly {
			all = append(all, body)
		}
	}
	return all
}

// Acceptance 10; C-136: what the brokers say against new partitions is an error of the plan, in their words.
func TestGrowthRefusedAtPlan(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	r := b.imported(topic)
	for name, config := range map[string]values{"partitions": computed(topic, 20_000, 1), "assignment": explicit(topic, slices.Repeat(lists{{1}}, 10_500))} {
		e := b.tf.Plan(r, config).Diagnostics.One(t)
		if e.Path != name {
			t.Errorf("It stands at %s", e.Path)
		}
		mentions(t, e, topic, "POLICY_VIOLATION", "Excessively large number")
	}
	if n := len(b.rec.Writes()); n > 0 {
		t.Errorf("%d writes by a plan", n)
	}
	b.has(topic, lists{{1}})
}

// A quota on controller mutations leaves the plan unchecked, not refused (KIP-599).
func TestGrowthNotCheckedForAQuota(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	r := b.imported(topic)
	b.rec.Next(keyCreatePartitions, testbed.EditAnswer(func(answer kmsg.Response) {
		answer.(*kmsg.CreatePartitionsResponse).Topics[0].ErrorCode = kerr.ThrottlingQuotaExceeded.Code
	}))
	b.tf.Plan(r, computed(topic, 2, 1)).Diagnostics.NoErrors(t)
}

// C-67: new partitions are created on the planned brokers, the first of them leading, and nothing of them is moved.
func TestNewPartitionsAreCreatedInPlace(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}, {2, 3}})
	r := b.imported(topic)
	want := lists{{1, 2}, {2, 3}, {5, 3}, {4, 2}}
	b.tf.Apply(r, explicit(topic, want))
	b.sends(nil)
	b.has(topic, want)
	b.led(topic)
}

// The replication factor falls while partitions are added: Kafka takes the new ones only with as many replicas as the others have now.
// They begin with the planned ones, so that a plan made in between leads to the same layout.
func TestReplicationFactorFallsWhileGrowing(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}, {2, 3, 1}})
	r := b.imported(topic)
	config := computed(topic, 5, 2)
	p := b.tf.Plan(r, config)
	want := listsOf(t, p.After["assignment"])
	b.rec.Next(keyReassign, testbed.CloseConnection()) // and the moves are not heard at first
	b.tf.ApplyPlan(p).NoErrors(t)
	grown := b.growths()
	if len(grown) != 1 {
		t.Fatalf("%d CreatePartitions:\n%s", len(grown), b.rec)
	}
	for i, a := range grown[0].Topics[0].Assignment {
		if !slices.Equal(a.Replicas[:2], want[2+i]) || len(a.Replicas) != 3 {
			t.Errorf("Partition %d was created as %v and is to be %v", 2+i, a.Replicas, want[2+i])
		}
	}
	b.spread(want, 5, 2)
	b.has(topic, want)
	b.tf.Empty(r, config)
}

// The replication factor rises while partitions are added, and the topic is uneven: lengths are tried until the brokers take one.
func TestGrowUnevenTopic(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}, {3}})
	b.reassign(topic, map[int32][]int32{1: {2, 3}, 2: {3, 1, 2}})
	b.has(topic, lists{{1}, {2, 3}, {3, 1, 2}})
	r := b.imported(topic)
	config := computed(topic, 5, 3)
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	want := listsOf(t, p.After["assignment"])
	b.spread(want, 5, 3)
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, want)
	b.led(topic)
	b.tf.Empty(r, config)
}

// Partitions are added only when nothing of the topic moves, as they would get the replicas of the move.
func TestGrowthWaitsForMoves(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}})
	r := b.imported(topic)
	b.tf.Apply(r, explicit(topic, lists{{1, 3}}).With("wait_for_completion", false))
	want := lists{{1, 3}, {4, 2}}
	p := b.tf.Plan(r, explicit(topic, want))
	p.Diagnostics.NoErrors(t)
	b.rec.Reset()
	done := b.background(p)
	b.waitFor("apply to look at the moves", func() error { return b.asked(keyList, 3) })
	if n := b.rec.Count(keyCreatePartitions); n > 0 {
		t.Errorf("%d CreatePartitions while the topic moves", n)
	}
	b.release(topic)
	(<-done).NoErrors(t)
	b.has(topic, want)
	inState(t, r, want, false)
}
