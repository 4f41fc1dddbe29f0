// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 4; C-30: a mistyped key, which a broker would store and hide, is an error in the plan with the name that was meant.
func TestMistypedKey(t *testing.T) {
	b := newBench(t)
	for key, nearest := range map[string]string{
		"num.io.thread":                           `"num.io.threads"`,
		"listener.name.external.max.conections":   `"listener.name.external.max.connections"`,
		"listener.name.external.sasl.oauthbearer": "",
		"something.else.altogether":               "",
		"listener.name":                           "",
	} {
		for _, entity := range []string{"1", clusterDefault} {
			got := b.tf.Plan(b.tf.Resource(typeName), declare(entity, configs{key: "4"})).Diagnostics.One(t)
			if got.Path != `config["`+key+`"]` {
				t.Errorf("%s", got)
			}
			mentions(t, got, "No broker knows the config", nearest, "sensitive map")
		}
	}
	b.quiet()
	// A key that someone stored is not known for being there.
	b.outside("1", map[string]any{"num.io.thread": "4"})
	b.outside(clusterDefault, map[string]any{"num.io.thread": "4"})
	for _, entity := range []string{"1", "2", clusterDefault} {
		mentions(t, b.tf.Plan(b.tf.Resource(typeName), declare(entity, configs{"num.io.thread": "5"})).Diagnostics.One(t), `"num.io.threads"`)
	}
}

// With plan_validation = "warn" it is a warning; the broker then stores the key and hides it, which the next plan shows.
func TestMistypedKeyAsWarning(t *testing.T) {
	b := newBench(t)
	b.tf.Provider["plan_validation"] = "warn"
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, ofBroker(1, configs{"num.io.thread": "4"}))
	mentions(t, p.Diagnostics.OneWarning(t), `"num.io.threads"`)
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has("1", configs{"num.io.thread": hidden})
	b.tf.Apply(r, ofBroker(1, nil))
	b.has("1", configs{})
}

// C-31: a secret in the plain map is an error that names the sensitive maps and not the value, whatever plan_validation says.
func TestSecretInThePlainMap(t *testing.T) {
	b := newBench(t)
	for _, key := range []string{"listener.name.external.ssl.keystore.password", "listener.name.external.plain.sasl.jaas.config", "ssl.key.password"} {
		for _, validation := range []string{"error", "warn", "off"} {
			b.tf.Provider["plan_validation"] = validation
			got := b.tf.Plan(b.tf.Resource(typeName), ofBroker(1, configs{key: topSecret})).Diagnostics.One(t)
			mentions(t, got, "is a secret", "sensitive_config")
			if got.Path != `config["`+key+`"]` {
				t.Errorf("%s", got)
			}
			shown(t, got.String())
		}
	}
	b.quiet()
}

// A key of a plug-in, which no broker knows, is declared in a sensitive map and behaves like a secret there.
func TestKeyOfAPlugin(t *testing.T) {
	b := newBench(t)
	config := values{"broker_id": 1, "sensitive_config": configs{"com.example.plugin.endpoint": "https://example.com"}}
	r := b.applied(config)
	b.has("1", configs{"com.example.plugin.endpoint": hidden})
	b.tf.Empty(r, config)
	b.quiet()
	config["sensitive_config"] = configs{"com.example.plugin.endpoint": "https://example.org"}
	b.tf.Apply(r, config)
	b.wrote("1", map[string]any{"com.example.plugin.endpoint": "https://example.org"})
	planned(t, b.tf.Plan(r, config), acctest.NoOp, nil)
	b.tf.Destroy(r)
	b.has("1", configs{})
}
