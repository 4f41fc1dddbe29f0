// SPDX-License-Identifier: MPL-2.0

package compat

import (
	"fmt"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

var topicCases = []testCase{
	{name: "create adopts", run: topicAdopts, core: true},
	{name: "empty plans right after apply", run: topicEmptyPlans},
	{name: "one request for an update", run: topicUpdate, core: true},
	{name: "drift", run: topicDrift, core: true},
	{name: "keys left alone", run: topicLeftAlone, core: true},
	{name: "inherited values", run: topicInherited},
	{name: "pinned to the default", run: topicPinned},
	{name: "no change sends nothing", run: topicQuiet},
	{name: "refused at plan", run: topicRefused, core: true},
	{name: "refused at apply", run: topicRefusedAtApply},
	{name: "spelling", run: topicSpelling},
	{name: "topic made in the same apply", run: topicMade, core: true},
	{name: "cluster's counts for a topic that is not there", run: topicCounts, needs: countless, instead: topicCountsWrittenOut},
	{name: "topic that is not there at apply", run: topicAbsent},
	{name: "topic deleted outside", run: topicDeleted},
	{name: "flagged values", run: topicFlagged},
	{name: "write-only values", run: topicWriteOnly},
	{name: "import", run: topicImport},
	{name: "destroy", run: topicDestroy},
	{name: "data loss is named", run: topicDataLoss},
}

func ofTopic(name string, config any) values { return values{"topic": name, "config": config} }

func topicAdopts(b *bench) {
	name := b.topic(configs{"segment.ms": "3600000", "retention.ms": "86400000"})
	r, config := b.tf.Resource(topicType), ofTopic(name, configs{"retention.ms": "172800000"})
	p := b.tf.Plan(r, config)
	b.mentions(p.Diagnostics.OneWarning(b), name, "segment.ms", "3600000")
	b.tf.ApplyPlan(p).NoErrors(b)
	b.wrote(topicEntity(name), map[string]any{"retention.ms": "172800000", "segment.ms": nil}, configs{"retention.ms": "172800000"})
	b.has(topicEntity(name), configs{"retention.ms": "172800000"})
	b.tf.Empty(r, config)
}

func topicEmptyPlans(b *bench) {
	name := b.topic(nil)
	r := b.tf.Resource(topicType)
	for i := range 5 {
		config := ofTopic(name, configs{"retention.ms": fmt.Sprint(86400000 + i)})
		b.tf.Apply(r, config)
		for _, broker := range b.cluster.Brokers() {
			acctest.New(b, values{"bootstrap_servers": []string{broker.Address}}).Empty(r.Copy(), config)
		}
	}
}

func topicUpdate(b *bench) {
	name := b.topic(nil)
	r := b.tf.Resource(topicType)
	b.tf.Apply(r, ofTopic(name, configs{"segment.ms": "3600000", "segment.bytes": "1048576", "max.message.bytes": "100000"}))
	b.rec.Reset()
	next := configs{"segment.bytes": "1048576", "max.message.bytes": "200000", "index.interval.bytes": "8192"}
	b.tf.ApplyPlan(b.updates(r, ofTopic(name, next))).None(b)
	b.wrote(topicEntity(name), map[string]any{"segment.ms": nil, "max.message.bytes": "200000", "index.interval.bytes": "8192"}, next)
	b.has(topicEntity(name), next)
	b.tf.Empty(r, ofTopic(name, next))
}

func topicDrift(b *bench) {
	name := b.topic(nil)
	declared := configs{"segment.ms": "3600000", "segment.bytes": "1048576"}
	r := b.tf.Resource(topicType)
	b.tf.Apply(r, ofTopic(name, declared))
	b.outside(topicEntity(name), map[string]any{"segment.ms": nil, "segment.bytes": "2097152", "flush.ms": "1000", "retention.ms": "604800000"})
	b.rec.Reset()
	p := b.updates(r, ofTopic(name, declared))
	p.Diagnostics.None(b)
	b.inState(r, "config", configs{"segment.bytes": "2097152", "flush.ms": "1000", "retention.ms": "604800000"})
	b.tf.ApplyPlan(p).None(b)
	b.wrote(topicEntity(name), map[string]any{"segment.ms": "3600000", "segment.bytes": "1048576", "flush.ms": nil, "retention.ms": nil}, declared)
	b.has(topicEntity(name), declared)
}

// The values of keys that are left alone survive a write of the complete set.
func topicLeftAlone(b *bench) {
	foreign := configs{"leader.replication.throttled.replicas": "*", "flush.ms": "5000"}
	name := b.topic(foreign)
	r, config := b.tf.Resource(topicType), ofTopic(name, configs{"segment.ms": "3600000"}).With("unmanaged_keys", []string{"flush.*"})
	b.tf.Apply(r, config).None(b)
	whole := configs{"segment.ms": "3600000", "leader.replication.throttled.replicas": "*", "flush.ms": "5000"}
	b.wrote(topicEntity(name), map[string]any{"segment.ms": "3600000"}, whole)
	b.has(topicEntity(name), whole)
	b.inState(r, "config", configs{"segment.ms": "3600000"})
	b.tf.Empty(r, config)
	b.outside(topicEntity(name), map[string]any{"flush.ms": "6000"})
	b.tf.Empty(r, config)
	b.tf.Destroy(r).None(b)
	b.has(topicEntity(name), configs{"leader.replication.throttled.replicas": "*", "flush.ms": "6000"})
}

// Neither what brokers nor what the cluster default set is the topic's, whichever broker is asked.
func topicInherited(b *bench) {
	b.outside(clusterDefault, map[string]any{"log.retention.ms": "111111111"})
	b.outside(brokerEntity(1), map[string]any{"log.retention.ms": "222222222", "log.segment.bytes": "104857600"})
	name := b.topic(configs{"flush.ms": "5000"})
	r, config := b.tf.Resource(topicType), ofTopic(name, configs{"flush.ms": "5000"})
	b.tf.Apply(r, config).None(b)
	b.quiet()
	for _, broker := range b.cluster.Brokers() {
		acctest.New(b, values{"bootstrap_servers": []string{broker.Address}}).Empty(r, config)
		b.inState(r, "config", configs{"flush.ms": "5000"})
	}
}

func topicPinned(b *bench) {
	name := b.topic(nil)
	r, config := b.tf.Resource(topicType), ofTopic(name, configs{"retention.ms": "604800000"})
	b.tf.Apply(r, config)
	b.has(topicEntity(name), configs{"retention.ms": "604800000"})
	b.outside(clusterDefault, map[string]any{"log.retention.ms": "111111111"})
	b.tf.Empty(r, config)
	b.has(topicEntity(name), configs{"retention.ms": "604800000"})
}

func topicQuiet(b *bench) {
	for name, config := range map[string]values{
		"declared":     {"config": configs{"retention.ms": "86400000"}},
		"nothing":      {},
		"null element": {"config": values{"retention.ms": nil}},
		"write-only":   {"sensitive_config_wo": configs{"retention.ms": "86400000"}, "sensitive_config_wo_version": 1},
	} {
		r, config := b.tf.Resource(topicType), config.With("topic", b.topic(nil))
		b.tf.Apply(r, config)
		b.rec.Reset()
		b.tf.Empty(r, config)
		b.tf.Apply(r, config).None(b)
		if n := len(b.rec.Writes()) + len(b.rec.Validations()); n > 0 {
			b.Errorf("%s: %d writes and validations:\n%s", name, n, b.rec)
		}
	}
}

// refusals of a topic's configs: the key at which they stand, and what the brokers say. Bad values have a code that changed with time.
func topicRefusals(b *bench) map[string][3]string {
	return map[string][3]string{
		"retention.ms":        {"sixty", b.platform.badValue, "Invalid value sixty for configuration retention.ms: Not a number of type LONG"},
		"cleanup.policy":      {"compact,foo", b.platform.badValue, "Invalid value foo for configuration cleanup.policy: String must be one of: compact, delete"},
		"preallocate":         {"yes", b.platform.badValue, "Invalid value yes for configuration preallocate: Expected value to be either true or false"},
		"retention.mss":       {"1", "INVALID_CONFIG", `Unknown topic config name: retention.mss. Did you mean "retention.ms"?`},
		"min.insync.replicas": {"0", b.platform.badValue, "Invalid value 0 for configuration min.insync.replicas: Value must be at least 1"},
	}
}

func topicRefused(b *bench) {
	name := b.topic(nil)
	r := b.tf.Resource(topicType)
	b.tf.Apply(r, ofTopic(name, configs{"flush.ms": "1000"}))
	b.rec.Reset()
	check := func(key, value, code, text string) {
		b.Helper()
		for _, at := range []*acctest.Resource{b.tf.Resource(topicType), r} {
			got := b.tf.Plan(at, ofTopic(name, configs{key: value})).Diagnostics.One(b)
			if got.Path != fmt.Sprintf("config[%q]", key) || !strings.HasPrefix(got.Detail, code+": ") {
				b.Errorf("Not %s at %s: %s", code, key, got)
			}
			b.mentions(got, text, "nothing was written")
		}
	}
	for key, c := range topicRefusals(b) {
		check(key, c[0], c[1], c[2])
	}
	check("retention.ms", "999999999999", "POLICY_VIOLATION", "retention.ms 999999999999 is more than ten years")
	if n := len(b.rec.Writes()); n > 0 {
		b.Errorf("%d writes were sent", n)
	}
	b.has(topicEntity(name), configs{"flush.ms": "1000"})
}

func topicRefusedAtApply(b *bench) {
	name := b.topic(configs{"flush.ms": "1000"})
	b.tf.Provider["plan_validation"] = "off"
	for key, c := range topicRefusals(b) {
		p := b.tf.Plan(b.tf.Resource(topicType), ofTopic(name, configs{key: c[0]}))
		p.Diagnostics.NoErrors(b)
		got := b.tf.ApplyPlan(p).One(b)
		if got.Path != fmt.Sprintf("config[%q]", key) || !strings.HasPrefix(got.Detail, c[1]+": ") {
			b.Errorf("Not %s at %s: %s", c[1], key, got)
		}
		b.mentions(got, c[2])
	}
	b.has(topicEntity(name), configs{"flush.ms": "1000"})
}

func topicSpelling(b *bench) {
	name := b.topic(nil)
	config := configs{"cleanup.policy": "delete , compact", "min.cleanable.dirty.ratio": ".50", "preallocate": "TRUE", "retention.ms": "0100000"}
	r := b.tf.Resource(topicType)
	b.tf.Apply(r, ofTopic(name, config))
	b.inState(r, "config", config)
	b.tf.Empty(r, ofTopic(name, config))
	respelled := configs{"cleanup.policy": "delete,compact", "min.cleanable.dirty.ratio": "0.5", "preallocate": "true", "retention.ms": "100000"}
	b.rec.Reset()
	b.tf.Empty(r, ofTopic(name, respelled))
	b.quiet()
	respelled["flush.ms"] = "1000"
	b.tf.ApplyPlan(b.updates(r, ofTopic(name, respelled))).NoErrors(b)
	b.tf.Empty(r, ofTopic(name, respelled))
}

func topicMade(b *bench) {
	name := testbed.UniqueName(b)
	r, config := b.tf.Resource(topicType), ofTopic(name, configs{"retention.ms": "86400000"})
	p := b.tf.Plan(r, config)
	p.Diagnostics.None(b)
	bad := b.tf.Plan(b.tf.Resource(topicType), ofTopic(name, configs{"retention.ms": "sixty"})).Diagnostics.One(b)
	b.mentions(bad, "Invalid value sixty for configuration retention.ms")
	mistyped := b.tf.Plan(b.tf.Resource(topicType), ofTopic(name, configs{"retention.mss": "1"})).Diagnostics.One(b)
	b.mentions(mistyped, "Unknown topic config name: retention.mss")
	b.cluster.CreateTopic(b, name, 1, 2, nil)
	b.tf.ApplyPlan(p).NoErrors(b)
	b.has(topicEntity(name), configs{"retention.ms": "86400000"})
}

// counts gives the partition count and the replication factor with which the plan asked last for a topic that is not there.
func (b *bench) counts() (partitions int32, replicas int16) {
	b.Helper()
	b.tf.Plan(b.tf.Resource(topicType), ofTopic(testbed.UniqueName(b), configs{"retention.ms": "86400000"})).Diagnostics.None(b)
	validations := b.rec.Validations()
	if len(validations) == 0 {
		b.Fatalf("No validation was sent:\n%s", b.rec)
	}
	return countsOf(b, validations[len(validations)-1])
}

func topicCounts(b *bench) {
	if partitions, replicas := b.counts(); partitions != -1 || replicas != -1 {
		b.Errorf("It asked for %d partitions and %d replicas", partitions, replicas)
	}
}

// The cluster's counts are read and written out.
func topicCountsWrittenOut(b *bench) {
	if partitions, replicas := b.counts(); partitions != 1 || replicas != 1 {
		b.Errorf("It asked for %d partitions and %d replicas, not for the cluster's defaults", partitions, replicas)
	}
}

func topicAbsent(b *bench) {
	name := testbed.UniqueName(b)
	p := b.tf.Plan(b.tf.Resource(topicType), ofTopic(name, configs{"retention.ms": "86400000"}))
	p.Diagnostics.None(b)
	b.mentions(b.tf.ApplyPlan(p).One(b), name, "does not exist")
}

func topicDeleted(b *bench) {
	name := b.topic(nil)
	r, config := b.tf.Resource(topicType), ofTopic(name, configs{"retention.ms": "86400000"})
	b.tf.Apply(r, config)
	b.deleteTopic(name)
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(b)
	if r.Exists() || p.Action != acctest.Create {
		b.Errorf("The plan is a %s", p.Action)
	}
}

func topicFlagged(b *bench) {
	name := b.topic(nil)
	r, config := b.tf.Resource(topicType), values{"topic": name, "sensitive_config": configs{"retention.ms": "0086400000"}}
	b.tf.Apply(r, config)
	b.inState(r, "sensitive_keys", []string{"retention.ms"})
	b.inState(r, "config", nil)
	b.tf.Empty(r, config)
	b.outside(topicEntity(name), map[string]any{"retention.ms": "1000"})
	b.tf.ApplyPlan(b.updates(r, config)).None(b)
	b.has(topicEntity(name), configs{"retention.ms": "86400000"})
}

func topicWriteOnly(b *bench) {
	name := b.topic(nil)
	r, config := b.tf.Resource(topicType), values{"topic": name, "sensitive_config_wo": configs{"retention.ms": "86400000"}, "sensitive_config_wo_version": 1}
	b.tf.Apply(r, config)
	b.tf.Empty(r, config)
	config["sensitive_config_wo"] = configs{"retention.ms": "172800000"}
	b.tf.Empty(r, config)
	b.has(topicEntity(name), configs{"retention.ms": "86400000"})
	config["sensitive_config_wo_version"] = 2
	b.tf.Apply(r, config)
	b.has(topicEntity(name), configs{"retention.ms": "172800000"})
	if text := r.Raw(); strings.Contains(text, "172800000") || strings.Contains(text, "86400000") {
		b.Error("A write-only value is in state")
	}
	b.outside(topicEntity(name), map[string]any{"retention.ms": nil})
	b.tf.ApplyPlan(b.updates(r, config)).NoErrors(b)
	b.has(topicEntity(name), configs{"retention.ms": "172800000"})
}

func topicImport(b *bench) {
	own := configs{"retention.ms": "86400000", "cleanup.policy": "compact"}
	name := b.topic(own)
	r := b.tf.Resource(topicType)
	b.tf.Walk().Import(r, name).None(b)
	b.inState(r, "config", own)
	b.tf.Empty(r, ofTopic(name, own))
	b.quiet()
}

func topicDestroy(b *bench) {
	name := b.topic(nil)
	r := b.tf.Resource(topicType)
	b.tf.Apply(r, ofTopic(name, configs{"retention.ms": "86400000"}))
	p := b.tf.Plan(r, nil)
	p.Diagnostics.NoErrors(b)
	b.outside(topicEntity(name), map[string]any{"flush.ms": "1000"})
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(b)
	b.wrote(topicEntity(name), map[string]any{"retention.ms": nil}, configs{"flush.ms": "1000"})
	b.has(topicEntity(name), configs{"flush.ms": "1000"})
}

func topicDataLoss(b *bench) {
	name := b.topic(nil)
	r := b.tf.Resource(topicType)
	b.tf.Apply(r, ofTopic(name, configs{"retention.ms": "86400000", "cleanup.policy": "compact"}))
	for _, next := range []configs{{"retention.ms": "86400000"}, {"retention.ms": "3600000", "cleanup.policy": "delete"}} {
		b.mentions(b.updates(r, ofTopic(name, next)).Diagnostics.OneWarning(b), "delete data", name)
	}
	b.updates(r, ofTopic(name, configs{"retention.ms": "172800000", "cleanup.policy": "compact"})).Diagnostics.None(b)
}
