// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// writeOnly declares values in the write-only map.
func (b bench) writeOnly(config any, version any) values {
	return values{"topic": b.topic, "sensitive_config_wo": config, "sensitive_config_wo_version": version}
}

func (b bench) sensitiveKeys(t *testing.T, want ...any) {
	t.Helper()
	if want == nil {
		want = []any{}
	}
	if got := b.resource.State()["sensitive_keys"]; !reflect.DeepEqual(got, want) {
		t.Fatalf("sensitive_keys are %v, want %v", got, want)
	}
}

// Acceptance line 11; C-22, C-34: write-only values are nowhere in plan or state, are written once for each version and again where
// their key is missing, and are never compared.
func TestWriteOnlyValues(t *testing.T) {
	b := newBench(t, nil)
	p := b.tf.Plan(b.resource, b.writeOnly(configs{"retention.ms": "3612345"}, 1))
	if strings.Contains(fmt.Sprint(p.After), "3612345") {
		t.Errorf("The plan has the value: %v", p.After)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.wrote(map[string]any{"retention.ms": "3612345"})
	b.sensitiveKeys(t, "retention.ms")
	b.inState(nil)
	secretFree(t, b.resource, "3612345")
	b.tf.Empty(b.resource, b.writeOnly(configs{"retention.ms": "3612345"}, 1))
	b.tf.Empty(b.resource, b.writeOnly(configs{"retention.ms": "7212345"}, 1))

	b.rec.Reset()
	b.tf.Apply(b.resource, b.writeOnly(configs{"retention.ms": "7212345"}, 2))
	b.wrote(map[string]any{"retention.ms": "7212345"})
	b.tf.Empty(b.resource, b.writeOnly(configs{"retention.ms": "7212345"}, 2))

	b.outside(map[string]any{"retention.ms": nil})
	p = b.tf.Plan(b.resource, b.writeOnly(configs{"retention.ms": "7212345"}, 2))
	b.sensitiveKeys(t)
	if p.Action != acctest.Update || !reflect.DeepEqual(p.After["sensitive_keys"], []any{"retention.ms"}) {
		t.Fatalf("A missing secret plans a %s to %v", p.Action, p.After)
	}
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.wrote(map[string]any{"retention.ms": "7212345"})
	secretFree(t, b.resource, "7212345")
}

// secretFree fails the test if state has the value. A canary shows that the search would find it.
func secretFree(t *testing.T, r *acctest.Resource, secret string) {
	t.Helper()
	if raw := r.Raw(); strings.Contains(raw, secret) || !strings.Contains(raw, fmt.Sprint(r.State()["topic"])) {
		t.Errorf("State has the secret, or the search finds nothing:\n%s", raw)
	}
}

// A key that moves between the maps keeps its value; only into the write-only map, and out of it, it is written once, as its
// value cannot be compared.
func TestKeysMoveBetweenTheMaps(t *testing.T) {
	plainly := func(b bench) values { return b.declare(configs{"retention.ms": "3612345"}) }
	flagged := func(b bench) values {
		return values{"topic": b.topic, "sensitive_config": configs{"retention.ms": "3612345"}}
	}
	hidden := func(b bench) values { return b.writeOnly(configs{"retention.ms": "3612345"}, 1) }
	for name, c := range map[string]struct {
		from, to func(bench) values
		writes   int
	}{
		"plain to flagged": {plainly, flagged, 0}, "flagged to plain": {flagged, plainly, 0},
		"plain to write-only": {plainly, hidden, 1}, "write-only to plain": {hidden, plainly, 1},
		"flagged to write-only": {flagged, hidden, 1}, "write-only to flagged": {hidden, flagged, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.applied(c.from(b))
			p := b.tf.Plan(b.resource, c.to(b))
			p.Diagnostics.NoErrors(t)
			if p.Action != acctest.Update {
				t.Fatalf("The plan is a %s", p.Action)
			}
			b.tf.ApplyPlan(p).NoErrors(t)
			if n := len(b.rec.Writes()); n != c.writes {
				t.Errorf("%d writes, want %d", n, c.writes)
			}
			b.has(configs{"retention.ms": "3612345"})
			b.tf.Empty(b.resource, c.to(b))
		})
	}
}

