// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 4; C-17: a plan right after apply is empty, a hundred times, whichever broker answers.
func TestPlanIsEmptyRightAfterApplyEveryTime(t *testing.T) {
	b := newBench(t, nil)
	emptyAtEachBroker(b, 34)
}

// emptyAtEachBroker changes the set so many times, and plans through each broker right after each apply.
func emptyAtEachBroker(b bench, rounds int) {
	b.t.Helper()
	var through []*acctest.Terraform
	for _, broker := range b.cluster.Brokers() {
		through = append(through, terraform(b.t, broker.Address))
	}
	plans := 0
	for i := range rounds {
		config := b.declare(configs{"retention.ms": fmt.Sprint(3600000 + i), "cleanup.policy": []string{"delete", "compact"}[i%2]})
		b.tf.Apply(b.resource, config)
		for _, tf := range through {
			tf.Empty(b.resource.Copy(), config)
			plans++
		}
	}
	b.t.Logf("%d plans were empty", plans)
	if plans < 100 {
		b.t.Fatalf("Only %d plans were made", plans)
	}
}

// Acceptance lines 4 and 8; C-04: where nothing changes, neither a write nor a validation reaches a broker.
func TestNoChangeSendsNothing(t *testing.T) {
	for name, config := range map[string]values{
		"declared":              {"config": configs{"retention.ms": "3600000"}},
		"empty":                 {"config": configs{}},
		"absent":                {},
		"null element":          {"config": values{"retention.ms": nil}},
		"null beside declared":  {"config": values{"retention.ms": nil, "segment.ms": "3600000"}},
		"flagged":               {"sensitive_config": configs{"retention.ms": "3600000"}},
		"write-only":            {"sensitive_config_wo": configs{"retention.ms": "3600000"}, "sensitive_config_wo_version": 1},
		"unmanaged and timeout": {"unmanaged_keys": []string{"retention.*"}, "timeouts": values{"update": "1m"}},
		"kept on destroy":       {"on_destroy": "keep"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			config := config.With("topic", b.topic)
			b.applied(config)
			b.tf.Empty(b.resource, config)
			b.tf.Apply(b.resource, config).None(t)
			b.quiet()
		})
	}
}

// The counter of TestNoChangeSendsNothing counts: a change that is planned is one validation, applied two and one write.
func TestTheCounterSeesAChange(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(configs{"retention.ms": "3600000"}))
	p := b.tf.Plan(b.resource, b.declare(configs{"retention.ms": "7200000"}))
	planned(t, p, acctest.Update, configs{"retention.ms": "7200000"})
	if w, v := len(b.rec.Writes()), len(b.rec.Validations()); w != 0 || v != 1 {
		t.Fatalf("A plan with a change sent %d writes and %d validations:\n%s", w, v, b.rec)
	}
	b.tf.ApplyPlan(p).None(t)
	if w, v := len(b.rec.Writes()), len(b.rec.Validations()); w != 1 || v != 2 {
		t.Fatalf("Its apply made that %d writes and %d validations:\n%s", w, v, b.rec)
	}
	b.outsideThrough("retention.ms", "3600000")
	if len(b.rec.Writes()) != 2 {
		t.Fatalf("A write that was sent on purpose was not counted:\n%s", b.rec)
	}
}

// C-04: a topic without own configs is adopted without a request where nothing is declared.
func TestNothingDeclaredOnAnEmptyTopic(t *testing.T) {
	for name, config := range map[string]any{"absent": nil, "empty": configs{}, "null element": values{"retention.ms": nil}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.tf.Apply(b.resource, b.declare(config)).None(t)
			b.tf.Empty(b.resource, b.declare(config))
			b.quiet()
			b.inState(config)
		})
	}
}

// Acceptance line 5; C-07, C-12, C-13, C-20: what leaves the configuration is deleted in the request that sets what is new, what
// stays is not sent, and the topic is the same one.
func TestAnUpdateIsOneRequestOfItsDifferences(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(configs{"segment.ms": "3600000", "segment.bytes": "1048576", "max.message.bytes": "100000"}))
	before := b.topicID()
	next := configs{"segment.bytes": "1048576", "max.message.bytes": "200000", "index.interval.bytes": "8192"}
	p := b.tf.Plan(b.resource, b.declare(next))
	planned(t, p, acctest.Update, next)
	b.tf.ApplyPlan(p).None(t)
	b.wrote(map[string]any{"segment.ms": nil, "max.message.bytes": "200000", "index.interval.bytes": "8192"})
	b.has(next)
	b.tf.Empty(b.resource, b.declare(next))
	if after := b.topicID(); after != before {
		t.Errorf("The topic was %s and is %s", before, after)
	}
}

