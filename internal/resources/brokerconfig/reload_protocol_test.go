// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"reflect"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 5b (what is planned and sent): a change of the trigger is all that the plan shows, and sends the declared store
// keys again, from every map, and no other.
func TestReloadTrigger(t *testing.T) {
	b := newBench(t)
	config := values{
		"broker_id": 1,
		"config": configs{
			"listener.name.external.ssl.keystore.location": "/etc/kafka/k.p12", "listener.name.external.ssl.keystore.type": "PKCS12",
			"listener.name.external.max.connections": "100", "log.segment.delete.delay.ms": "86400000",
		},
		"sensitive_config":    configs{truststore: otherSecret},
		"sensitive_config_wo": configs{storePassword: topSecret, jaasConfig: "com.example.Module required;"}, "sensitive_config_wo_version": 1,
	}
	r := b.applied(config)
	stores := map[string]any{
		"listener.name.external.ssl.keystore.location": "/etc/kafka/k.p12", "listener.name.external.ssl.keystore.type": "PKCS12",
		truststore: otherSecret, storePassword: topSecret,
	}
	for _, trigger := range []any{"2026-01", "2026-02", nil} {
		triggered := config.With("reload_trigger", trigger)
		p := b.tf.Plan(r, triggered)
		p.Diagnostics.None(t)
		if want := p.Before.With("reload_trigger", trigger); p.Action != acctest.Update || !reflect.DeepEqual(p.After, want) {
			t.Fatalf("The plan is a %s to %v, want %v", p.Action, p.After, want)
		}
		b.rec.Reset()
		b.tf.ApplyPlan(p).None(t)
		b.wrote("1", stores)
		b.rec.Reset()
		b.tf.Empty(r, triggered)
		b.quiet()
	}
	// Together with a real change it is one request.
	config["config"].(configs)["log.segment.delete.delay.ms"] = "3600000"
	b.tf.Apply(r, config.With("reload_trigger", "2026-03"))
	stores["log.segment.delete.delay.ms"] = "3600000"
	b.wrote("1", stores)
}

// A trigger without store keys changes state and sends nothing; at create it adds nothing to what is sent.
func TestReloadTriggerAlone(t *testing.T) {
	b := newBench(t)
	config := ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"})
	r := b.applied(config.With("reload_trigger", "a"))
	b.tf.Apply(r, config.With("reload_trigger", "b")).None(t)
	b.quiet()
	inState(t, r, "reload_trigger", "b")
	if p := b.tf.Plan(r, config.With("reload_trigger", acctest.Unknown)); p.Action != acctest.Update {
		t.Errorf("The plan is a %s", p.Action)
	}
}
