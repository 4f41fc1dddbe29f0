// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

const (
	topSecret   = "Tr0ub4dor-and-3"
	otherSecret = "correct-horse-battery"

	storePassword = "listener.name.external.ssl.keystore.password"
	jaasConfig    = "listener.name.external.plain.sasl.jaas.config"
	truststore    = "listener.name.external.ssl.truststore.password"
)

// shown fails the test if a text has one of the secrets.
func shown(t testing.TB, text string) {
	t.Helper()
	for _, secret := range []string{topSecret, otherSecret} {
		if strings.Contains(text, secret) {
			t.Errorf("A secret is shown: %s", text)
		}
	}
}

// Acceptance lines 5 (without a TLS listener) and 7; C-32, C-33, C-34: the whole life of write-only secrets beside plain configs.
func TestWriteOnlySecrets(t *testing.T) {
	b := newBench(t)
	jaas := fmt.Sprintf(`org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="%s";`, topSecret)
	config := values{
		"broker_id": 1, "config": configs{"log.segment.delete.delay.ms": "86400000"},
		"sensitive_config_wo": configs{storePassword: topSecret, jaasConfig: jaas}, "sensitive_config_wo_version": 1,
	}
	r := b.applied(config)
	b.has("1", configs{"log.segment.delete.delay.ms": "86400000", storePassword: hidden, jaasConfig: hidden})
	inState(t, r, "sensitive_keys", []string{jaasConfig, storePassword})
	b.tf.Empty(r, config)

	// Another value under the same version sends nothing, as Terraform cannot see it.
	config["sensitive_config_wo"] = configs{storePassword: otherSecret, jaasConfig: jaas}
	b.tf.Empty(r, config)
	b.quiet()

	// Acceptance line 6: another key changes, and neither a secret's value nor its name is in any request.
	config["config"] = configs{"log.segment.delete.delay.ms": "3600000"}
	b.tf.Apply(r, config)
	b.wrote("1", map[string]any{"log.segment.delete.delay.ms": "3600000"})
	b.noSecretSent()
	b.has("1", configs{"log.segment.delete.delay.ms": "3600000", storePassword: hidden, jaasConfig: hidden})

	// A new version writes the secrets of the map, and only them.
	b.rec.Reset()
	config["sensitive_config_wo_version"] = 2
	b.tf.Apply(r, config)
	b.wrote("1", map[string]any{storePassword: otherSecret, jaasConfig: jaas})

	// A missing one is named in the plan and written again, although the version is the same.
	b.outside("1", map[string]any{storePassword: nil})
	b.rec.Reset()
	p := b.tf.Plan(r, config)
	p.Diagnostics.None(t)
	inState(t, r, "sensitive_keys", []string{jaasConfig})
	if p.Action != acctest.Update || !strings.Contains(fmt.Sprint(p.After["sensitive_keys"]), storePassword) {
		t.Fatalf("The plan is a %s to %v", p.Action, p.After)
	}
	b.tf.ApplyPlan(p).None(t)
	b.wrote("1", map[string]any{storePassword: otherSecret})
	b.tf.Empty(r, config)

	// A foreign one is named and removed.
	b.outside("1", map[string]any{truststore: otherSecret})
	b.rec.Reset()
	p = b.tf.Plan(r, config)
	p.Diagnostics.None(t)
	if p.Action != acctest.Update || !strings.Contains(fmt.Sprint(p.Before["sensitive_keys"]), truststore) || strings.Contains(fmt.Sprint(p.After["sensitive_keys"]), truststore) {
		t.Fatalf("The plan is a %s from %v to %v", p.Action, p.Before, p.After)
	}
	b.tf.ApplyPlan(p).None(t)
	b.wrote("1", map[string]any{truststore: nil})
	b.tf.Empty(r, config)
	shown(t, r.Raw()+fmt.Sprint(p.Before, p.After))
	b.tf.Destroy(r)
	b.has("1", configs{})
}

// noSecretSent fails the test if a request carries a secret or the name of one.
func (b bench) noSecretSent() {
	b.t.Helper()
	for _, request := range b.rec.Requests() {
		body, ok := request.Body.(*kmsg.IncrementalAlterConfigsRequest)
		if !ok {
			continue
		}
		for _, c := range body.Resources[0].Configs {
			if c.Name == storePassword || c.Name == jaasConfig || strings.Contains(deref(c.Value), topSecret) {
				b.t.Errorf("A request has %s", c.Name)
			}
		}
	}
}

// C-34: a secret moves from map to map. Into the write-only map it is written, as its value may be another.
func TestSecretMoves(t *testing.T) {
	b := newBench(t)
	flagged := values{"broker_id": 1, "sensitive_config": configs{storePassword: topSecret}}
	writeOnly := values{"broker_id": 1, "sensitive_config_wo": configs{storePassword: otherSecret}, "sensitive_config_wo_version": 1}
	r := b.applied(flagged)
	b.tf.Empty(r, flagged)
	b.quiet()
	b.tf.Apply(r, writeOnly)
	b.wrote("1", map[string]any{storePassword: otherSecret})
	shown(t, r.Raw())
	b.tf.Empty(r, writeOnly)
	b.rec.Reset()
	b.tf.Apply(r, flagged)
	b.wrote("1", map[string]any{storePassword: topSecret})
	b.tf.Empty(r, flagged)

	// A key that brokers show is compared by value in the flagged map too, and its drift is seen.
	plainKey := values{"broker_id": 1, "sensitive_config": configs{"log.segment.delete.delay.ms": "3600000"}}
	b.rec.Reset()
	b.tf.Apply(r, plainKey)
	b.wrote("1", map[string]any{"log.segment.delete.delay.ms": "3600000", storePassword: nil})
	b.outside("1", map[string]any{"log.segment.delete.delay.ms": "7200000"})
	b.rec.Reset()
	if p := b.tf.Plan(r, plainKey); p.Action != acctest.Update || fmt.Sprint(p.Before["sensitive_config"]) != "map[log.segment.delete.delay.ms:7200000]" {
		t.Fatalf("The plan is a %s from %v", p.Action, p.Before)
	}
	b.tf.Apply(r, plainKey)
	b.wrote("1", map[string]any{"log.segment.delete.delay.ms": "3600000"})
}

// Brokers quote values in their refusals; a secret is taken out of what they say.
func TestRefusalQuotesNoSecret(t *testing.T) {
	b := newBench(t)
	for name, config := range map[string]values{
		"flagged":    {"broker_id": 1, "sensitive_config": configs{"log.retention.bytes": topSecret}},
		"write-only": {"broker_id": 1, "sensitive_config_wo": configs{"log.retention.bytes": topSecret}, "sensitive_config_wo_version": 1},
	} {
		for _, validation := range []string{"error", "warn", "off"} {
			b.tf.Provider["plan_validation"] = validation
			p := b.tf.Plan(b.tf.Resource(typeName), config)
			said := p.Diagnostics
			if len(said.Errors()) == 0 {
				said = append(said, b.tf.ApplyPlan(p)...)
			}
			if len(said) == 0 {
				t.Errorf("%s, %s: no refusal", name, validation)
			}
			for _, d := range said {
				mentions(t, d, "Invalid value (sensitive value) for configuration log.retention.bytes")
				shown(t, d.String())
			}
		}
	}
}
