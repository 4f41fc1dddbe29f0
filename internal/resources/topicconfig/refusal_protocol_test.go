// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// refusals are configs that a broker refuses: the path of the error and its detail, of which %s is the topic.
var refusals = map[string]struct {
	config       any
	path, detail string
}{
	"not a number": {configs{"retention.ms": "sixty"}, `config["retention.ms"]`,
		`INVALID_CONFIG: Invalid value sixty for configuration retention.ms: Not a number of type LONG.`},
	"empty": {configs{"retention.ms": ""}, `config["retention.ms"]`,
		`INVALID_CONFIG: Invalid value  for configuration retention.ms: Not a number of type LONG.`},
	"out of range": {configs{"segment.ms": "3600000", "retention.ms": "-5"}, `config["retention.ms"]`,
		`INVALID_CONFIG: Invalid value -5 for configuration retention.ms: Value must be at least -1.`},
	"not in the enumeration": {configs{"compression.type": "GZIP"}, `config["compression.type"]`,
		`INVALID_CONFIG: Invalid value GZIP for configuration compression.type: String must be one of: uncompressed, zstd, lz4, snappy, gzip, producer.`},
	"list item": {configs{"cleanup.policy": "compact,foo"}, `config["cleanup.policy"]`,
		`INVALID_CONFIG: Invalid value foo for configuration cleanup.policy: String must be one of: compact, delete.`},
	"boolean": {configs{"preallocate": "yes"}, `config["preallocate"]`,
		`INVALID_CONFIG: Invalid value yes for configuration preallocate: Expected value to be either true or false.`},
	"mistyped name": {configs{"retention.mss": "1"}, `config["retention.mss"]`,
		`INVALID_CONFIG: Unknown topic config name: retention.mss. Did you mean "retention.ms"?`},
	"foreign name": {configs{"completely.different.thing": "1"}, `config["completely.different.thing"]`,
		`INVALID_CONFIG: Unknown topic config name: completely.different.thing.`},
	"name with a blank": {configs{" retention.ms": "1"}, `config[" retention.ms"]`,
		`INVALID_CONFIG: Unknown topic config name:  retention.ms. Did you mean "retention.ms"?`},
	"contradiction (C-02)": {configs{"min.compaction.lag.ms": "100", "max.compaction.lag.ms": "50"}, `config["min.compaction.lag.ms"]`,
		`INVALID_CONFIG: conflict topic config setting min.compaction.lag.ms (100) > max.compaction.lag.ms (50).`},
	"policy": {configs{"retention.ms": "999999999999"}, `config["retention.ms"]`,
		`POLICY_VIOLATION: Topic %s: retention.ms 999999999999 is more than ten years (315360000000); use -1 to keep records for ever.`},
}

const correct = " Correct the configuration; nothing was written."

// Acceptance line 7; C-01, C-02, C-136: what a broker refuses is an error in the plan of a create and of an update, on the path of
// the key, in the broker's words; nothing is written.
func TestRefusedAtPlan(t *testing.T) {
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, configs{"flush.ms": "1000"})
			detail := strings.ReplaceAll(c.detail, "%s", b.topic) + correct
			created := b.tf.Plan(b.resource, b.declare(c.config)).Diagnostics.One(t)
			want := acctest.Diagnostic{Path: c.path, Summary: fmt.Sprintf("The brokers refuse the planned create of the configs of topic %q", b.topic), Detail: detail}
			if created != want {
				t.Errorf("Create: %s\nwant %s", created, want)
			}
			b.tf.Apply(b.resource, b.declare(configs{"flush.ms": "1000"}))
			want.Summary = fmt.Sprintf("The brokers refuse the planned update of the configs of topic %q", b.topic)
			if updated := b.tf.Plan(b.resource, b.declare(c.config)).Diagnostics.One(t); updated != want {
				t.Errorf("Update: %s\nwant %s", updated, want)
			}
			if n := len(b.rec.Writes()); n != 0 {
				t.Errorf("%d writes were sent", n)
			}
			b.has(configs{"flush.ms": "1000"})
		})
	}
}

