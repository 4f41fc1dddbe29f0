// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const typeName = "kafka_broker_config"

// configs are configs of a broker by name.
type configs = map[string]string

// values are attributes by name, or elements of a map that are null or unknown.
type values = acctest.Values

// ofBroker is a kafka_broker_config of one broker, with a config map of any kind.
func ofBroker(id int, config any) values { return values{"broker_id": id, "config": config} }

// ofDefault is one of the cluster default.
func ofDefault(config any) values { return values{"cluster_default": true, "config": config} }

// bench is a cluster without dynamic configs, and a Terraform whose traffic is recorded.
type bench struct {
	t       testing.TB
	cluster *testbed.Cluster
	rec     *testbed.Recorder
	tf      *acctest.Terraform
}

func newBench(t testing.TB) bench {
	t.Helper()
	return benchOn(t, own.Cluster(t))
}

func benchOn(t testing.TB, cluster *testbed.Cluster) bench {
	t.Helper()
	clean(t, cluster)
	rec := testbed.Record(t, cluster)
	return bench{t: t, cluster: cluster, rec: rec, tf: acctest.New(t, values{"bootstrap_servers": rec.BootstrapServers()})}
}

// applied applies a configuration to a new resource and forgets the requests of it.
func (b bench) applied(config values) *acctest.Resource {
	b.t.Helper()
	r := b.tf.Resource(typeName)
	b.setUp(r, config)
	return r
}

// setUp applies a configuration without having the plan checked, which takes the probe's time in each run, and forgets the requests of it.
func (b bench) setUp(r *acctest.Resource, config values) {
	b.t.Helper()
	unchecked := b.tf.For(b.t)
	unchecked.Provider["plan_validation"] = "off"
	unchecked.Apply(r, config)
	b.rec.Reset()
}

func (b bench) has(name string, want configs) {
	b.t.Helper()
	has(b.t, b.cluster, name, want)
}

func (b bench) outside(name string, change map[string]any) {
	b.t.Helper()
	alter(b.t, b.cluster, name, change)
}

// quiet fails the test if a write or a validation was sent.
func (b bench) quiet() {
	b.t.Helper()
	if n := len(b.rec.Writes()) + len(b.rec.Validations()); n > 0 {
		b.t.Fatalf("%d writes and validations where none are due:\n%s", n, b.rec)
	}
}

// wrote fails the test unless exactly one write was sent, for this entity with exactly these keys (a value sets, nil deletes), and
// to the broker that it names.
func (b bench) wrote(name string, want map[string]any) {
	b.t.Helper()
	writes := b.rec.Writes()
	if len(writes) != 1 {
		b.t.Fatalf("%d writes where one is due:\n%s", len(writes), b.rec)
	}
	got := altered(b.t, writes[0], name)
	if !reflect.DeepEqual(got, want) {
		b.t.Fatalf("The write says %v, want %v", got, want)
	}
}

// altered is what a request sets (a value) and deletes (nil). One for a named broker must have gone to that broker (C-27).
func altered(t testing.TB, request testbed.Request, name string) map[string]any {
	t.Helper()
	body, ok := request.Body.(*kmsg.IncrementalAlterConfigsRequest)
	if !ok || len(body.Resources) != 1 || body.Resources[0].ResourceType != kmsg.ConfigResourceTypeBroker || body.Resources[0].ResourceName != name {
		t.Fatalf("Not one alteration of %q: %s", name, request)
	}
	if name != clusterDefault && name != strconv.Itoa(request.Broker) {
		t.Fatalf("The alteration of broker %s went to broker %d", name, request.Broker)
	}
	got := map[string]any{}
	for _, c := range body.Resources[0].Configs {
		switch {
		case c.Op == kmsg.IncrementalAlterConfigOpSet && c.Value != nil:
			got[c.Name] = *c.Value
		case c.Op == kmsg.IncrementalAlterConfigOpDelete && c.Value == nil:
			got[c.Name] = nil
		default:
			t.Fatalf("Neither a SET with a value nor a DELETE without one: %s %s", c.Op, c.Name)
		}
	}
	return got
}

// probes are the validations that find out whether the cluster honours validate_only; others are all the rest.
func (b bench) probes() (probes, others []testbed.Request) {
	for _, request := range b.rec.Validations() {
		body, ok := request.Body.(*kmsg.IncrementalAlterConfigsRequest)
		if ok && len(body.Resources) == 1 && len(body.Resources[0].Configs) == 1 && isProbe(body.Resources[0].Configs[0].Name) {
			probes = append(probes, request)
		} else {
			others = append(others, request)
		}
	}
	return probes, others
}

func isProbe(key string) bool { return strings.HasPrefix(key, "terraform.provider.kafka.probe.") }

// planned fails the test unless a plan has this action and shows this config map. It may have warnings.
func planned(t testing.TB, p *acctest.Plan, action acctest.Action, config any) {
	t.Helper()
	p.Diagnostics.NoErrors(t)
	if p.Action != action || !reflect.DeepEqual(p.After["config"], plain(config)) {
		t.Fatalf("The plan is a %s to %v, want a %s to %v", p.Action, p.After["config"], action, config)
	}
}

// plain is how values are read back.
func plain(value any) any {
	switch v := value.(type) {
	case configs:
		m := map[string]any{}
		for key, text := range v {
			m[key] = text
		}
		return m
	case values:
		return map[string]any(v)
	case []string:
		items := []any{}
		for _, item := range v {
			items = append(items, item)
		}
		return items
	default:
		return value
	}
}

// inState fails the test unless the resource's state has this attribute.
func inState(t testing.TB, r *acctest.Resource, attribute string, want any) {
	t.Helper()
	if got := r.State()[attribute]; !reflect.DeepEqual(got, plain(want)) {
		t.Fatalf("State has %s = %v, want %v", attribute, got, want)
	}
}

// mentions fails the test unless a diagnostic's text has all of these.
func mentions(t testing.TB, d acctest.Diagnostic, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.Summary+"\n"+d.Detail, text) {
			t.Errorf("It does not say %q: %s", text, d)
		}
	}
}

// waitFor polls until check gives nil.
func waitFor(t testing.TB, what string, check func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		err := check(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("Waiting for %s: %v", what, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
