// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// One warning per resource names the topic in its summary and lists every undeclared key with its value;
// apply resets them in the request that sets the rest. What is set already as declared is not sent.
func TestCreateAdopts(t *testing.T) {
	b := newBench(t, configs{"flush.ms": "5000", "cleanup.policy": "compact", "segment.ms": "3600000", "leader.replication.throttled.replicas": "*"})
	p := b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "03600000", "max.message.bytes": "100000", "cleanup.policy": "compact"}))
	want := acctest.Diagnostic{Warning: true, Summary: fmt.Sprintf("Undeclared configs of topic %q will be reset", b.topic),
		Detail: "These configs are set and not declared, so apply resets them to their inherited values:\n\n  flush.ms = \"5000\"\n\n" +
			"Declare them to keep them, or name them in unmanaged_keys to leave them alone."}
	if got := p.Diagnostics.OneWarning(t); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if p.Action != acctest.Create {
		t.Errorf("The plan is a %s", p.Action)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.wrote(map[string]any{"flush.ms": nil, "max.message.bytes": "100000"})
	b.has(configs{"cleanup.policy": "compact", "segment.ms": "3600000", "max.message.bytes": "100000", "leader.replication.throttled.replicas": "*"})
}

// A key that turns up between plan and apply is reset too, and a warning of the apply names it.
func TestAdoptingWhatTurnsUpAfterThePlan(t *testing.T) {
	b := newBench(t, nil)
	p := b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "3600000"}))
	p.Diagnostics.None(t)
	b.outside(map[string]any{"flush.ms": "5000"})
	got := b.tf.ApplyPlan(p).OneWarning(t)
	if !strings.Contains(got.Summary, b.topic) || !strings.Contains(got.Detail, `flush.ms = "5000"`) {
		t.Errorf("%s", got)
	}
	b.has(configs{"segment.ms": "3600000"})
}

// What turns up while the apply runs, after its own second plan, is named as well.
func TestAdoptingWhatTurnsUpDuringTheApply(t *testing.T) {
	b := newBench(t, nil)
	w := b.tf.Walk()
	p := w.Plan(b.resource, b.declare(configs{"segment.ms": "3600000"}))
	b.rec.Reset()
	seen := 0
	b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		// The second listing of the apply walk is the one that create makes.
		if q.String() == "DescribeConfigs v4" {
			if seen++; seen == 2 {
				b.outside(map[string]any{"flush.ms": "5000"})
			}
		}
		return testbed.Forward()
	})
	got := b.tf.ApplyPlan(p).OneWarning(t)
	if got.Summary != fmt.Sprintf("More undeclared configs of topic %q were reset", b.topic) || !strings.Contains(got.Detail, `flush.ms = "5000"`) {
		t.Errorf("%s", got)
	}
	b.has(configs{"segment.ms": "3600000"})
}

