// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"strings"
	"testing"
)

const week = "604800000" // what brokers keep records for if nobody says otherwise

// Topics inherit retention and clean-up from their brokers, so a change, a reset and a destroy that lower
// them are warned of with the values before and after.
func TestDataLossIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		before, after any // after nil: a destroy
		lines         []string
	}{
		"lowered":             {configs{}, configs{"log.retention.ms": "3600000"}, []string{"log.retention.ms: " + week + " -> 3600000"}},
		"reset":               {configs{"log.retention.ms": "-1"}, configs{}, []string{"log.retention.ms: -1 -> " + week}},
		"destroyed":           {configs{"log.cleanup.policy": "compact", "log.retention.ms": "-1"}, nil, []string{"log.retention.ms: -1 -> " + week, "log.cleanup.policy: compact -> delete"}},
		"size":                {configs{}, configs{"log.retention.bytes": "1000000"}, []string{"log.retention.bytes: -1 -> 1000000"}},
		"raised":              {configs{}, configs{"log.retention.ms": "604800001"}, nil},
		"destroyed to longer": {configs{"log.retention.ms": "3600000"}, nil, nil},
		"something else":      {configs{"log.retention.ms": "3600000"}, configs{"log.retention.ms": "3600000", "log.segment.bytes": "104857600"}, nil},
	} {
		for _, entity := range []string{"1", clusterDefault} {
			t.Run(name+"/"+entity, func(t *testing.T) {
				b := newBench(t)
				b.tf.Provider["plan_validation"] = "off" // spares the probe; the warning does not depend on it
				r := b.applied(declare(entity, c.before))
				var config values
				if c.after != nil {
					config = declare(entity, c.after)
				}
				warnings := b.tf.Plan(r, config).Diagnostics
				if c.lines == nil {
					warnings.None(t)
					return
				}
				of := map[string]string{"1": "broker 1", clusterDefault: "the cluster default"}[entity]
				got := warnings.OneWarning(t)
				mentions(t, got, "The change of "+of+" may delete data")
				mentions(t, got, c.lines...)
				if n := strings.Count(got.Detail, " -> "); n != len(c.lines) {
					t.Errorf("%d differences in %q, want %d", n, got.Detail, len(c.lines))
				}
				if entity == clusterDefault {
					mentions(t, got, "(broker 1, broker 2, broker 3)")
				}
			})
		}
	}
}

// A cluster default takes nothing from a broker that hides it, and an adoption that resets is a change as others.
func TestDataLossOfLayers(t *testing.T) {
	b := newBench(t)
	b.tf.Provider["plan_validation"] = "off"
	b.outside("1", map[string]any{"log.retention.ms": "-1"})
	text := b.tf.Plan(b.tf.Resource(typeName), ofDefault(configs{"log.retention.ms": "3600000"})).Diagnostics.Warnings().String()
	if !strings.Contains(text, "log.retention.ms: "+week+" -> 3600000 (broker 2, broker 3)") {
		t.Errorf("%s", text)
	}
	text = b.tf.Plan(b.tf.Resource(typeName), ofBroker(1, configs{})).Diagnostics.Warnings().String()
	if !strings.Contains(text, "Undeclared configs of broker 1") || !strings.Contains(text, "log.retention.ms: -1 -> "+week) {
		t.Errorf("%s", text)
	}
}

// The warning shows no value of a key that a sensitive map declares.
func TestDataLossOfASecret(t *testing.T) {
	b := newBench(t)
	b.tf.Provider["plan_validation"] = "off"
	got := b.tf.Plan(b.tf.Resource(typeName), values{"broker_id": 1, "sensitive_config": configs{"log.retention.ms": "3612345"}}).Diagnostics.OneWarning(t)
	mentions(t, got, "may delete data", "log.retention.ms: (sensitive value) -> (sensitive value)")
	if strings.Contains(got.String(), "3612345") {
		t.Errorf("%s", got)
	}
}