// C-01, C-136: with plan_validation = "off" the plan asks nobody, and the apply says the same on the same path; state stays true. A
// refused create leaves nothing behind.
func TestRefusedAtApply(t *testing.T) {
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.tf.Provider["plan_validation"] = "off"
			want := acctest.Diagnostic{Path: c.path, Detail: strings.ReplaceAll(c.detail, "%s", b.topic) + correct}
			for _, action := range []acctest.Action{acctest.Create, acctest.Update} {
				p := b.tf.Plan(b.resource, b.declare(c.config))
				plans(t, p, action, c.config)
				want.Summary = fmt.Sprintf("Cannot %s the configs of topic %q", action, b.topic)
				if got := b.tf.ApplyPlan(p).One(t); got != want {
					t.Errorf("%s\nwant %s", got, want)
				}
				b.tf.Apply(b.resource, b.declare(configs{"segment.ms": "3600000"}))
			}
			if n := len(b.rec.Validations()); n != 0 {
				t.Errorf("%d validations were sent", n)
			}
			b.has(configs{"segment.ms": "3600000"})
		})
	}
}

// With plan_validation = "warn" a refusal is a warning of the same words, and the apply then fails.
func TestRefusalAsWarning(t *testing.T) {
	b := newBench(t, nil)
	b.tf.Provider["plan_validation"] = "warn"
	p := b.tf.Plan(b.resource, b.declare(configs{"retention.ms": "sixty"}))
	got := p.Diagnostics.OneWarning(t)
	if want := refusals["not a number"]; got.Path != want.path || got.Detail != want.detail+correct {
		t.Errorf("%s", got)
	}
	b.tf.ApplyPlan(p).One(t)
	b.has(configs{})
}

// Acceptance line 7: a refusal that names only a key which the plan resets stands on the map; one in a sensitive map on its key.
func TestWhereARefusalStands(t *testing.T) {
	b := newBench(t, nil)
	b.tf.Apply(b.resource, b.declare(configs{"min.compaction.lag.ms": "50", "max.compaction.lag.ms": "100"}))
	for _, c := range []struct {
		config values
		path   string
	}{
		{values{"sensitive_config": configs{"retention.ms": "sixty"}}, `sensitive_config["retention.ms"]`},
		{values{"sensitive_config_wo": configs{"retention.ms": "sixty"}, "sensitive_config_wo_version": 1}, `sensitive_config_wo["retention.ms"]`},
		{values{"config": configs{"min.compaction.lag.ms": "200", "max.compaction.lag.ms": "100"}}, `config["min.compaction.lag.ms"]`},
		{values{"sensitive_config": configs{"max.compaction.lag.ms": "20"}, "config": configs{"min.compaction.lag.ms": "50"}}, `sensitive_config["max.compaction.lag.ms"]`},
		{values{"config": configs{"max.compaction.lag.ms": "40"}, "sensitive_config": configs{"min.compaction.lag.ms": "50"}}, `config["max.compaction.lag.ms"]`},
	} {
		if got := b.tf.Plan(b.resource, c.config.With("topic", b.topic)).Diagnostics.One(t); got.Path != c.path {
			t.Errorf("%v: %s\nwant it at %s", c.config, got, c.path)
		}
	}
}

