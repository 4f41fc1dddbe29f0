// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"reflect"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 11; C-23, C-26: import of a broker and of the default, by id and by identity; the configuration that has what was
// imported plans nothing.
func TestImport(t *testing.T) {
	b := newBench(t)
	b.outside("1", map[string]any{"log.segment.delete.delay.ms": "86400000", "leader.replication.throttled.rate": "1000000"})
	b.outside(clusterDefault, map[string]any{"log.segment.bytes": "104857600"})
	for id, c := range map[string]struct {
		entity string
		own    configs
	}{"1": {"1", configs{"log.segment.delete.delay.ms": "86400000"}}, "default": {clusterDefault, configs{"log.segment.bytes": "104857600"}}} {
		for _, byIdentity := range []bool{false, true} {
			r, w := b.tf.Resource(typeName), b.tf.Walk()
			if byIdentity {
				w.ImportIdentity(r, values{"broker": id}).None(t)
			} else {
				w.Import(r, id).None(t)
			}
			inState(t, r, "config", c.own)
			inState(t, r, "on_destroy", "reset")
			if got := r.Identity(w); !reflect.DeepEqual(got, map[string]any{"broker": id}) {
				t.Errorf("The identity is %v", got)
			}
			b.tf.Empty(r, declare(c.entity, c.own))
		}
	}
	b.quiet()
}

// Acceptance line 11: hidden keys come by name, and their removal is planned by name; a secret that is declared is written once.
func TestImportHiddenKeys(t *testing.T) {
	b := newBench(t)
	b.outside("1", map[string]any{storePassword: topSecret, truststore: topSecret})
	r := b.tf.Resource(typeName)
	b.tf.Walk().Import(r, "1").None(t)
	inState(t, r, "config", nil)
	inState(t, r, "sensitive_keys", []string{storePassword, truststore})
	config := values{"broker_id": 1, "sensitive_config_wo": configs{storePassword: otherSecret}, "sensitive_config_wo_version": 1}
	p := b.tf.Plan(r, config)
	p.Diagnostics.None(t)
	if got := p.After["sensitive_keys"]; p.Action != acctest.Update || !reflect.DeepEqual(got, []any{storePassword}) {
		t.Fatalf("The plan is a %s to %v", p.Action, got)
	}
	b.rec.Reset()
	b.tf.ApplyPlan(p).None(t)
	b.wrote("1", map[string]any{storePassword: otherSecret, truststore: nil})
	b.tf.Empty(r, config)
}

// C-26: ids that name no broker, or one in a second way.
func TestMalformedImportID(t *testing.T) {
	b := newBench(t)
	for _, id := range []string{"", "x", "-1", "01", " 1", "1 ", "+1", "1.0", "4294967297", "Default"} {
		got := b.tf.Walk().Import(b.tf.Resource(typeName), id).One(t)
		if got.Summary != "Malformed import id" {
			t.Errorf("%q: %s", id, got)
		}
		mentions(t, got, `or "default"`)
	}
}

// A broker that is not there cannot be imported.
func TestImportAbsentBroker(t *testing.T) {
	b := newBench(t)
	got := b.tf.Walk().Import(b.tf.Resource(typeName), "77").One(t)
	mentions(t, got, "Cannot import the configs of broker 77", "The cluster knows no broker 77")
}
