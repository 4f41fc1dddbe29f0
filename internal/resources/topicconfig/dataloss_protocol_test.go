// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 17: a change, reset or destroy that lets brokers delete data is warned of with the values before and after.
func TestDataLossIsNamed(t *testing.T) {
	const day, hour = "86400000", "3600000"
	for name, c := range map[string]struct {
		before, after any // after nil: a destroy
		lines         []string
	}{
		"retention lowered":         {configs{"retention.ms": day}, configs{"retention.ms": hour}, []string{"retention.ms: " + day + " -> " + hour}},
		"retention by size":         {configs{"retention.bytes": "-1"}, configs{"retention.bytes": "1000"}, []string{"retention.bytes: -1 -> 1000"}},
		"unlimited to limited":      {configs{"retention.ms": "-1"}, configs{"retention.ms": day}, []string{"retention.ms: -1 -> " + day}},
		"reset to a lower one":      {configs{"retention.ms": "-1"}, configs{}, []string{"retention.ms: -1 -> "}},
		"compaction to deletion":    {configs{"cleanup.policy": "compact"}, configs{"cleanup.policy": "delete"}, []string{"cleanup.policy: compact -> delete: old records"}},
		"deletion added":            {configs{"cleanup.policy": "compact"}, configs{"cleanup.policy": "compact,delete"}, []string{"cleanup.policy: compact -> compact,delete"}},
		"compaction reset":          {configs{"cleanup.policy": "compact"}, configs{}, []string{"cleanup.policy: compact -> delete: old records"}},
		"destroy of compaction":     {configs{"cleanup.policy": "compact"}, nil, []string{"cleanup.policy: compact -> delete: old records"}},
		"destroy of retention":      {configs{"retention.ms": "-1"}, nil, []string{"retention.ms: -1 -> "}},
		"both":                      {configs{"cleanup.policy": "compact", "retention.ms": day}, configs{"retention.ms": hour}, []string{"cleanup.policy: compact -> delete", "retention.ms: " + day + " -> " + hour}},
		"raised":                    {configs{"retention.ms": hour}, configs{"retention.ms": day}, nil},
		"compacted only":            {configs{"cleanup.policy": "compact", "retention.ms": day}, configs{"cleanup.policy": "compact", "retention.ms": hour}, nil},
		"limited to unlimited":      {configs{"retention.ms": hour}, configs{"retention.ms": "-1"}, nil},
		"deletion to compaction":    {configs{"cleanup.policy": "delete"}, configs{"cleanup.policy": "compact"}, nil},
		"something else":            {configs{"retention.ms": hour, "flush.ms": "1"}, configs{"retention.ms": hour, "flush.ms": "2"}, nil},
		"respelled":                 {configs{"retention.ms": hour}, configs{"retention.ms": "0" + hour}, nil},
		"list with blanks":          {configs{"cleanup.policy": "compact"}, configs{"cleanup.policy": " compact , delete "}, []string{"cleanup.policy: compact -> "}},
		"with a refusal beside":     {configs{"retention.ms": day, "flush.ms": "1"}, configs{"retention.ms": hour, "flush.ms": "x"}, []string{"retention.ms: " + day + " -> " + hour}},
		"destroy of what deletes":   {configs{"retention.ms": hour}, nil, nil},
		"destroy of something else": {configs{"flush.ms": "1"}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.tf.Apply(b.resource, b.declare(c.before))
			var config values
			if c.after != nil {
				config = b.declare(c.after)
			}
			warnings := b.tf.Plan(b.resource, config).Diagnostics.Warnings()
			if c.lines == nil {
				warnings.None(t)
				return
			}
			got := warnings.OneWarning(t)
			if want := fmt.Sprintf("The change of topic %q may delete data", b.topic); got.Summary != want {
				t.Errorf("Summary %q, want %q", got.Summary, want)
			}
			for _, line := range c.lines {
				if !strings.Contains(got.Detail, line) {
					t.Errorf("%q is not in %q", line, got.Detail)
				}
			}
			if n := strings.Count(got.Detail, " -> "); n != len(c.lines) {
				t.Errorf("%d differences in %q, want %d", n, got.Detail, len(c.lines))
			}
		})
	}
}

// Acceptance line 17: a create that takes over, and an adoption that resets, lower retention as well.
func TestDataLossOnCreate(t *testing.T) {
	b := newBench(t, configs{"cleanup.policy": "compact", "retention.ms": "-1"})
	said := b.tf.Plan(b.resource, b.declare(configs{"retention.ms": "1000"})).Diagnostics
	said.NoErrors(t)
	text := said.String()
	for _, want := range []string{"may delete data", "cleanup.policy: compact -> delete", "retention.ms: -1 -> 1000", "Undeclared configs"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Acceptance lines 11 and 17: the warning shows no value of a key that is, or was, in a sensitive map.
func TestDataLossOfASecret(t *testing.T) {
	const before, after = "86412345", "3612345"
	for name, maps := range map[string][2]values{
		"flagged":             {{"sensitive_config": configs{"retention.ms": before}}, {"sensitive_config": configs{"retention.ms": after}}},
		"write-only":          {{"sensitive_config_wo": configs{"retention.ms": before}, "sensitive_config_wo_version": 1}, {"sensitive_config_wo": configs{"retention.ms": after}, "sensitive_config_wo_version": 2}},
		"flagged before":      {{"sensitive_config": configs{"retention.ms": before}}, {"config": configs{"retention.ms": after}}},
		"flagged, then reset": {{"sensitive_config": configs{"retention.ms": "-1", "retention.bytes": before}}, {"sensitive_config": configs{"retention.bytes": after}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.tf.Apply(b.resource, maps[0].With("topic", b.topic))
			p := b.tf.Plan(b.resource, maps[1].With("topic", b.topic))
			p.Diagnostics.NoErrors(t)
			text := p.Diagnostics.Warnings().String()
			if !strings.Contains(text, "may delete data") || strings.Contains(text, before) || name != "flagged before" && strings.Contains(text, after) {
				t.Errorf("%s", text)
			}
		})
	}
}

// min.insync.replicas above the smallest replica count is a warning.
func TestTooFewReplicas(t *testing.T) {
	b := newBench(t, nil) // two replicas
	got := b.tf.Plan(b.resource, b.declare(configs{"min.insync.replicas": "3"})).Diagnostics.OneWarning(t)
	if got.Summary != fmt.Sprintf("min.insync.replicas of topic %q is above its replica count", b.topic) || !strings.Contains(got.Detail, "partition 0 has 2 replica(s)") {
		t.Errorf("%s", got)
	}
	planned(t, b.tf.Plan(b.resource, b.declare(configs{"min.insync.replicas": "2"})), acctest.Create, configs{"min.insync.replicas": "2"})
}
