// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance 15: the topic is deleted while apply waits for its moves.
func TestDeletedDuringTheWait(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}})
	r := b.imported(topic)
	p := b.tf.Plan(r, explicit(topic, lists{{1, 3}}))
	b.rec.Reset()
	done := b.background(p)
	b.waits()
	b.delete(topic)
	e := (<-done).One(t)
	mentions(t, e, topic, "was deleted meanwhile", "UNKNOWN_TOPIC_OR_PARTITION")
	if strings.Contains(e.Detail, "go on") {
		t.Errorf("It speaks of moves that go on: %s", e)
	}
	b.tf.Walk().Refresh(r).None(t)
	if r.Exists() {
		t.Error("State still has it")
	}
}

// Acceptance 15: the topic is deleted and made again while apply waits: the new one is not taken for the old.
func TestMadeAgainDuringTheWait(t *testing.T) {
	b := newBench(t)
	topic := b.held(lists{{1, 2}})
	r := b.imported(topic)
	p := b.tf.Plan(r, explicit(topic, lists{{1, 3}}))
	b.rec.Reset()
	done := b.background(p)
	b.waits()
	ready := make(chan struct{})
	stop := b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key == int16(kmsg.Metadata) {
			<-ready // nobody sees the moment without the topic
		}
		return testbed.Forward()
	})
	b.delete(topic)
	b.create(topic, lists{{1, 3}})
	stop()
	close(ready)
	mentions(t, (<-done).One(t), topic, "was deleted and made again")
}

// C-118, C-119: a topic that is gone drops out of state, plans a create, and apply names it; import says that it is missing.
func TestAbsentTopic(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	r := b.imported(topic)
	b.tf.BeforeIdentity = true
	b.delete(topic)
	p := b.tf.Plan(r, explicit(topic, lists{{2}}))
	planned(t, p, acctest.Create, lists{{2}})
	p.Diagnostics.None(t)
	mentions(t, b.tf.ApplyPlan(p).One(t), topic, "does not exist", "create it first")
	computedPlan := b.tf.Plan(r, computed(topic, 2, 1))
	computedPlan.Diagnostics.None(t)
	b.tf.BeforeIdentity = false
	mentions(t, b.tf.Walk().Import(b.tf.Resource(typeName), topic).One(t), topic, "does not exist")
	mentions(t, b.tf.Walk().Import(b.tf.Resource(typeName), "a/b").One(t), "a/b", "name of the topic")
	// It exists by the time of the apply.
	b.create(topic, lists{{1}})
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, lists{{2}})
}

// C-123: destroying sends nothing; the topic keeps its layout. C-138: names are exact.
func TestDestroySendsNothing(t *testing.T) {
	b := newBench(t)
	name := testbed.UniqueName(t)
	b.create(name+".x", lists{{1, 2}})
	b.create(name+"_X", lists{{3, 4}})
	dotted, underscored := b.imported(name+".x"), b.imported(name+"_X")
	inState(t, dotted, lists{{1, 2}}, false)
	inState(t, underscored, lists{{3, 4}}, false)
	b.tf.Destroy(dotted).None(t)
	b.quiet()
	b.has(name+".x", lists{{1, 2}})
	w := b.tf.Walk()
	r := b.tf.Resource(typeName)
	w.ImportIdentity(r, values{"topic": name + ".x"}).NoErrors(t)
	if got := r.Identity(w)["topic"]; got != name+".x" {
		t.Errorf("The identity is %v", got)
	}
}
