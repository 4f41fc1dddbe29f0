// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// A change of the entity replaces the resource: the former one's configs are reset, the new one's set; the plan has the
// warnings of both.
func TestAnotherEntity(t *testing.T) {
	b := newBench(t)
	r := b.applied(ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"}))
	b.outside("2", map[string]any{"log.flush.interval.ms": "7000"})
	p := b.tf.Plan(r, ofBroker(2, configs{"log.segment.delete.delay.ms": "86400000"}))
	planned(t, p, acctest.Replace, configs{"log.segment.delete.delay.ms": "86400000"})
	mentions(t, p.Diagnostics.OneWarning(t), "Undeclared configs of broker 2 will be reset", "log.flush.interval.ms")
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has("1", configs{})
	b.has("2", configs{"log.segment.delete.delay.ms": "86400000"})
	p = b.tf.Plan(r, ofDefault(configs{"log.segment.delete.delay.ms": "86400000"}))
	planned(t, p, acctest.Replace, configs{"log.segment.delete.delay.ms": "86400000"})
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has("2", configs{})
	b.has(clusterDefault, configs{"log.segment.delete.delay.ms": "86400000"})
}

// What is not known yet is not checked, and applies when it is known.
func TestUnknownValues(t *testing.T) {
	b := newBench(t)
	for _, config := range []values{
		{"broker_id": acctest.Unknown, "config": configs{"log.segment.delete.delay.ms": "86400000"}},
		{"broker_id": 1, "config": values{"log.segment.delete.delay.ms": acctest.Unknown}},
		{"broker_id": 1, "config": acctest.Unknown},
	} {
		r := b.tf.Resource(typeName)
		p := b.tf.Plan(r, config)
		p.Diagnostics.None(t)
		if probes, others := b.probes(); len(probes)+len(others) > 0 {
			t.Errorf("Validations:\n%s", b.rec)
		}
		known := ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"})
		b.tf.Walk().Apply(p, known).NoErrors(t)
		b.has("1", configs{"log.segment.delete.delay.ms": "86400000"})
		b.tf.Empty(r, known)
		b.tf.Destroy(r)
		b.rec.Reset()
	}
	// A secret in the plain map shows when the rest is known: at apply, before anything is written.
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, ofBroker(1, values{storePassword: topSecret, "log.segment.delete.delay.ms": acctest.Unknown}))
	p.Diagnostics.None(t)
	refused := b.tf.Walk().Apply(p, ofBroker(1, configs{storePassword: topSecret, "log.segment.delete.delay.ms": "1"})).One(t)
	mentions(t, refused, "is a secret")
	b.has("1", configs{})
}

// on_destroy = "keep" leaves everything, secrets included, and asks nothing.
func TestDestroyThatKeeps(t *testing.T) {
	b := newBench(t)
	for _, entity := range []string{"1", clusterDefault} {
		config := declare(entity, configs{"log.segment.delete.delay.ms": "86400000"}).With("on_destroy", "keep")
		config["sensitive_config"] = configs{"com.example.key": otherSecret}
		r := b.applied(config)
		b.tf.Destroy(r).None(t)
		b.quiet()
		b.has(entity, configs{"log.segment.delete.delay.ms": "86400000", "com.example.key": hidden})
	}
}