// Acceptance line 11: a flagged value that the broker shows is compared and refreshed by value; its name stands in sensitive_keys.
func TestFlaggedValues(t *testing.T) {
	b := newBench(t, nil)
	config := values{"topic": b.topic, "sensitive_config": configs{"retention.ms": "03612345"}, "config": configs{"segment.ms": "3600000"}}
	b.applied(config)
	b.sensitiveKeys(t, "retention.ms")
	b.tf.Empty(b.resource, config.With("sensitive_config", configs{"retention.ms": "3612345"}))
	b.outside(map[string]any{"retention.ms": "7200000"})
	p := b.tf.Plan(b.resource, config)
	if p.Action != acctest.Update || !reflect.DeepEqual(p.Before["sensitive_config"], plain(configs{"retention.ms": "7200000"})) {
		t.Fatalf("The plan is a %s from %v", p.Action, p.Before)
	}
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.wrote(map[string]any{"retention.ms": "03612345"})

	t.Log("Changing another key sends neither the secret nor a delete of it (C-32).")
	b.rec.Reset()
	b.tf.Apply(b.resource, config.With("config", configs{"segment.ms": "7200000"}))
	b.wrote(map[string]any{"segment.ms": "7200000"})
	b.tf.Apply(b.resource, values{"topic": b.topic})
	b.has(configs{})
	b.sensitiveKeys(t)
}

// Acceptance line 18: a broker's message that quotes a secret reaches nobody, at plan, at apply, and whatever the plan makes of it.
func TestQuotedSecretsAreScrubbed(t *testing.T) {
	const secret = "hunter2-swordfish"
	for name, secretly := range map[string]func(bench) values{
		"flagged": func(b bench) values {
			return values{"topic": b.topic, "sensitive_config": configs{"retention.ms": secret}}
		},
		"write-only": func(b bench) values { return b.writeOnly(configs{"retention.ms": secret}, 1) },
		"list": func(b bench) values {
			return values{"topic": b.topic, "sensitive_config": configs{"cleanup.policy": " compact, " + secret}}
		},
	} {
		for _, validation := range []string{"error", "warn", "off"} {
			t.Run(name+" "+validation, func(t *testing.T) {
				b := newBench(t, nil)
				b.tf.Provider["plan_validation"] = validation
				p := b.tf.Plan(b.resource, secretly(b))
				said := p.Diagnostics
				if validation != "error" {
					said = append(said, b.tf.ApplyPlan(p)...)
				}
				text := said.String()
				if !strings.Contains(text, "INVALID_CONFIG: Invalid value (sensitive value) for configuration ") || strings.Contains(text, "hunter2") || strings.Contains(text, "swordfish") {
					t.Errorf("%s", text)
				}
			})
		}
	}
}

// Acceptance line 18: nor does what the provider itself says of a write that does not show.
func TestUnshownSecretsAreScrubbed(t *testing.T) {
	b := newBench(t, nil)
	config := values{"topic": b.topic, "sensitive_config": configs{"retention.ms": "86412345"}}
	b.tf.Apply(b.resource, config)
	b.rec.Intercept(stale(b.topic, func(own configs) { own["retention.ms"] = "86412345" }))
	p := b.tf.Plan(b.resource, config.With("sensitive_config", configs{"retention.ms": "96412345"}).With("timeouts", values{"update": "1s"}))
	got := b.tf.ApplyPlan(p).One(t)
	if strings.Contains(got.Detail, "86412345") || strings.Contains(got.Detail, "96412345") || !strings.Contains(got.Detail, "retention.ms") {
		t.Errorf("%s", got)
	}
}

// stale makes brokers answer with an own set that lags behind.
func stale(topic string, lag func(own configs)) func(testbed.Request) testbed.Verdict {
	return func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.DescribeConfigs) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(r kmsg.Response) {
			for i := range r.(*kmsg.DescribeConfigsResponse).Resources {
				if resource := &r.(*kmsg.DescribeConfigsResponse).Resources[i]; resource.ResourceName == topic {
					resource.Configs = lagging(resource.Configs, lag)
				}
			}
		})
	}
}

func lagging(all []kmsg.DescribeConfigsResponseResourceConfig, lag func(own configs)) []kmsg.DescribeConfigsResponseResourceConfig {
	own := configs{}
	for _, c := range all {
		if c.Source == kmsg.ConfigSourceDynamicTopicConfig && c.Value != nil {
			own[c.Name] = *c.Value
		}
	}
	lag(own)
	for i := range all {
		value, set := own[all[i].Name]
		switch c := &all[i]; {
		case set:
			c.Value, c.Source = &value, kmsg.ConfigSourceDynamicTopicConfig
		case c.Source == kmsg.ConfigSourceDynamicTopicConfig:
			c.Source = kmsg.ConfigSourceDefaultConfig
		}
	}
	return all
}
