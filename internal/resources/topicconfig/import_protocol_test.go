// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 12; C-23, C-120, C-138: an import stores the topic's own keys and every default, so that the matching configuration
// plans nothing and sends nothing, for every kind of name, by id and by identity.
func TestImport(t *testing.T) {
	own := configs{"segment.ms": "3600000", "cleanup.policy": "compact,delete"}
	suffix := fmt.Sprintf("%08x", rand.Uint32())
	for _, name := range []string{"plain-" + suffix, "with.dots." + suffix, "under_scores_" + suffix, "UPPER-" + suffix, "-dash-" + suffix, "_" + suffix, "0" + suffix,
		strings.Repeat("l", 249-len(suffix)) + suffix} {
		t.Run(name[:min(len(name), 12)], func(t *testing.T) {
			t.Parallel()
			cluster := testbed.Shared(t)
			cluster.CreateTopic(t, name, 1, 1, own)
			rec := testbed.Record(t, cluster)
			tf := terraform(t, rec.BootstrapServers()...)
			want := values{"topic": name, "config": plain(own), "sensitive_config": nil, "sensitive_config_wo": nil, "sensitive_config_wo_version": nil,
				"unmanaged_keys": nil, "sensitive_keys": []any{}, "on_destroy": "reset", "timeouts": nil}
			for _, imported := range []func(*acctest.Walk, *acctest.Resource) acctest.Diagnostics{
				func(w *acctest.Walk, r *acctest.Resource) acctest.Diagnostics { return w.Import(r, name) },
				func(w *acctest.Walk, r *acctest.Resource) acctest.Diagnostics {
					return w.ImportIdentity(r, values{"topic": name})
				},
			} {
				w, resource := tf.Walk(), tf.Resource(typeName)
				imported(w, resource).None(t)
				if got := resource.State(); !reflect.DeepEqual(got, want) {
					t.Errorf("State is %v, want %v", got, want)
				}
				if got := resource.Identity(w); !reflect.DeepEqual(got, map[string]any{"topic": name}) {
					t.Errorf("The identity is %v", got)
				}
				tf.Empty(resource, declare(name, own))
				tf.Empty(resource, declare(name, configs{"segment.ms": "03600000", "cleanup.policy": "compact, delete"}))
			}
			if n := len(rec.Writes()) + len(rec.Validations()); n != 0 {
				t.Errorf("%d writes and validations", n)
			}
		})
	}
}

// C-138: names that differ in a dot and an underscore are two topics. Kafka refuses to make both, so one of them is absent.
func TestNamesAreNotMixed(t *testing.T) {
	t.Parallel()
	cluster := testbed.Shared(t)
	tf := terraform(t, cluster.BootstrapServers()...)
	name := fmt.Sprintf("a.b-%08x", rand.Uint32())
	cluster.CreateTopic(t, name, 1, 1, configs{"segment.ms": "3600000"})
	tf.Walk().Import(tf.Resource(typeName), name).None(t)
	got := tf.Walk().Import(tf.Resource(typeName), strings.ReplaceAll(name, ".", "_")).One(t)
	if !strings.Contains(got.Detail, "does not exist") {
		t.Errorf("%s", got)
	}
}

// C-10, C-23: keys that an import brought, that are not declared and that unmanaged_keys matches, stay.
func TestImportThenUnmanagedKeys(t *testing.T) {
	b := newBench(t, configs{"segment.ms": "3600000", "flush.ms": "5000"})
	b.tf.Walk().Import(b.resource, b.topic).None(t)
	config := b.declare(configs{"segment.ms": "3600000"}).With("unmanaged_keys", []string{"flush.*"})
	b.tf.Apply(b.resource, config).None(t)
	b.has(configs{"segment.ms": "3600000", "flush.ms": "5000"})
	b.tf.Empty(b.resource, config)
	b.tf.Destroy(b.resource).None(t)
	b.has(configs{"flush.ms": "5000"})
}

// C-23: what was imported and is not declared shows as its removal, like any other drift.
func TestImportThenLess(t *testing.T) {
	b := newBench(t, configs{"segment.ms": "3600000", "flush.ms": "5000"})
	b.tf.Walk().Import(b.resource, b.topic).None(t)
	p := b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "3600000"}))
	planned(t, p, acctest.Update, configs{"segment.ms": "3600000"})
	b.tf.ApplyPlan(p).None(t)
	b.wrote(map[string]any{"flush.ms": nil})
}

// Imported and never applied, then destroyed: what state knows is reset.
func TestImportThenDestroy(t *testing.T) {
	b := newBench(t, configs{"segment.ms": "3600000", "leader.replication.throttled.replicas": "*"})
	b.tf.Walk().Import(b.resource, b.topic).None(t)
	b.tf.Destroy(b.resource).None(t)
	b.has(configs{"leader.replication.throttled.replicas": "*"})
}

// An import with a write-only map writes it once.
func TestImportThenWriteOnly(t *testing.T) {
	b := newBench(t, configs{"segment.ms": "3600000"})
	b.tf.Walk().Import(b.resource, b.topic).None(t)
	b.tf.Apply(b.resource, b.writeOnly(configs{"segment.ms": "3600000"}, 1))
	b.wrote(map[string]any{"segment.ms": "3600000"})
	b.tf.Empty(b.resource, b.writeOnly(configs{"segment.ms": "3600000"}, 1))
}

// C-119: an import says what is wrong: a malformed id, a topic that does not exist, a cluster that cannot be reached.
func TestImportErrors(t *testing.T) {
	t.Parallel()
	cluster := testbed.Shared(t)
	absent := testbed.UniqueName(t)
	for name, c := range map[string]struct {
		servers     []string
		id, summary string
		details     []string
	}{
		"malformed": {cluster.BootstrapServers(), "a b", "Malformed import id", []string{"name of the topic", `"a b"`, "249"}},
		"absent": {cluster.BootstrapServers(), absent, fmt.Sprintf("Cannot import the configs of topic %q", absent),
			[]string{fmt.Sprintf("The topic %q does not exist", absent)}},
		"unreachable": {[]string{"127.0.0.1:1"}, absent, fmt.Sprintf("Cannot read the configs of topic %q", absent), []string{"127.0.0.1:1: connection refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			tf := terraform(t, c.servers...)
			got := tf.Walk().Import(tf.Resource(typeName), c.id).One(t)
			if got.Summary != c.summary {
				t.Errorf("%s", got)
			}
			for _, text := range c.details {
				if !strings.Contains(got.Detail, text) {
					t.Errorf("%q is not in %s", text, got)
				}
			}
		})
	}
}

// C-20: a change of configs keeps topic and records.
func TestRecordsStay(t *testing.T) {
	b := newBench(t, nil)
	client, err := kgo.NewClient(kgo.SeedBrokers(b.cluster.BootstrapServers()...), kgo.ConsumeTopics(b.topic))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.ProduceSync(t.Context(), &kgo.Record{Topic: b.topic, Value: []byte("kept")}).FirstErr(); err != nil {
		t.Fatal(err)
	}
	for _, config := range []values{b.declare(configs{"segment.ms": "3600000", "max.message.bytes": "100000"}), b.declare(configs{"flush.ms": "5000"}), b.declare(nil)} {
		b.tf.Apply(b.resource, config)
	}
	b.tf.Destroy(b.resource)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fetched := client.PollRecords(ctx, 1)
	if fetched.Err() != nil || fetched.NumRecords() != 1 || string(fetched.Records()[0].Value) != "kept" {
		t.Errorf("Fetched %d records: %v", fetched.NumRecords(), fetched.Err())
	}
}