// Acceptance line 9; C-118: a topic that was deleted outside drops out of state without an error, with and without a stored identity;
// the plan is a create, and its apply says in one sentence what is missing and how to make it.
func TestDeletedOutside(t *testing.T) {
	for name, old := range map[string]bool{"Terraform 1.12": false, "Terraform 1.11": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.tf.BeforeIdentity = old
			config := b.declare(configs{"retention.ms": "3600000"})
			b.tf.Apply(b.resource, config)
			deleteTopic(t, b.cluster, b.topic)
			p := b.tf.Plan(b.resource, config)
			planned(t, p, acctest.Create, configs{"retention.ms": "3600000"})
			if b.resource.Exists() {
				t.Error("State still has the resource")
			}
			want := acctest.Diagnostic{Summary: fmt.Sprintf("Cannot create the configs of topic %q", b.topic), Detail: fmt.Sprintf(
				"The topic %q does not exist; create it first, for example with kafka-topics.sh --create --topic %s, and run this again.", b.topic, b.topic)}
			if got := b.tf.ApplyPlan(p).One(t); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

// Acceptance line 9; C-118: a plan that did not refresh says that the topic is gone, and how to make it; a destroy has nothing to do.
func TestDeletedOutsideWithoutRefresh(t *testing.T) {
	b := newBench(t, nil)
	b.tf.Apply(b.resource, b.declare(configs{"retention.ms": "3600000"}))
	p := b.tf.Plan(b.resource, b.declare(configs{"retention.ms": "7200000"}))
	destroy := b.tf.Plan(b.resource, nil)
	deleteTopic(t, b.cluster, b.topic)
	missing := fmt.Sprintf("The topic %q does not exist; create it first, for example with kafka-topics.sh --create --topic %s, and run this again.", b.topic, b.topic)
	if got := b.tf.Walk().Plan(b.resource, b.declare(configs{"retention.ms": "7200000"})).Diagnostics.One(t); got.Detail != missing {
		t.Errorf("Plan: %s", got)
	}
	if got := b.tf.ApplyPlan(p).One(t); got.Detail != missing {
		t.Errorf("Apply: %s", got)
	}
	b.tf.ApplyPlan(destroy).None(t)
	again := b.resource.Copy()
	b.tf.Walk().Plan(again, nil).Diagnostics.None(t)
}

// Acceptance line 9; C-24: a topic that is not there yet is planned without an error or a warning, and the apply finds it if it is
// there by then, also when the brokers have not heard of it yet.
func TestTopicMadeInTheSameApply(t *testing.T) {
	t.Parallel()
	cluster := testbed.Shared(t)
	tf := terraform(t, cluster.BootstrapServers()...)
	admin := cluster.Admin(t)
	for i := range 5 {
		topic := testbed.UniqueName(t)
		resource := tf.Resource(typeName)
		config := declare(topic, configs{"segment.ms": "3600000"})
		p := tf.Plan(resource, config)
		planned(t, p, acctest.Create, configs{"segment.ms": "3600000"})
		// By hand, as the test bed's own way waits until every broker knows the topic.
		if _, err := admin.CreateTopic(t.Context(), 1, 1, nil, topic); err != nil {
			t.Fatal(err)
		}
		tf.ApplyPlan(p).None(t)
		tf.Empty(resource, config)
		if _, err := admin.DeleteTopic(t.Context(), topic); err != nil {
			t.Errorf("Round %d: %v", i, err)
		}
	}
}

// C-24: bad configs of a topic that is not there yet are found by CreateTopics with validate_only; it creates nothing.
func TestRefusedForATopicThatIsNotThereYet(t *testing.T) {
	for _, name := range []string{"not a number", "mistyped name", "contradiction (C-02)", "list item"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cluster := testbed.Shared(t)
			rec := testbed.Record(t, cluster)
			tf := terraform(t, rec.BootstrapServers()...)
			topic, c := testbed.UniqueName(t), refusals[name]
			got := tf.Plan(tf.Resource(typeName), declare(topic, c.config)).Diagnostics.One(t)
			want := acctest.Diagnostic{Path: c.path, Summary: fmt.Sprintf("The brokers refuse the planned create of the configs of topic %q", topic), Detail: c.detail + correct}
			if got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
			tf.Plan(tf.Resource(typeName), declare(topic, configs{"retention.ms": "3600000"})).Diagnostics.None(t)
			topics, err := cluster.Admin(t).ListTopics(t.Context())
			if err != nil || topics.Has(topic) || len(rec.Writes()) > 0 {
				t.Errorf("The topic was made: %v\n%s", err, rec)
			}
		})
	}
}

// C-03: topics of another configuration stay as they are (C-124).
func TestDestroyResetsWhatStateKnows(t *testing.T) {
	b := newBench(t, nil)
	other := benchOn(t, b.cluster, configs{"flush.ms": "5000"})
	b.tf.Apply(b.resource, b.declare(configs{"segment.ms": "3600000", "segment.bytes": "1048576"}))
	b.rec.Reset()
	p := b.tf.Plan(b.resource, nil)
	b.outside(map[string]any{"flush.ms": "1000"})
	b.tf.ApplyPlan(p).None(t)
	b.wrote(map[string]any{"segment.ms": nil, "segment.bytes": nil})
	b.has(configs{"flush.ms": "1000"})
	other.has(configs{"flush.ms": "5000"})
	if b.resource.Exists() {
		t.Error("State still has the resource")
	}
}

// Acceptance line 17: on_destroy = "keep" sends nothing, neither to check nor to write.
func TestDestroyThatKeeps(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(configs{"cleanup.policy": "compact", "retention.ms": "-1"}).With("on_destroy", "keep"))
	b.tf.Destroy(b.resource).None(t)
	b.quiet()
	b.has(configs{"cleanup.policy": "compact", "retention.ms": "-1"})
}
