// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// These configs of brokers are without effect on the tests. The cluster default has one of its own, as a broker's would override it.
const (
	flush        = "log.flush.interval.ms"
	flushDefault = "log.flush.interval.messages"
)

// ofBrokers are the entities of kafka_broker_config. The authorizer guards both by the cluster.
var ofBrokers = map[string]struct {
	id      string
	declare func(value string) values
}{
	"one broker": {"2", func(value string) values { return values{"broker_id": 2, "config": configs{flush: value}} }},
	"cluster default": {"default", func(value string) values {
		return values{"cluster_default": true, "config": configs{flushDefault: value}}
	}},
}

// eachOfBrokers runs a test for both entities, each with a user of its own and a resource that was applied.
func eachOfBrokers(t *testing.T, test func(b bench, r *acctest.Resource, id string, declare func(value string) values)) {
	for name, of := range ofBrokers {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			test(b, b.applied(brokerConfig, of.declare("7000")), of.id, of.declare)
		})
	}
}

// Acceptance 4: an identity that may only describe plans, with one warning that says what apply needs (C-140).
func TestBrokerConfigDescribeOnly(t *testing.T) {
	eachOfBrokers(t, func(b bench, r *acctest.Resource, _ string, declare func(string) values) {
		b.grant("DESCRIBE_CONFIGS on Cluster")
		p := b.tf.Plan(r, declare("8000"))
		if p.Action != acctest.Update {
			b.t.Fatalf("The plan is a %s:\n%s", p.Action, p.Diagnostics)
		}
		mentions(b.t, p.Diagnostics.OneWarning(b.t), "The plan is not checked by the brokers", "ALTER_CONFIGS on Cluster", "Whoever applies needs it.")
		b.tf.Empty(r, declare("7000"))
		b.untouched()
	})
}

// Topics and brokers need different permissions: a run that lacks both says so twice, and once each.
func TestDescribeOnlyOfTopicsAndBrokers(t *testing.T) {
	b := newBench(t)
	b.grant("DESCRIBE_CONFIGS on Cluster")
	w := b.tf.Walk()
	said := map[string]acctest.Diagnostics{}
	for range 2 {
		topic := b.cluster.UniqueTopic(t, 1, 1)
		b.grant(onTopic("DESCRIBE_CONFIGS", topic))
		r := b.applied(topicConfig, ofTopic(topic, configs{"flush.ms": "1000"}))
		said[topicConfig] = append(said[topicConfig], w.Plan(r, ofTopic(topic, configs{"flush.ms": "2000"})).Diagnostics...)
	}
	for _, of := range ofBrokers {
		r := b.applied(brokerConfig, of.declare("7000"))
		said[brokerConfig] = append(said[brokerConfig], w.Plan(r, of.declare("8000")).Diagnostics...)
	}
	mentions(t, said[topicConfig].OneWarning(t), "ALTER_CONFIGS on Topic")
	mentions(t, said[brokerConfig].OneWarning(t), "ALTER_CONFIGS on Cluster")
}

// Acceptance 4, C-115: without DESCRIBE_CONFIGS a refresh and an import fail and name it, and nothing is planned; state stays as it is.
func TestBrokerConfigNotToBeSeen(t *testing.T) {
	eachOfBrokers(t, func(b bench, r *acctest.Resource, id string, declare func(string) values) {
		b.grant("DESCRIBE on Cluster")
		b.keeps(r, func() {
			mentions(b.t, b.tf.Walk().Refresh(r).One(b.t), "missing permission: DESCRIBE_CONFIGS on Cluster", "Grant DESCRIBE_CONFIGS on Cluster")
		})
		fresh := b.tf.Resource(brokerConfig)
		mentions(b.t, b.tf.Walk().Plan(fresh, declare("7000")).Diagnostics.One(b.t), "DESCRIBE_CONFIGS on Cluster")
		mentions(b.t, b.tf.Walk().Import(fresh, id).One(b.t), "DESCRIBE_CONFIGS on Cluster")
		b.untouched()
	})
}

// C-117: apply without ALTER_CONFIGS fails at once, names it, and leaves state and brokers as they were.
func TestBrokerConfigNotToBeAltered(t *testing.T) {
	eachOfBrokers(t, func(b bench, r *acctest.Resource, _ string, declare func(string) values) {
		b.grant("DESCRIBE_CONFIGS on Cluster")
		p := b.tf.Plan(r, declare("8000"))
		b.rec.Reset()
		b.keeps(r, func() {
			mentions(b.t, b.tf.ApplyPlan(p).One(b.t), "CLUSTER_AUTHORIZATION_FAILED", "missing permission: ALTER_CONFIGS on Cluster")
		})
		if n := len(b.rec.Writes()); n != 1 {
			b.t.Errorf("A refusal is final, and %d writes were sent:\n%s", n, b.rec)
		}
		b.admin.Empty(r, declare("7000"))
		b.keeps(r, func() { mentions(b.t, b.tf.ApplyPlan(b.tf.Plan(r, nil)).One(b.t), "ALTER_CONFIGS on Cluster") })
	})
}

// Acceptance 4: with ALTER_CONFIGS, which implies DESCRIBE_CONFIGS, everything goes without a warning.
func TestBrokerConfigFullRights(t *testing.T) {
	eachOfBrokers(t, func(b bench, r *acctest.Resource, id string, declare func(string) values) {
		b.admin.Destroy(r)
		b.grant("ALTER_CONFIGS on Cluster")
		if said := b.tf.Apply(r, declare("8000")); len(said) > 0 {
			b.t.Errorf("It says:\n%s", said)
		}
		b.tf.Empty(r, declare("8000"))
		b.tf.Walk().Import(b.tf.Resource(brokerConfig), id).None(b.t)
		if said := b.tf.Destroy(r); len(said) > 0 {
			b.t.Errorf("It says:\n%s", said)
		}
	})
}