// What needs no broker is refused before any is asked: acceptance line 21; C-138.
func TestInvalidConfiguration(t *testing.T) {
	long := strings.Repeat("x", 40000)
	for name, c := range map[string]struct {
		config  values
		path    string
		summary string
		detail  string
	}{
		"long value":         {values{"topic": "t", "config": configs{"a": long}}, `config["a"]`, "Config value is too long", "40000 bytes"},
		"long flagged value": {values{"topic": "t", "sensitive_config": configs{"a": long}}, `sensitive_config["a"]`, "Config value is too long", "40000 bytes"},
		"long write-only value": {values{"topic": "t", "sensitive_config_wo": configs{"a": long}, "sensitive_config_wo_version": 1},
			`sensitive_config_wo["a"]`, "Config value is too long", "40000 bytes"},
		"bytes count, not characters": {values{"topic": "t", "config": configs{"a": strings.Repeat("é", 20000)}}, `config["a"]`, "Config value is too long", "40000 bytes"},
		"empty key":                   {values{"topic": "t", "config": configs{"": "1"}}, `config[""]`, "", "at least 1"},
		"declared twice": {values{"topic": "t", "config": configs{"a": "1"}, "sensitive_config": configs{"a": "2"}}, `sensitive_config["a"]`,
			`Config "a" is declared twice`, "stands in config and in sensitive_config"},
		"version without values": {values{"topic": "t", "sensitive_config_wo_version": 1}, "sensitive_config_wo_version", "", "sensitive_config_wo"},
		"values without version": {values{"topic": "t", "sensitive_config_wo": configs{"a": "1"}}, "sensitive_config_wo", "", "sensitive_config_wo_version"},
		"on_destroy":             {values{"topic": "t", "on_destroy": "delete"}, "on_destroy", "", `"reset"`},
		"malformed pattern":      {values{"topic": "t", "unmanaged_keys": []string{"a[b"}}, `unmanaged_keys["a[b"]`, "", "malformed"},
		"empty pattern":          {values{"topic": "t", "unmanaged_keys": []string{" "}}, `unmanaged_keys[" "]`, "", "empty pattern"},
		"no topic":               {values{"topic": nil}, "topic", "", "required"},
		"empty topic":            {values{"topic": ""}, "topic", "Illegal topic name", "249"},
		"dot":                    {values{"topic": ".."}, "topic", "Illegal topic name", "249"},
		"250 characters":         {values{"topic": strings.Repeat("t", 250)}, "topic", "Illegal topic name", "249"},
		"blank":                  {values{"topic": "a b"}, "topic", "Illegal topic name", `"a b"`},
		"line feed":              {values{"topic": "a\n"}, "topic", "Illegal topic name", "249"},
		"umlaut":                 {values{"topic": "grün"}, "topic", "Illegal topic name", "249"},
		"timeout":                {values{"topic": "t", "timeouts": values{"create": "soon"}}, "timeouts.create", "", "unit suffix"},
		"no time":                {values{"topic": "t", "timeouts": values{"update": "0s"}}, "timeouts.update", "Timeout is over at once", `"0s" is not positive`},
		"negative time":          {values{"topic": "t", "timeouts": values{"delete": "-5m"}}, "timeouts.delete", "Timeout is over at once", "or leave it out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := terraform(t).Start().Validate(typeName, c.config).One(t)
			if strings.Contains(got.Detail, long[:100]) || got.Path != c.path || c.summary != "" && got.Summary != c.summary || !strings.Contains(got.Detail, c.detail) {
				t.Errorf("%s", got)
			}
		})
	}
	terraform(t).Start().Validate(typeName, values{"topic": acctest.Unknown, "config": acctest.Unknown, "unmanaged_keys": []any{acctest.Unknown}}).None(t)
}

// Acceptance line 21: the longest value that the protocol carries is carried.
func TestLongestValue(t *testing.T) {
	b := newBench(t, nil)
	value := strings.Repeat("0:1,", 32767/4) + "0:1"
	config := b.declare(configs{"leader.replication.throttled.replicas": value})
	b.tf.Apply(b.resource, config)
	b.has(configs{"leader.replication.throttled.replicas": value})
	b.tf.Empty(b.resource, config)
}

// A name that the protocol cannot carry is refused at plan as well.
func TestLongName(t *testing.T) {
	b := newBench(t, nil)
	got := b.tf.Plan(b.resource, b.declare(configs{strings.Repeat("k", 33000): "1"})).Diagnostics.One(t)
	if !strings.Contains(got.Detail, "is 33000 bytes long") || len(got.Detail) > 1000 {
		t.Errorf("%s", got)
	}
}

// C-18: what could not be read is not stored: the refresh fails with the reason, and state stays.
func TestAFailedReadStoresNothing(t *testing.T) {
	b := newBench(t, nil)
	config := b.declare(configs{"retention.ms": "3600000"})
	b.applied(config)
	b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.DescribeConfigs) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(r kmsg.Response) {
			resource := &r.(*kmsg.DescribeConfigsResponse).Resources[0]
			resource.ErrorCode, resource.ErrorMessage, resource.Configs = -1, kmsg.StringPtr("the disk is on fire"), nil
		})
	})
	got := b.tf.Plan(b.resource, config).Diagnostics.One(t)
	if got.Summary != fmt.Sprintf("Cannot read the configs of topic %q", b.topic) || !strings.HasPrefix(got.Detail, "UNKNOWN_SERVER_ERROR: the disk is on fire.") {
		t.Errorf("%s", got)
	}
	b.inState(configs{"retention.ms": "3600000"})
}