// Acceptance line 5; C-05, C-06, C-08: drift is shown with its values, and its repair writes nothing but it. That a value equals the
// default does not make it unset.
func TestDrift(t *testing.T) {
	declared := configs{"segment.ms": "3600000", "segment.bytes": "1048576"}
	for name, c := range map[string]struct {
		drift, repair map[string]any
		seen          configs
	}{
		"foreign key": {map[string]any{"max.message.bytes": "100000"}, map[string]any{"max.message.bytes": nil},
			configs{"segment.ms": "3600000", "segment.bytes": "1048576", "max.message.bytes": "100000"}},
		"foreign key at the default": {map[string]any{"retention.ms": "604800000"}, map[string]any{"retention.ms": nil},
			configs{"segment.ms": "3600000", "segment.bytes": "1048576", "retention.ms": "604800000"}},
		"changed value": {map[string]any{"segment.ms": "7200000"}, map[string]any{"segment.ms": "3600000"},
			configs{"segment.ms": "7200000", "segment.bytes": "1048576"}},
		"missing key": {map[string]any{"segment.ms": nil}, map[string]any{"segment.ms": "3600000"},
			configs{"segment.bytes": "1048576"}},
		"all of it": {map[string]any{"segment.ms": nil, "segment.bytes": "2097152", "flush.ms": "1000"},
			map[string]any{"segment.ms": "3600000", "segment.bytes": "1048576", "flush.ms": nil},
			configs{"segment.bytes": "2097152", "flush.ms": "1000"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.applied(b.declare(declared))
			b.outside(c.drift)
			p := b.tf.Plan(b.resource, b.declare(declared))
			planned(t, p, acctest.Update, declared)
			b.inState(c.seen)
			b.tf.ApplyPlan(p).None(t)
			b.wrote(c.repair)
			b.has(declared)
			b.tf.Empty(b.resource, b.declare(declared))
		})
	}
}

// Acceptance line 5; C-10, C-90: throttle keys and what unmanaged_keys matches are neither shown nor touched: not by create, not by
// the update or removal of another key, not by destroy.
func TestKeysLeftAlone(t *testing.T) {
	foreign := configs{
		"leader.replication.throttled.replicas": "*", "follower.replication.throttled.replicas": "0:1", "flush.ms": "5000", "flush.messages": "100",
	}
	b := newBench(t, foreign)
	with := func(more configs) configs {
		all := configs{}
		for _, m := range []configs{foreign, more} {
			for key, value := range m {
				all[key] = value
			}
		}
		return all
	}
	b.tf.Provider["unmanaged_keys"] = []string{"*.messages"}
	config := b.declare(configs{"segment.ms": "3600000"}).With("unmanaged_keys", []string{"flush.m?"})
	b.tf.Apply(b.resource, config).None(t)
	b.has(with(configs{"segment.ms": "3600000"}))
	b.inState(configs{"segment.ms": "3600000"})
	b.tf.Empty(b.resource, config)
	b.tf.Apply(b.resource, config.With("config", configs{"segment.bytes": "1048576"})).None(t)
	b.has(with(configs{"segment.bytes": "1048576"}))
	b.outside(map[string]any{"flush.messages": "200"})
	b.tf.Empty(b.resource, config.With("config", configs{"segment.bytes": "1048576"}))
	b.tf.Destroy(b.resource).None(t)
	foreign["flush.messages"] = "200"
	b.has(foreign)
}

// C-10: a declared key is managed although a pattern matches it, a throttle key as well; undeclared again it is reset.
func TestADeclaredKeyIsManagedThoughAPatternMatches(t *testing.T) {
	b := newBench(t, configs{"flush.ms": "1"})
	all := values{"topic": b.topic, "unmanaged_keys": []string{"*"}}
	declared := configs{"flush.ms": "5000", "leader.replication.throttled.replicas": "0:1"}
	b.tf.Apply(b.resource, all.With("config", declared))
	b.has(declared)
	b.outside(map[string]any{"flush.ms": "6000", "leader.replication.throttled.replicas": "*"})
	planned(t, b.tf.Plan(b.resource, all.With("config", declared)), acctest.Update, declared)
	b.tf.Apply(b.resource, all.With("config", configs{}))
	b.has(configs{})
}

