// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"net"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 10: a plan with unknown values works, asks no broker to check half a set, and its apply with the values known does
// what was planned.
func TestUnknownValues(t *testing.T) {
	all := func(b bench) values {
		return values{"topic": b.topic, "config": configs{"segment.ms": "7200000"}, "sensitive_config": configs{"segment.bytes": "2097152"}}
	}
	for name, unknown := range map[string]values{
		"an element":           {"config": values{"segment.ms": acctest.Unknown}},
		"the map":              {"config": acctest.Unknown},
		"a flagged element":    {"sensitive_config": values{"segment.bytes": acctest.Unknown}},
		"the flagged map":      {"sensitive_config": acctest.Unknown},
		"the topic":            {"topic": acctest.Unknown},
		"everything":           {"topic": acctest.Unknown, "config": acctest.Unknown, "sensitive_config": acctest.Unknown},
		"the patterns":         {"unmanaged_keys": acctest.Unknown},
		"a pattern":            {"unmanaged_keys": []any{acctest.Unknown}},
		"on_destroy":           {"on_destroy": acctest.Unknown},
		"the write-only map":   {"sensitive_config_wo": acctest.Unknown, "sensitive_config_wo_version": 1},
		"a write-only element": {"sensitive_config_wo": values{"flush.ms": acctest.Unknown}, "sensitive_config_wo_version": 1},
		"the version":          {"sensitive_config_wo": configs{"flush.ms": "5000"}, "sensitive_config_wo_version": acctest.Unknown},
	} {
		for _, action := range []acctest.Action{acctest.Create, acctest.Update} {
			t.Run(name+" "+string(action), func(t *testing.T) {
				b := newBench(t, nil)
				known, config := all(b), all(b)
				for attribute, value := range unknown {
					config = config.With(attribute, value)
				}
				for attribute, value := range map[string]any{"unmanaged_keys": []string{"x.*"}, "on_destroy": "keep",
					"sensitive_config_wo": configs{"flush.ms": "5000"}, "sensitive_config_wo_version": 1} {
					if _, is := config[attribute]; is {
						known = known.With(attribute, value)
					}
				}
				want := configs{"segment.ms": "7200000", "segment.bytes": "2097152"}
				if _, is := known["sensitive_config_wo"]; is {
					want["flush.ms"] = "5000"
				}
				if action == acctest.Update {
					b.tf.Apply(b.resource, b.declare(configs{"segment.ms": "3600000", "max.message.bytes": "100000"}))
				}
				b.rec.Reset()
				p := b.tf.Plan(b.resource, config)
				p.Diagnostics.None(t)
				if config["topic"] == acctest.Unknown && action == acctest.Update {
					action = acctest.Replace
				}
				if p.Action != action {
					t.Fatalf("The plan is a %s", p.Action)
				}
				if n := len(b.rec.Validations()); n != 0 && action != acctest.Replace && name != "on_destroy" {
					t.Errorf("%d validations of half a set", n)
				}
				b.tf.Walk().Apply(p, known).NoErrors(t)
				b.has(want)
				b.tf.Empty(b.resource, known)
			})
		}
	}
}

// Acceptance line 10; C-105: with unknown bootstrap servers, or any other attribute of the connection that is unknown, creates, updates
// and destroys are planned without the cluster; a refresh, an import and an apply say why they cannot be done. The environment is not
// read, and nobody is connected to.
func TestUnknownProvider(t *testing.T) {
	cluster := testbed.Shared(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	var connections atomic.Int32
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			_ = conn.Close()
		}
	}()
	t.Setenv("KAFKA_BOOTSTRAP_SERVERS", listener.Addr().String())
	t.Setenv("KAFKA_CLUSTER_ID", cluster.ClusterID())
	b := benchOn(t, cluster, nil)
	config := b.declare(configs{"segment.ms": "3600000"})
	b.tf.Apply(b.resource, config)
	for name, attributes := range map[string]values{
		"bootstrap_servers": {"bootstrap_servers": acctest.Unknown},
		"one of them":       {"bootstrap_servers": []any{b.rec.BootstrapServers()[0], acctest.Unknown}},
		"cluster_id":        {"bootstrap_servers": b.rec.BootstrapServers(), "cluster_id": acctest.Unknown},
		"request_timeout":   {"bootstrap_servers": b.rec.BootstrapServers(), "request_timeout": acctest.Unknown},
		"unmanaged_keys":    {"bootstrap_servers": b.rec.BootstrapServers(), "unmanaged_keys": []any{acctest.Unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			b.rec.Reset()
			tf := acctest.New(t, attributes)
			planned(t, tf.Walk().Plan(tf.Resource(typeName), config), acctest.Create, configs{"segment.ms": "3600000"})
			planned(t, tf.Walk().Plan(b.resource.Copy(), b.declare(configs{"segment.ms": "1"})), acctest.Update, configs{"segment.ms": "1"})
			tf.Walk().Plan(b.resource.Copy(), nil).Diagnostics.None(t)
			says := func(got acctest.Diagnostic) {
				t.Helper()
				attribute := strings.ReplaceAll(name, "one of them", "bootstrap_servers")
				if !strings.Contains(got.Detail, "The provider's "+attribute+" is not known yet") || !strings.Contains(got.Detail, "-target") {
					t.Errorf("%s", got)
				}
			}
			says(tf.Walk().Refresh(b.resource.Copy()).One(t))
			says(tf.Walk().Import(tf.Resource(typeName), b.topic).One(t))
			says(tf.ApplyPlan(tf.Walk().Plan(tf.Resource(typeName), config)).One(t))
			says(tf.ApplyPlan(tf.Walk().Plan(b.resource.Copy(), b.declare(configs{"segment.ms": "7200000"}))).One(t))
			says(tf.ApplyPlan(tf.Walk().Plan(b.resource.Copy(), nil)).One(t))
			if n := len(b.rec.Requests()); n != 0 || connections.Load() != 0 {
				t.Errorf("%d requests and %d connections to what the environment names", n, connections.Load())
			}
		})
	}
	b.has(configs{"segment.ms": "3600000"})
	if reflect.DeepEqual(b.resource.State(), nil) {
		t.Error("State is gone")
	}
}

// C-106: without attribute the environment counts.
func TestEnvironment(t *testing.T) {
	cluster := testbed.Shared(t)
	t.Setenv("KAFKA_BOOTSTRAP_SERVERS", " 127.0.0.1:1, "+strings.Join(cluster.BootstrapServers(), " , ")+",")
	t.Setenv("KAFKA_CLUSTER_ID", cluster.ClusterID())
	t.Setenv("KAFKA_UNMANAGED_KEYS", "flush.*, x")
	b := benchOn(t, cluster, configs{"flush.ms": "5000"})
	tf := acctest.New(t, values{})
	resource := tf.Resource(typeName)
	tf.Apply(resource, b.declare(configs{"segment.ms": "3600000"})).None(t)
	b.has(configs{"segment.ms": "3600000", "flush.ms": "5000"})
}
