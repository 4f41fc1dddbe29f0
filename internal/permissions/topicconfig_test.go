// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

func ofTopic(topic string, config configs) values { return values{"topic": topic, "config": config} }

// Acceptance 4: an identity that may only describe, as plan jobs have it, plans; one warning for the run says what apply needs (C-140).
func TestTopicConfigDescribeOnly(t *testing.T) {
	b := newBench(t)
	topics := []string{b.cluster.UniqueTopic(t, 1, 1), b.cluster.UniqueTopic(t, 1, 1)}
	var resources []*acctest.Resource
	for _, topic := range topics {
		resources = append(resources, b.applied(topicConfig, ofTopic(topic, configs{"flush.ms": "1000"})))
		b.grant(onTopic("DESCRIBE_CONFIGS", topic))
	}
	w := b.tf.Walk()
	var said acctest.Diagnostics
	for i, topic := range topics {
		w.Refresh(resources[i]).None(t)
		p := w.Plan(resources[i], ofTopic(topic, configs{"flush.ms": "2000"}))
		if p.Action != acctest.Update {
			t.Fatalf("The plan is a %s:\n%s", p.Action, p.Diagnostics)
		}
		said = append(said, p.Diagnostics...)
	}
	warning := said.OneWarning(t)
	mentions(t, warning, "The plan is not checked by the brokers", onTopic("ALTER_CONFIGS", topics[0]), "Whoever applies needs it.")
	b.tf.Empty(resources[0], ofTopic(topics[0], configs{"flush.ms": "1000"}))
	b.untouched()
}

// Acceptance 4, C-115: without DESCRIBE_CONFIGS a refresh and an import fail and name it, and nothing is planned; state stays as it is.
func TestTopicConfigNotToBeSeen(t *testing.T) {
	b := newBench(t)
	topic := b.cluster.UniqueTopic(t, 1, 1)
	r := b.applied(topicConfig, ofTopic(topic, configs{"flush.ms": "1000"}))
	for name, granted := range map[string][]string{"no rights": nil, "may describe the topic": {onTopic("DESCRIBE", topic), "DESCRIBE on Cluster"}} {
		t.Run(name, func(t *testing.T) {
			b := b
			b.t, b.tf = t, b.tf.For(t)
			if granted != nil {
				b.grant(granted...)
			}
			b.keeps(r, func() {
				mentions(t, b.tf.Walk().Refresh(r).One(t), topic, "missing permission: "+onTopic("DESCRIBE_CONFIGS", topic), "Grant "+onTopic("DESCRIBE_CONFIGS", topic))
			})
			fresh := b.tf.Resource(topicConfig)
			p := b.tf.Walk().Plan(fresh, ofTopic(topic, configs{"flush.ms": "1000"}))
			mentions(t, p.Diagnostics.One(t), topic, onTopic("DESCRIBE_CONFIGS", topic))
			mentions(t, b.tf.Walk().Import(fresh, topic).One(t), topic, onTopic("DESCRIBE_CONFIGS", topic))
			b.untouched()
		})
	}
}

// C-116: who may not see a topic is told that it may be there; who may is told that it is not. Neither takes the one for the other.
func TestTopicConfigOfAbsentTopic(t *testing.T) {
	b := newBench(t)
	topic := testbed.UniqueName(t)
	b.cluster.CreateTopic(t, topic, 1, 1, nil)
	r := b.applied(topicConfig, ofTopic(topic, configs{"flush.ms": "1000"}))
	if _, err := b.cluster.Admin(t).DeleteTopic(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
	b.keeps(r, func() {
		mentions(t, b.tf.Walk().Refresh(r).One(t), onTopic("DESCRIBE_CONFIGS", topic))
	})
	b.grant(onTopic("DESCRIBE_CONFIGS", topic))
	w := b.tf.Walk()
	w.Refresh(r).None(t)
	if r.Exists() {
		t.Error("The topic is gone and its configs are still in state")
	}
	p := w.Plan(r, ofTopic(topic, configs{"flush.ms": "1000"}))
	if p.Diagnostics.None(t); p.Action != acctest.Create {
		t.Errorf("The plan is a %s", p.Action)
	}
	b.untouched()
}

// C-117: apply without ALTER_CONFIGS fails at once, names it, and leaves state and topic as they were.
func TestTopicConfigNotToBeAltered(t *testing.T) {
	b := newBench(t)
	topic := b.cluster.UniqueTopic(t, 1, 1)
	r := b.applied(topicConfig, ofTopic(topic, configs{"flush.ms": "1000"}))
	b.grant(onTopic("DESCRIBE_CONFIGS", topic))
	p := b.tf.Plan(r, ofTopic(topic, configs{"flush.ms": "2000"}))
	b.rec.Reset()
	b.keeps(r, func() {
		mentions(t, b.tf.ApplyPlan(p).One(t), topic, "TOPIC_AUTHORIZATION_FAILED", "missing permission: "+onTopic("ALTER_CONFIGS", topic))
	})
	if n := len(b.rec.Writes()); n != 1 {
		t.Errorf("A refusal is final, and %d writes were sent:\n%s", n, b.rec)
	}
	b.admin.Empty(r, ofTopic(topic, configs{"flush.ms": "1000"}))
	b.keeps(r, func() {
		mentions(t, b.tf.ApplyPlan(b.tf.Plan(r, nil)).One(t), topic, onTopic("ALTER_CONFIGS", topic))
	})
}

// Acceptance 4: with ALTER_CONFIGS, which implies DESCRIBE_CONFIGS, everything goes without a warning.
func TestTopicConfigFullRights(t *testing.T) {
	b := newBench(t)
	topic := b.cluster.UniqueTopic(t, 1, 1)
	b.grant(onTopic("ALTER_CONFIGS", topic))
	r := b.tf.Resource(topicConfig)
	for _, value := range []string{"1000", "2000"} {
		if said := b.tf.Apply(r, ofTopic(topic, configs{"flush.ms": value})); len(said) > 0 {
			t.Errorf("It says:\n%s", said)
		}
	}
	b.tf.Empty(r, ofTopic(topic, configs{"flush.ms": "2000"}))
	b.tf.Walk().Import(b.tf.Resource(topicConfig), topic).None(t)
	if said := b.tf.Destroy(r); len(said) > 0 {
		t.Errorf("It says:\n%s", said)
	}
}
