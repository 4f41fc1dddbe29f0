// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// layout is a kafka_topic_assignment that states the replicas of each partition.
func layout(topic string, lists ...[]any) values {
	return values{"topic": topic, "assignment": assignmentOf(lists...)}
}

func assignmentOf(lists ...[]any) map[string]any {
	assignment := map[string]any{}
	for p, list := range lists {
		assignment[strconv.Itoa(p)] = list
	}
	return assignment
}

// on are the brokers of one partition.
func on(ids ...int64) []any {
	var list []any
	for _, id := range ids {
		list = append(list, id)
	}
	return list
}

// newAssignment is a topic with one replica on broker 1, and a resource that was imported by somebody who may.
func newAssignment(t testing.TB) (b bench, topic string, r *acctest.Resource) {
	t.Helper()
	b = newBench(t)
	topic = b.cluster.UniqueTopic(t, 1, 1)
	r = b.applied(topicAssignment, layout(topic, on(1)))
	return b, topic, r
}

// Issue 5, acceptance 14: without ALTER on the cluster a plan that moves warns and names it, whatever it is going to do beside that, and
// apply is refused before anything is written.
func TestAssignmentWithoutAlterOnCluster(t *testing.T) {
	b, topic, r := newAssignment(t)
	b.grant(onTopic("ALTER", topic), onTopic("DESCRIBE_CONFIGS", topic), "DESCRIBE on Cluster")
	wanted := layout(topic, on(2), on(3))
	p := b.tf.Plan(r, wanted)
	p.Diagnostics.NoErrors(t)
	warning := warned(t, p.Diagnostics, "The principal may not move replicas")
	mentions(t, warning, topic, "ALTER on Cluster")
	b.untouched()
	b.keeps(r, func() {
		mentions(t, b.tf.ApplyPlan(p).One(t), topic, "ALTER on Cluster", "Nothing was written")
	})
	b.untouched()
	b.admin.Empty(r, layout(topic, on(1)))
	// New partitions alone need no such permission, and say nothing of it.
	p = b.tf.Plan(r, layout(topic, on(1), on(3)))
	p.Diagnostics.NoErrors(t)
	if names(p.Diagnostics, warning.Summary) {
		t.Errorf("Nothing moves:\n%s", p.Diagnostics)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.admin.Empty(r, layout(topic, on(1), on(3)))
}

// Issue 5, acceptance 14: the order of replicas alone is a move too for Kafka, and needs ALTER on the cluster.
func TestAssignmentOrderWithoutAlterOnCluster(t *testing.T) {
	b := newBench(t)
	topic := b.cluster.UniqueTopic(t, 1, 2)
	r := b.applied(topicAssignment, layout(topic, on(1, 2)))
	b.grant(onTopic("DESCRIBE", topic), "DESCRIBE on Cluster")
	p := b.tf.Plan(r, layout(topic, on(2, 1)))
	p.Diagnostics.NoErrors(t)
	mentions(t, warned(t, p.Diagnostics, "The principal may not move replicas"), topic, "ALTER on Cluster")
	b.keeps(r, func() { mentions(t, b.tf.ApplyPlan(p).One(t), "ALTER on Cluster", "Nothing was written") })
	b.untouched()
}

// Issue 5, acceptance 14: without ALTER on the topic the brokers do not check new partitions; the plan says so, and apply fails.
func TestAssignmentWithoutAlterOnTopic(t *testing.T) {
	b, topic, r := newAssignment(t)
	b.grant(onTopic("DESCRIBE", topic), "ALTER on Cluster")
	p := b.tf.Plan(r, layout(topic, on(1), on(2)))
	p.Diagnostics.NoErrors(t)
	mentions(t, warned(t, p.Diagnostics, "The brokers did not check new partitions"), topic, onTopic("ALTER", topic), "Whoever applies needs it.")
	b.keeps(r, func() {
		mentions(t, b.tf.ApplyPlan(p).One(t), topic, "TOPIC_AUTHORIZATION_FAILED", "missing permission: "+onTopic("ALTER", topic))
	})
	b.admin.Empty(r, layout(topic, on(1)))
}

// Without ALTER on the topic a plan that adds partitions and moves others must not leave half of it done (C-117).
func TestAssignmentGrowthRefusedBeforeMoves(t *testing.T) {
	b, topic, r := newAssignment(t)
	b.grant(onTopic("DESCRIBE", topic), "ALTER on Cluster")
	p := b.tf.Plan(r, layout(topic, on(2), on(3)))
	p.Diagnostics.NoErrors(t)
	b.keeps(r, func() { mentions(t, b.tf.ApplyPlan(p).One(t), onTopic("ALTER", topic)) })
	b.admin.Empty(r, layout(topic, on(1)))
}

// Acceptance 4, C-116: without DESCRIBE on the topic nothing is known of it. That is an error, never a topic that is gone or to be made.
func TestAssignmentNotToBeSeen(t *testing.T) {
	b, topic, r := newAssignment(t)
	b.grant("ALTER on Cluster", onTopic("DESCRIBE_CONFIGS", topic))
	check := func(topic string) {
		t.Helper()
		b.keeps(r, func() {
			mentions(t, b.tf.Walk().Refresh(r).One(t), topic, "missing permission: "+onTopic("DESCRIBE", topic), "Grant "+onTopic("DESCRIBE", topic))
		})
		fresh := b.tf.Resource(topicAssignment)
		mentions(t, b.tf.Walk().Plan(fresh, layout(topic, on(1))).Diagnostics.One(t), topic, onTopic("DESCRIBE", topic))
		mentions(t, b.tf.Walk().Plan(fresh, values{"topic": topic, "replication_factor": 2}).Diagnostics.One(t), topic, onTopic("DESCRIBE", topic))
		mentions(t, b.tf.Walk().Import(fresh, topic).One(t), topic, onTopic("DESCRIBE", topic))
		b.untouched()
	}
	check(topic)
	if _, err := b.cluster.Admin(t).DeleteTopic(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
	check(topic) // Kafka does not tell a hidden topic from one that is gone
	b.grant(onTopic("DESCRIBE", topic))
	b.tf.Walk().Refresh(r).None(t)
	if r.Exists() {
		t.Error("The topic is gone, and its layout still in state")
	}
}

// C-70: without DESCRIBE on the cluster nobody knows what moves. A refresh keeps the last layout and warns; a plan that changes the
// layout warns, and apply fails.
func TestAssignmentWithoutDescribeOnCluster(t *testing.T) {
	b, topic, r := newAssignment(t)
	b.grant(onTopic("DESCRIBE", topic), onTopic("ALTER", topic))
	w := b.tf.Walk()
	b.keeps(r, func() {
		mentions(t, w.Refresh(r).OneWarning(t), topic, "DESCRIBE on Cluster", "last known layout")
	})
	p := w.Plan(r, layout(topic, on(2)))
	p.Diagnostics.NoErrors(t)
	mentions(t, warned(t, p.Diagnostics, "Moves of topic"), topic, "DESCRIBE on Cluster")
	b.keeps(r, func() { mentions(t, b.tf.ApplyPlan(p).One(t), topic, "DESCRIBE on Cluster") })
	mentions(t, b.tf.Walk().Import(b.tf.Resource(topicAssignment), topic).One(t), topic, "DESCRIBE on Cluster")
	b.untouched()
}

// Acceptance 4: an identity that may only describe refreshes, imports and plans. What an apply would need is said once for all topics.
func TestAssignmentDescribeOnly(t *testing.T) {
	b, topic, r := newAssignment(t)
	other := b.cluster.UniqueTopic(t, 1, 1)
	s := b.applied(topicAssignment, layout(other, on(1)))
	b.grant(onTopic("DESCRIBE", topic), onTopic("DESCRIBE", other), "DESCRIBE on Cluster")
	b.tf.Empty(r, layout(topic, on(1)))
	imported := b.tf.Resource(topicAssignment)
	b.tf.Walk().Import(imported, topic).None(t)
	if got := imported.State()["assignment"]; !reflect.DeepEqual(got, any(assignmentOf(on(1)))) {
		t.Errorf("The layout is imported as %v", got)
	}
	w := b.tf.Walk()
	said := w.Plan(r, layout(topic, on(2), on(3))).Diagnostics
	said.NoErrors(t)
	for _, acl := range []string{onTopic("DESCRIBE_CONFIGS", topic), onTopic("ALTER", topic), "ALTER on Cluster"} {
		if !names(said, acl) {
			t.Errorf("It does not name %s:\n%s", acl, said)
		}
	}
	mentions(t, w.Plan(s, layout(other, on(2), on(3))).Diagnostics.OneWarning(t), "What the new layout of topic", other)
	b.untouched()
}

// C-19: who only adds partitions may do so without any right to the topic's configs; nobody sends a write to them.
func TestAssignmentWithoutConfigs(t *testing.T) {
	b, topic, r := newAssignment(t)
	b.grant(onTopic("ALTER", topic), "DESCRIBE on Cluster")
	b.tf.Apply(r, layout(topic, on(1), on(2)))
	for _, q := range b.rec.Writes() {
		if q.Key != int16(kmsg.CreatePartitions) {
			t.Errorf("A write that is none of new partitions: %s", q)
		}
	}
	b.admin.Empty(r, layout(topic, on(1), on(2)))
}

// Acceptance 4: with full rights nothing is said of permissions: partitions are added, replicas moved, leaders elected.
func TestAssignmentFullRights(t *testing.T) {
	b, topic, r := newAssignment(t)
	b.grant(onTopic("ALTER", topic), onTopic("DESCRIBE_CONFIGS", topic), "ALTER on Cluster")
	said := b.tf.Apply(r, layout(topic, on(2, 1), on(3, 2)))
	for _, d := range said {
		for _, word := range []string{"ALTER", "DESCRIBE", "ermission"} {
			if contains(d, word) {
				t.Errorf("It says:\n%s", d)
			}
		}
	}
	b.tf.Empty(r, layout(topic, on(2, 1), on(3, 2)))
}
