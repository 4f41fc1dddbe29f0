// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"sync"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 2; C-05, C-25: a key that nobody declared is drift of the one entity that holds it; the same key elsewhere stays.
func TestDriftOfOneBroker(t *testing.T) {
	b := newBench(t)
	config := ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"})
	r := b.applied(config)
	for _, name := range []string{"1", "2", clusterDefault} {
		b.outside(name, map[string]any{"log.flush.interval.ms": "7000"})
	}
	b.rec.Reset()
	p := b.tf.Plan(r, config)
	planned(t, p, acctest.Update, configs{"log.segment.delete.delay.ms": "86400000"})
	p.Diagnostics.None(t)
	inState(t, r, "config", configs{"log.segment.delete.delay.ms": "86400000", "log.flush.interval.ms": "7000"})
	b.tf.ApplyPlan(p).None(t)
	b.wrote("1", map[string]any{"log.flush.interval.ms": nil})
	b.has("1", configs{"log.segment.delete.delay.ms": "86400000"})
	b.has("2", configs{"log.flush.interval.ms": "7000"})
	b.has(clusterDefault, configs{"log.flush.interval.ms": "7000"})
	b.tf.Empty(r, config)
}

// C-35: the plan of a create names what it is going to reset, hidden values by their names, and apply resets exactly that.
func TestAdoption(t *testing.T) {
	b := newBench(t)
	b.outside("2", map[string]any{"log.flush.interval.ms": "7000", storePassword: topSecret, "log.segment.delete.delay.ms": "86400000"})
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, ofBroker(2, configs{"log.segment.delete.delay.ms": "86400000"}))
	got := p.Diagnostics.OneWarning(t)
	if got.Summary != "Undeclared configs of broker 2 will be reset" {
		t.Errorf("%s", got)
	}
	mentions(t, got, `log.flush.interval.ms = "7000"`, storePassword+" (the brokers hide its value)")
	b.rec.Reset()
	if again := b.tf.ApplyPlan(p).OneWarning(t); again != got {
		t.Errorf("Apply says something else: %s", again)
	}
	b.wrote("2", map[string]any{"log.flush.interval.ms": nil, storePassword: nil})
	b.has("2", configs{"log.segment.delete.delay.ms": "86400000"})
}

// C-37: a static value is no part of the set; a dynamic one over it is declared and taken away again without a trace.
func TestStaticValueBelow(t *testing.T) {
	b := newBench(t)
	r := b.applied(ofBroker(1, nil))
	b.tf.Empty(r, ofBroker(1, nil))
	b.quiet()
	b.tf.Apply(r, ofBroker(1, configs{"num.io.threads": "8"}))
	if got := effective(t, b.cluster, 1, "num.io.threads"); got != "8" {
		t.Errorf("%s threads", got)
	}
	b.tf.Apply(r, ofBroker(1, nil))
	if got := effective(t, b.cluster, 1, "num.io.threads"); got != "4" {
		t.Errorf("%s threads", got)
	}
	b.tf.Empty(r, ofBroker(1, nil))
}

// Equality by type, at the default, where brokers tell the text as it was written, as at a broker, where they tell it parsed.
func TestSpelling(t *testing.T) {
	b := newBench(t)
	for _, entity := range []string{"1", clusterDefault} {
		config := declare(entity, configs{"log.cleaner.min.cleanable.ratio": ".50", "log.preallocate": "TRUE", "log.segment.delete.delay.ms": " 086400000", "log.cleanup.policy": "delete , compact"})
		r := b.applied(config)
		b.tf.Empty(r, config)
		respelled := declare(entity, configs{"log.cleaner.min.cleanable.ratio": "0.5", "log.preallocate": "true", "log.segment.delete.delay.ms": "86400000", "log.cleanup.policy": "delete,compact"})
		b.rec.Reset()
		if p := b.tf.Plan(r, respelled); p.Action != acctest.NoOp {
			t.Errorf("%s: the plan is a %s to %v", entity, p.Action, p.After)
		}
		b.quiet()
		b.tf.Destroy(r)
	}
}

