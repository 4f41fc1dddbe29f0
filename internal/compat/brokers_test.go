// SPDX-License-Identifier: MPL-2.0

package compat

import (
	"fmt"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

var brokerCases = []testCase{
	{name: "cluster default and two brokers", run: brokerLayers, core: true},
	{name: "drift of one broker", run: brokerDrift, core: true},
	{name: "create adopts", run: brokerAdopts},
	{name: "one request for an update", run: brokerUpdate, core: true},
	{name: "refused at plan", run: brokerRefused, core: true},
	{name: "mistyped key", run: brokerMistyped, core: true},
	{name: "known key that every broker holds", run: brokerEverywhere},
	{name: "secret in the plain map", run: brokerPlainSecret},
	{name: "secrets", run: brokerSecrets, core: true},
	{name: "hidden key that is left alone", run: brokerHidden, needs: incremental, instead: brokerHiddenRefused, core: true},
	{name: "keys left alone", run: brokerLeftAlone},
	{name: "throttle rate that is left alone", run: brokerThrottle, needs: incremental, instead: brokerThrottleRefused},
	{name: "throttle rate that is declared", run: brokerThrottleDeclared, core: true},
	{name: "texts that read as the same list", run: brokerTexts, needs: keyTypes, instead: brokerLists},
	{name: "shadowed default", run: brokerShadow},
	{name: "min.insync.replicas of the cluster default", run: brokerReplicas},
	{name: "import", run: brokerImport},
	{name: "spelling", run: brokerSpelling},
	{name: "broker that is down", run: brokerDown},
	{name: "broker that is gone", run: brokerGone, needs: registered, instead: brokerGoneIsDown},
}

func ofBroker(id int, config any) values { return values{"broker_id": id, "config": config} }
func ofDefault(config any) values        { return values{"cluster_default": true, "config": config} }

const (
	secret       = "Tr0ub4dor-and-3"
	nextSecret   = "correct-horse-battery"
	storeSecret  = "listener.name.external.ssl.keystore.password"
	otherSecret  = "listener.name.external.ssl.truststore.password"
	pluginSecret = "com.example.plugin.token"
)

// C-25, C-37: each resource has its own layer, and static values are in none.
func brokerLayers(b *bench) {
	first, second, whole := b.tf.Resource(brokerType), b.tf.Resource(brokerType), b.tf.Resource(brokerType)
	ofFirst, ofSecond, ofAll := configs{"log.segment.delete.delay.ms": "222222222"}, configs{"log.cleaner.threads": "2"}, configs{"log.segment.delete.delay.ms": "111111111", "log.flush.interval.ms": "9000"}
	b.tf.Apply(whole, ofDefault(ofAll))
	b.tf.Apply(first, ofBroker(1, ofFirst))
	b.tf.Apply(second, ofBroker(2, ofSecond))
	b.has(clusterDefault, ofAll)
	b.has(brokerEntity(1), ofFirst)
	b.has(brokerEntity(2), ofSecond)
	b.rec.Reset()
	b.empty(whole, ofDefault(ofAll))
	b.empty(first, ofBroker(1, ofFirst))
	b.empty(second, ofBroker(2, ofSecond))
	b.quiet()
	for _, r := range []*acctest.Resource{first, second, whole} {
		b.tf.Destroy(r)
	}
	b.has(clusterDefault, configs{})
	b.has(brokerEntity(1), configs{})
	b.has(brokerEntity(2), configs{})
}

// empty fails the test unless a plan changes nothing. It may warn.
func (b *bench) empty(r *acctest.Resource, config values) {
	b.Helper()
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(b)
	if p.Action != acctest.NoOp {
		b.Errorf("The plan is a %s:\nbefore %v\nafter  %v", p.Action, p.Before, p.After)
	}
}

// C-25: what others set at one broker is reset there, and nowhere else.
func brokerDrift(b *bench) {
	declared := configs{"log.segment.delete.delay.ms": "222222222"}
	r := b.tf.Resource(brokerType)
	b.tf.Apply(r, ofBroker(1, declared))
	for _, e := range []entity{brokerEntity(1), brokerEntity(2), clusterDefault} {
		b.outside(e, map[string]any{"log.flush.interval.ms": "9000"})
	}
	b.rec.Reset()
	p := b.updates(r, ofBroker(1, declared))
	b.inState(r, "config", configs{"log.segment.delete.delay.ms": "222222222", "log.flush.interval.ms": "9000"})
	b.tf.ApplyPlan(p).None(b)
	b.wrote(brokerEntity(1), map[string]any{"log.flush.interval.ms": nil}, declared)
	b.has(brokerEntity(1), declared)
	b.has(brokerEntity(2), configs{"log.flush.interval.ms": "9000"})
	b.has(clusterDefault, configs{"log.flush.interval.ms": "9000"})
}

// C-35.
func brokerAdopts(b *bench) {
	b.outside(brokerEntity(2), map[string]any{"log.flush.interval.ms": "9000"})
	r, config := b.tf.Resource(brokerType), ofBroker(2, configs{"log.segment.delete.delay.ms": "222222222"})
	p := b.tf.Plan(r, config)
	b.mentions(p.Diagnostics.OneWarning(b), "broker 2", "log.flush.interval.ms", "9000")
	b.tf.ApplyPlan(p).NoErrors(b)
	b.has(brokerEntity(2), configs{"log.segment.delete.delay.ms": "222222222"})
	b.tf.Empty(r, config)
}

func brokerUpdate(b *bench) {
	r := b.tf.Resource(brokerType)
	b.tf.Apply(r, ofBroker(1, configs{"log.segment.delete.delay.ms": "222222222", "log.flush.interval.ms": "9000", "num.io.threads": "5"}))
	b.rec.Reset()
	next := configs{"log.segment.delete.delay.ms": "333333333", "num.io.threads": "5", "log.segment.bytes": "104857600"}
	b.tf.ApplyPlan(b.updates(r, ofBroker(1, next))).None(b)
	b.wrote(brokerEntity(1), map[string]any{"log.segment.delete.delay.ms": "333333333", "log.flush.interval.ms": nil, "log.segment.bytes": "104857600"}, next)
	b.has(brokerEntity(1), next)
	b.tf.Empty(r, ofBroker(1, next))
}

// C-28, C-29.
func brokerRefused(b *bench) {
	for _, c := range []struct {
		config     values
		key, words string
	}{
		{ofBroker(1, configs{"log.dirs": "/elsewhere"}), "log.dirs", "Cannot update these configs dynamically: "},
		{ofBroker(1, configs{"ssl.keystore.location": "/k.p12"}), "ssl.keystore.location", "only per-listener using the listener prefix: "},
		{ofDefault(configs{"listener.name.external.ssl.keystore.location": "/k.p12"}), "listener.name.external.ssl.keystore.location",
			"Cannot update these configs at default cluster level, broker id must be specified: "},
		{ofBroker(1, configs{"num.io.threads": "1000"}), "num.io.threads", "value should not be greater than double the current value 4"},
		{ofDefault(configs{"num.io.threads": "1"}), "num.io.threads", "value should be at least half the current value 4"},
		{ofBroker(2, configs{"log.retention.bytes": "abc"}), "log.retention.bytes", "Invalid value abc for configuration log.retention.bytes: Not a number of type LONG"},
	} {
		got := b.tf.Plan(b.tf.Resource(brokerType), c.config).Diagnostics.One(b)
		if got.Path != fmt.Sprintf("config[%q]", c.key) {
			b.Errorf("Not at %s: %s", c.key, got)
		}
		b.mentions(got, c.words, "nothing was written")
	}
	if n := len(b.rec.Writes()); n > 0 {
		b.Errorf("%d writes were sent:\n%s", n, b.rec)
	}
	b.has(brokerEntity(1), configs{})
}

// C-30.
func brokerMistyped(b *bench) {
	for _, config := range []values{ofBroker(1, configs{"num.io.thread": "4"}), ofDefault(configs{"num.io.thread": "4"})} {
		got := b.tf.Plan(b.tf.Resource(brokerType), config).Diagnostics.One(b)
		b.mentions(got, "No broker knows the config", `"num.io.threads"`)
		if got.Path != `config["num.io.thread"]` {
			b.Errorf("%s", got)
		}
	}
	b.quiet()
	b.outside(brokerEntity(1), map[string]any{"num.io.thread": "4"})
	b.mentions(b.tf.Plan(b.tf.Resource(brokerType), ofBroker(1, configs{"num.io.thread": "5"})).Diagnostics.One(b), `"num.io.threads"`)
}

// A key is known also where every broker holds it, so that none describes it as a default, and where brokers tell no types.
func brokerEverywhere(b *bench) {
	resources := map[int]*acctest.Resource{}
	for _, broker := range b.cluster.Brokers() {
		resources[broker.ID] = b.tf.Resource(brokerType)
		b.tf.Apply(resources[broker.ID], ofBroker(broker.ID, configs{"log.segment.delete.delay.ms": "222222222"}))
	}
	for id, r := range resources {
		b.tf.Apply(r, ofBroker(id, configs{"log.segment.delete.delay.ms": "333333333"}))
		b.has(brokerEntity(id), configs{"log.segment.delete.delay.ms": "333333333"})
	}
}

// C-31.
func brokerPlainSecret(b *bench) {
	for _, key := range []string{storeSecret, "ssl.key.password"} {
		got := b.tf.Plan(b.tf.Resource(brokerType), ofBroker(1, configs{key: secret})).Diagnostics.One(b)
		b.mentions(got, "is a secret", "sensitive_config")
		if strings.Contains(got.String(), secret) {
			b.Error("The error shows the secret")
		}
	}
	b.quiet()
}

// C-32, C-33, C-34.
func brokerSecrets(b *bench) {
	config := values{
		"broker_id": 1, "config": configs{"log.segment.delete.delay.ms": "222222222"},
		"sensitive_config_wo": configs{storeSecret: secret}, "sensitive_config_wo_version": 1,
	}
	r := b.tf.Resource(brokerType)
	b.tf.Apply(r, config)
	b.has(brokerEntity(1), configs{"log.segment.delete.delay.ms": "222222222", storeSecret: hidden})
	b.inState(r, "sensitive_keys", []string{storeSecret})
	b.tf.Empty(r, config)

	// Another key changes: the secret stays, which a complete set has to say.
	b.rec.Reset()
	config["config"] = configs{"log.segment.delete.delay.ms": "333333333"}
	b.tf.ApplyPlan(b.updates(r, config)).None(b)
	b.wrote(brokerEntity(1), map[string]any{"log.segment.delete.delay.ms": "333333333"}, configs{"log.segment.delete.delay.ms": "333333333", storeSecret: secret})

	// A new version writes it, and nothing else changes.
	b.rec.Reset()
	config["sensitive_config_wo"], config["sensitive_config_wo_version"] = configs{storeSecret: nextSecret}, 2
	b.tf.ApplyPlan(b.updates(r, config)).None(b)
	b.wrote(brokerEntity(1), map[string]any{storeSecret: nextSecret}, configs{"log.segment.delete.delay.ms": "333333333", storeSecret: nextSecret})

	// Missing, it is written again under the same version.
	b.outside(brokerEntity(1), map[string]any{storeSecret: nil})
	b.tf.ApplyPlan(b.updates(r, config)).None(b)
	b.has(brokerEntity(1), configs{"log.segment.delete.delay.ms": "333333333", storeSecret: hidden})

	// A foreign one is named and removed.
	b.outside(brokerEntity(1), map[string]any{storeSecret: nextSecret, otherSecret: secret})
	p := b.updates(r, config)
	b.inState(r, "sensitive_keys", []string{storeSecret, otherSecret})
	b.tf.ApplyPlan(p).NoErrors(b)
	b.has(brokerEntity(1), configs{"log.segment.delete.delay.ms": "333333333", storeSecret: hidden})
	b.tf.Empty(r, config)
	if text := r.Raw() + fmt.Sprint(p.Before, p.After, p.Diagnostics); strings.Contains(text, secret) || strings.Contains(text, nextSecret) {
		b.Error("A secret is in plan or state")
	}
	b.tf.Destroy(r)
	b.has(brokerEntity(1), configs{})
}

// leftHidden has a foreign hidden key that is left alone, and gives a configuration that leaves it so.
func (b *bench) leftHidden() values {
	b.Helper()
	b.outside(brokerEntity(1), map[string]any{pluginSecret: secret})
	return ofBroker(1, configs{"log.segment.delete.delay.ms": "222222222"}).With("unmanaged_keys", []string{"com.example.*"})
}

func brokerHidden(b *bench) {
	config := b.leftHidden()
	r := b.tf.Resource(brokerType)
	b.tf.Apply(r, config).None(b)
	b.has(brokerEntity(1), configs{"log.segment.delete.delay.ms": "222222222", pluginSecret: hidden})
	b.tf.Empty(r, config)
}

// A complete set would lose the hidden value: the plan says which, and nothing is sent. C-14.
func brokerHiddenRefused(b *bench) { b.refusesToLose(b.leftHidden(), pluginSecret, hidden) }

// refusesToLose fails the test unless a change of broker 1 is refused for a key that it would lose.
func (b *bench) refusesToLose(config values, key, value string) {
	b.Helper()
	p := b.tf.Plan(b.tf.Resource(brokerType), config)
	b.mentions(p.Diagnostics, key)
	if len(p.Diagnostics.Errors()) == 0 {
		b.mentions(b.tf.ApplyPlan(p).One(b), "broker 1", key, "nothing was written")
	}
	if n := len(b.rec.Writes()); n > 0 {
		b.Errorf("%d writes were sent:\n%s", n, b.rec)
	}
	b.has(brokerEntity(1), configs{key: value})
}

// C-14.
func brokerLeftAlone(b *bench) {
	b.outside(brokerEntity(1), map[string]any{"log.flush.interval.ms": "9000"})
	r, config := b.tf.Resource(brokerType), ofBroker(1, configs{"log.segment.delete.delay.ms": "222222222"}).With("unmanaged_keys", []string{"log.flush.*"})
	b.tf.Apply(r, config).None(b)
	whole := configs{"log.segment.delete.delay.ms": "222222222", "log.flush.interval.ms": "9000"}
	b.wrote(brokerEntity(1), map[string]any{"log.segment.delete.delay.ms": "222222222"}, whole)
	b.has(brokerEntity(1), whole)
	b.inState(r, "config", configs{"log.segment.delete.delay.ms": "222222222"})
	b.tf.Empty(r, config)
	b.tf.Destroy(r)
	b.has(brokerEntity(1), configs{"log.flush.interval.ms": "9000"})
}

const throttleRate = "leader.replication.throttled.rate"

func brokerThrottle(b *bench) {
	b.outside(brokerEntity(1), map[string]any{throttleRate: "1000000"})
	r, config := b.tf.Resource(brokerType), ofBroker(1, configs{"log.segment.delete.delay.ms": "222222222"})
	b.tf.Apply(r, config).None(b)
	b.inState(r, "config", configs{"log.segment.delete.delay.ms": "222222222"})
	b.tf.Empty(r, config)
	b.tf.Destroy(r)
	if _, there := b.own(brokerEntity(1))[throttleRate]; !there {
		b.Error("The throttle rate is gone")
	}
}

// Before Kafka 2.3 brokers hide the rates, so that a complete set would lose them.
func brokerThrottleRefused(b *bench) {
	b.outside(brokerEntity(1), map[string]any{throttleRate: "1000000"})
	b.refusesToLose(ofBroker(1, configs{"log.segment.delete.delay.ms": "222222222"}), throttleRate, hidden)
}

// C-40, C-41: old brokers hide the rates and go on describing deleted ones.
func brokerThrottleDeclared(b *bench) {
	r := b.tf.Resource(brokerType)
	for _, c := range []configs{
		{"log.segment.delete.delay.ms": "222222222", throttleRate: "1000000"}, {"log.segment.delete.delay.ms": "222222222", throttleRate: "2000000"},
		// Another key changes, and the rate, which some versions hide, has to be in a complete set.
		{"log.segment.delete.delay.ms": "333333333", throttleRate: "2000000"},
	} {
		b.tf.Apply(r, ofBroker(1, c))
		b.tf.Empty(r, ofBroker(1, c))
	}
	b.tf.Destroy(r)
	b.has(brokerEntity(1), configs{})
}

// texts plans a path, which is a text, as another one that would be the same list.
func (b *bench) texts() *acctest.Plan {
	b.Helper()
	const key = "listener.name.external.ssl.keystore.location"
	r := b.tf.Resource(brokerType)
	b.tf.Apply(r, ofBroker(1, configs{key: "/a,b"}))
	return b.tf.Plan(r, ofBroker(1, configs{key: "/a , b"}))
}

func brokerTexts(b *bench) {
	if p := b.texts(); p.Action != acctest.Update {
		b.Errorf("The plan is a %s", p.Action)
	}
}

// Where brokers tell no types, what reads as the same list is equal.
func brokerLists(b *bench) {
	if p := b.texts(); p.Action != acctest.NoOp {
		b.Errorf("The plan is a %s to %v", p.Action, p.After)
	}
}

// C-38.
func brokerShadow(b *bench) {
	b.outside(brokerEntity(2), map[string]any{"log.segment.delete.delay.ms": "222222222"})
	p := b.tf.Plan(b.tf.Resource(brokerType), ofDefault(configs{"log.segment.delete.delay.ms": "111111111"}))
	p.Diagnostics.NoErrors(b)
	b.mentions(p.Diagnostics, "broker 2", "222222222")
}

// Kafka holds the key itself from 4.1 on, and refuses its removal; elsewhere it is a key as others. C-39.
func brokerReplicas(b *bench) {
	const key = "min.insync.replicas"
	r := b.tf.Resource(brokerType)
	for _, config := range []configs{
		{key: "2", "log.flush.interval.ms": "9000"}, {key: "1", "log.flush.interval.ms": "9000"}, {"log.flush.interval.ms": "9000"}, {key: "2"}, {}, {key: "1"},
	} {
		b.tf.Apply(r, ofDefault(config))
		b.empty(r, ofDefault(config))
		if value, declared := config[key]; declared {
			b.has(clusterDefault, config)
			if got := b.own(clusterDefault)[key]; got != value {
				b.Errorf("%s is %q, want %q", key, got, value)
			}
		}
	}
	b.tf.Destroy(r)
}

// C-26.
func brokerImport(b *bench) {
	b.outside(brokerEntity(1), map[string]any{"log.segment.delete.delay.ms": "222222222", "leader.replication.throttled.rate": "1000000"})
	b.outside(clusterDefault, map[string]any{"log.segment.bytes": "104857600"})
	for id, config := range map[string]values{"1": ofBroker(1, configs{"log.segment.delete.delay.ms": "222222222"}), "default": ofDefault(configs{"log.segment.bytes": "104857600"})} {
		r := b.tf.Resource(brokerType)
		b.tf.Walk().Import(r, id).None(b)
		b.inState(r, "config", config["config"])
		b.tf.Empty(r, config)
	}
	b.quiet()
}

func brokerSpelling(b *bench) {
	for _, config := range []values{
		ofBroker(1, configs{"log.cleaner.min.cleanable.ratio": ".50", "log.segment.delete.delay.ms": "0222222222", "log.preallocate": "TRUE"}),
		ofDefault(configs{"log.cleaner.min.cleanable.ratio": ".50", "log.segment.delete.delay.ms": "0222222222", "log.preallocate": "TRUE"}),
	} {
		r := b.tf.Resource(brokerType)
		b.tf.Apply(r, config)
		b.inState(r, "config", config["config"])
		b.tf.Empty(r, config)
		b.tf.Empty(r, config.With("config", configs{"log.cleaner.min.cleanable.ratio": "0.5", "log.segment.delete.delay.ms": "222222222", "log.preallocate": "true"}))
		b.tf.Destroy(r)
	}
}

// C-43.
func brokerDown(b *bench) {
	mine, other := b.tf.Resource(brokerType), b.tf.Resource(brokerType)
	config := ofBroker(3, configs{"log.segment.delete.delay.ms": "222222222"})
	b.tf.Apply(mine, config)
	b.stop(3)
	defer b.restart(3)
	b.tf.Apply(other, ofDefault(configs{"log.flush.interval.ms": "9000"}))
	b.mentions(b.tf.Walk().Refresh(mine).OneWarning(b), "broker 3")
	p := b.tf.Plan(mine, config)
	if p.Action != acctest.NoOp {
		b.Errorf("The plan is a %s", p.Action)
	}
	b.mentions(b.tf.Plan(mine, ofBroker(3, configs{"log.segment.delete.delay.ms": "333333333"})).Diagnostics.Errors(), "broker 3")
	p = b.tf.Plan(mine, nil)
	p.Diagnostics.NoErrors(b)
	b.mentions(b.tf.ApplyPlan(p).One(b), "broker 3")
	b.tf.Destroy(other)
}

// C-44.
func brokerGone(b *bench) {
	mine, config := b.gone()
	defer b.restart(3)
	b.unregister(3)
	p := b.tf.Plan(mine, config)
	if mine.Exists() {
		b.Errorf("A broker that is gone is still in state; the plan is a %s:\n%s", p.Action, p.Diagnostics)
	}
}

// A broker that is gone for good cannot be told from one that is down: its resource stays, with the warning of one that is down.
func brokerGoneIsDown(b *bench) {
	mine, config := b.gone()
	defer b.restart(3)
	b.mentions(b.tf.Walk().Refresh(mine).OneWarning(b), "broker 3")
	b.empty(mine, config)
	if !mine.Exists() {
		b.Error("A broker that may be down is gone from state")
	}
}

// gone stops a broker that has a resource.
func (b *bench) gone() (*acctest.Resource, values) {
	b.Helper()
	mine, config := b.tf.Resource(brokerType), ofBroker(3, configs{"log.segment.delete.delay.ms": "222222222"})
	b.tf.Apply(mine, config)
	b.stop(3)
	return mine, config
}
