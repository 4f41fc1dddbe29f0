// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// C-38: a default that brokers override gets a warning that names them and their values, no diff while they do, and is in
// force when they stop.
func TestShadowedDefault(t *testing.T) {
	b := newBench(t)
	b.outside("1", map[string]any{"log.segment.delete.delay.ms": "1000000"})
	b.outside("3", map[string]any{"log.segment.delete.delay.ms": "3000000"})
	config := ofDefault(configs{"log.segment.delete.delay.ms": "86400000", "log.segment.bytes": "104857600"})
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, config)
	got := p.Diagnostics.OneWarning(t)
	mentions(t, got, "override the cluster default", `log.segment.delete.delay.ms: broker 1 has "1000000"`, `log.segment.delete.delay.ms: broker 3 has "3000000"`)
	if strings.Contains(got.Detail, "broker 2") || strings.Contains(got.Detail, "log.segment.bytes") {
		t.Errorf("%s", got)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.tf.Empty(r, config)
	b.outside("1", map[string]any{"log.segment.delete.delay.ms": nil})
	b.tf.Empty(r, config)
	if now := effective(t, b.cluster, 1, "log.segment.delete.delay.ms"); now != "86400000" {
		t.Errorf("Broker 1 waits for %s ms", now)
	}
	// An update of another key says nothing; one of this key does; one that takes it away does not.
	other := ofDefault(configs{"log.segment.delete.delay.ms": "86400000", "log.segment.bytes": "209715200"})
	b.tf.Plan(r, other).Diagnostics.None(t)
	b.tf.Plan(r, ofDefault(configs{"log.segment.delete.delay.ms": "86400001", "log.segment.bytes": "104857600"})).Diagnostics.OneWarning(t)
	b.tf.Plan(r, ofDefault(nil)).Diagnostics.None(t)
}

// A key that a sensitive map declares shows no value in the warning either.
func TestShadowedSecret(t *testing.T) {
	b := newBench(t)
	b.outside("1", map[string]any{"log.segment.delete.delay.ms": "1000000", "com.example.key": topSecret})
	p := b.tf.Plan(b.tf.Resource(typeName), values{"cluster_default": true, "sensitive_config": configs{"log.segment.delete.delay.ms": "2000000", "com.example.key": otherSecret}})
	got := p.Diagnostics.OneWarning(t)
	mentions(t, got, "log.segment.delete.delay.ms: broker 1 has a hidden value", "com.example.key: broker 1 has a hidden value")
	if shown(t, got.String()); strings.Contains(got.Detail, "1000000") {
		t.Errorf("%s", got)
	}
}

// C-36: a default that the asked broker could take and others cannot is set and not in force there: a warning names them and
// the key, and there is no endless diff.
func TestNotInForce(t *testing.T) {
	b := newBench(t)
	b.outside("1", map[string]any{"num.io.threads": "8"})
	b.tf.Provider["bootstrap_servers"] = []string{b.rec.Address(1)} // which then judges the default: its own value hides it there
	config := ofDefault(configs{"num.io.threads": "16"})
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, config)
	p.Diagnostics.OneWarning(t)
	diags := b.tf.ApplyPlan(p)
	diags.NoErrors(t)
	warnings := diags.Warnings()
	late := warnings[len(warnings)-1]
	mentions(t, late, "Configs of the cluster default are set and not in force", "num.io.threads: broker 2", "num.io.threads: broker 3")
	if strings.Contains(late.Detail, "broker 1 ") {
		t.Errorf("%s", late)
	}
	if got := effective(t, b.cluster, 2, "num.io.threads"); got != "4" {
		t.Errorf("Broker 2 has %s threads, so this test shows nothing", got)
	}
	planned(t, b.tf.Plan(r, config), acctest.NoOp, config["config"])
	b.tf.Destroy(r)
}