// Acceptance line 9; C-40: throttle rates of another tool are neither shown nor touched; declared ones are managed.
func TestThrottleRates(t *testing.T) {
	b := newBench(t)
	rates := map[string]any{
		"leader.replication.throttled.rate": "1000000", "follower.replication.throttled.rate": "1000000", "replica.alter.log.dirs.io.max.bytes.per.second": "1000000",
	}
	for _, entity := range []string{"1", clusterDefault} {
		b.outside(entity, rates)
		none, some := declare(entity, nil), declare(entity, configs{"log.flush.interval.ms": "7000"})
		r := b.tf.Resource(typeName)
		b.tf.Apply(r, none).None(t)
		b.tf.Empty(r, none)
		b.tf.Apply(r, some).None(t)
		b.tf.Destroy(r).None(t)
		b.has(entity, configs{
			"leader.replication.throttled.rate": "1000000", "follower.replication.throttled.rate": "1000000", "replica.alter.log.dirs.io.max.bytes.per.second": "1000000",
		})
		declared := declare(entity, configs{"leader.replication.throttled.rate": "2000000"})
		b.tf.Apply(r, declared)
		b.tf.Empty(r, declared)
		b.outside(entity, map[string]any{"leader.replication.throttled.rate": "3000000"})
		planned(t, b.tf.Plan(r, declared), acctest.Update, declared["config"])
		b.tf.Apply(r, declared)
		b.tf.Apply(r, none)
		b.has(entity, configs{"follower.replication.throttled.rate": "1000000", "replica.alter.log.dirs.io.max.bytes.per.second": "1000000"})
		b.tf.Empty(r, none)
	}
}

// unmanaged_keys hold for brokers as well, for hidden keys too.
func TestUnmanagedKeys(t *testing.T) {
	b := newBench(t)
	b.outside("1", map[string]any{"confluent.tier.enable": "true", storePassword: topSecret})
	config := ofBroker(1, configs{"log.flush.interval.ms": "7000"}).With("unmanaged_keys", []string{"confluent.*", "*.ssl.keystore.*"})
	r := b.tf.Resource(typeName)
	b.tf.Apply(r, config).None(t)
	b.tf.Empty(r, config)
	inState(t, r, "sensitive_keys", []string{})
	b.tf.Destroy(r).None(t)
	b.has("1", configs{"confluent.tier.enable": hidden, storePassword: hidden})
}

// Acceptance line 12: two runs that apply at once, each writes what its own plan showed; nothing else is lost.
func TestTwoAppliesAtOnce(t *testing.T) {
	b := newBench(t)
	b.outside("1", map[string]any{"log.flush.interval.ms": "7000"})
	first, second := b.applied(ofBroker(1, configs{"log.flush.interval.ms": "7000"})), b.tf.Resource(typeName)
	b.tf.Apply(second, ofBroker(1, configs{"log.flush.interval.ms": "7000"}))
	plans := []*acctest.Plan{
		b.tf.Plan(first, ofBroker(1, configs{"log.flush.interval.ms": "7000", "log.segment.delete.delay.ms": "86400000"})),
		b.tf.Plan(second, ofBroker(1, configs{"log.segment.bytes": "104857600"})),
	}
	var both sync.WaitGroup
	for _, p := range plans {
		p.Diagnostics.None(t)
		both.Go(func() { b.tf.ApplyPlan(p).NoErrors(t) })
	}
	both.Wait()
	b.has("1", configs{"log.segment.delete.delay.ms": "86400000", "log.segment.bytes": "104857600"})
}

// Two resources of one run that own one broker, or the default, are an error at plan.
func TestTwoOwners(t *testing.T) {
	b := newBench(t)
	for _, entity := range []string{"1", clusterDefault} {
		w := b.tf.Walk()
		w.Plan(b.tf.Resource(typeName), declare(entity, nil)).Diagnostics.None(t)
		got := w.Plan(b.tf.Resource(typeName), declare(entity, nil)).Diagnostics.One(t)
		mentions(t, got, "Two resources own the configs of "+named(entity))
	}
}