// C-10: a key that becomes unmanaged stays as it is, one that stops being so shows as drift.
func TestUnmanagedKeysComeAndGo(t *testing.T) {
	b := newBench(t, nil)
	config := b.declare(configs{"segment.ms": "3600000"})
	b.applied(config)
	b.outside(map[string]any{"flush.ms": "5000"})
	planned(t, b.tf.Plan(b.resource, config), acctest.Update, configs{"segment.ms": "3600000"})
	b.rec.Reset()
	quiet := config.With("unmanaged_keys", []string{"flush.*"})
	b.tf.Apply(b.resource, quiet).None(t)
	b.quiet()
	b.tf.Empty(b.resource, quiet)
	b.has(configs{"segment.ms": "3600000", "flush.ms": "5000"})
	b.tf.Apply(b.resource, config)
	b.tf.Apply(b.resource, config)
	b.has(configs{"segment.ms": "3600000"})
	b.tf.Empty(b.resource, config)
}

// C-137: a change of timeouts or on_destroy alone is an update that sends nothing.
func TestProviderSideAttributesAloneSendNothing(t *testing.T) {
	b := newBench(t, nil)
	config := b.declare(configs{"retention.ms": "3600000"})
	b.applied(config)
	for name, value := range map[string]any{"timeouts": values{"update": "90s"}, "on_destroy": "keep", "unmanaged_keys": []string{"x.*"}} {
		config = config.With(name, value)
		p := b.tf.Plan(b.resource, config)
		planned(t, p, acctest.Update, configs{"retention.ms": "3600000"})
		b.tf.ApplyPlan(p).None(t)
		b.tf.Empty(b.resource, config)
	}
	b.quiet()
}

// A change between an absent and an empty map is one update that sends nothing.
func TestAbsentAndEmptyAreOneUpdateApart(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(nil))
	for _, config := range []any{configs{}, nil, values{"retention.ms": nil}, nil} {
		p := b.tf.Plan(b.resource, b.declare(config))
		planned(t, p, acctest.Update, config)
		b.tf.ApplyPlan(p).None(t)
		b.tf.Empty(b.resource, b.declare(config))
		b.inState(config)
	}
	b.quiet()
}

// C-21: no list of keys is compiled in: every key that a broker describes for a topic can be declared with the value it has.
func TestEveryKeyThatTheBrokerKnows(t *testing.T) {
	b := newBench(t, nil)
	described, err := describeAt(t.Context(), b.cluster.Client(t).Broker(b.cluster.Brokers()[0].ID), b.topic)
	if err != nil {
		t.Fatal(err)
	}
	config := configs{}
	for _, c := range described {
		// Tiered storage is off on the cluster: its keys take no values that would say otherwise.
		if c.Value != nil && !strings.HasPrefix(c.Name, "remote.") && !strings.HasPrefix(c.Name, "local.") {
			config[c.Name] = *c.Value
		}
	}
	if len(config) < 25 {
		t.Fatalf("The broker describes %d keys only", len(config))
	}
	b.tf.Apply(b.resource, b.declare(config))
	b.tf.Empty(b.resource, b.declare(config))
	b.inState(config)
}

// The plan that Terraform makes once more in an apply is not validated, as the write that follows is: what turns out to be wrong only then
// is refused in the same words, at the same place.
func TestAnApplyLeavesTheCheckToItsWrites(t *testing.T) {
	b := newBench(t, nil)
	topic, late := b.cluster.UniqueTopic(t, 1, 1), b.tf.Resource(typeName)
	first := b.tf.Plan(b.resource, b.declare(configs{"flush.ms": "1000"}))
	second := b.tf.Plan(late, declare(topic, values{"flush.ms": acctest.Unknown}))
	atPlan := b.tf.Plan(b.tf.Resource(typeName), declare(topic, configs{"flush.ms": "soon"})).Diagnostics.One(t)
	w := b.tf.Walk()
	w.Apply(first, nil).None(t)
	b.rec.Reset()
	atApply := w.Apply(second, declare(topic, configs{"flush.ms": "soon"})).One(t)
	if atApply.Path != `config["flush.ms"]` || atApply.Path != atPlan.Path || atApply.Detail != atPlan.Detail {
		t.Errorf("At plan it says\n%s\nat apply\n%s", atPlan, atApply)
	}
	if w, v := len(b.rec.Writes()), len(b.rec.Validations()); w != 1 || v != 0 {
		t.Errorf("%d writes and %d validations:\n%s", w, v, b.rec)
	}
	if late.Exists() {
		t.Error("A refused create is in state")
	}
}
