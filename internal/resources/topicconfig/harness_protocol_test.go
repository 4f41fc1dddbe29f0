// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"reflect"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const typeName = "kafka_topic_config"

// visible bounds how long a test waits for brokers.
const visible = 2 * time.Minute

// configs are configs of a topic by name.
type configs = map[string]string

// values are attributes by name, or elements of a map that are null or unknown.
type values = acctest.Values

// terraform makes a Terraform whose provider has these bootstrap servers.
func terraform(t testing.TB, servers ...string) *acctest.Terraform {
	return acctest.New(t, values{"bootstrap_servers": servers})
}

// declare is a kafka_topic_config with a config map of any kind.
func declare(topic string, config any) values {
	return values{"topic": topic, "config": config}
}

// bench is a topic on the shared cluster, and a Terraform whose traffic is recorded.
type bench struct {
	t        testing.TB
	cluster  *testbed.Cluster
	topic    string
	rec      *testbed.Recorder
	tf       *acctest.Terraform
	resource *acctest.Resource
}

// newBench makes a topic with configs of its own. Tests that use it run in parallel.
func newBench(t *testing.T, own configs) bench {
	t.Helper()
	t.Parallel()
	return benchOn(t, testbed.Shared(t), own)
}

func benchOn(t testing.TB, cluster *testbed.Cluster, own configs) bench {
	t.Helper()
	topic := testbed.UniqueName(t)
	cluster.CreateTopic(t, topic, 1, 2, own)
	rec := testbed.Record(t, cluster)
	tf := terraform(t, rec.BootstrapServers()...)
	return bench{t: t, cluster: cluster, topic: topic, rec: rec, tf: tf, resource: tf.Resource(typeName)}
}

// declare is the bench's topic with a config map.
func (b bench) declare(config any) values { return declare(b.topic, config) }

// applied applies a configuration and forgets the requests of it.
func (b bench) applied(config values) bench {
	b.t.Helper()
	b.tf.Apply(b.resource, config)
	b.rec.Reset()
	return b
}

// quiet fails the test if a write or a validation was sent.
func (b bench) quiet() {
	b.t.Helper()
	if n := len(b.rec.Writes()) + len(b.rec.Validations()); n > 0 {
		b.t.Fatalf("%d writes and validations where none are due:\n%s", n, b.rec)
	}
}

// wrote fails the test unless exactly one write was sent, with exactly these keys: a value sets, nil deletes.
func (b bench) wrote(want map[string]any) {
	b.t.Helper()
	writes := b.rec.Writes()
	if len(writes) != 1 {
		b.t.Fatalf("%d writes where one is due:\n%s", len(writes), b.rec)
	}
	if got := altered(b.t, writes[0], b.topic); !reflect.DeepEqual(got, want) {
		b.t.Fatalf("The write says %v, want %v", got, want)
	}
}

// altered is what an IncrementalAlterConfigs request sets (a value) and deletes (nil).
func altered(t testing.TB, request testbed.Request, topic string) map[string]any {
	t.Helper()
	body, ok := request.Body.(*kmsg.IncrementalAlterConfigsRequest)
	if !ok || len(body.Resources) != 1 || body.Resources[0].ResourceName != topic {
		t.Fatalf("Not one alteration of topic %q: %s", topic, request)
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

// has fails the test unless every broker, asked now and once by a client that is not the provider's, shows exactly this own set.
func (b bench) has(want configs) {
	b.t.Helper()
	client := b.cluster.Client(b.t)
	for _, broker := range b.cluster.Brokers() {
		got, err := ownAt(b.t.Context(), client.Broker(broker.ID), b.topic)
		if err != nil || !maps.Equal(got, want) {
			b.t.Fatalf("Broker %d shows %v (%v), want %v", broker.ID, got, err, want)
		}
	}
}

// ownAt asks one broker for a topic's own configs.
func ownAt(ctx context.Context, broker *kgo.Broker, topic string) (configs, error) {
	described, err := describeAt(ctx, broker, topic)
	if err != nil {
		return nil, err
	}
	own := configs{}
	for _, c := range described {
		if c.Source == kmsg.ConfigSourceDynamicTopicConfig && c.Value != nil {
			own[c.Name] = *c.Value
		}
	}
	return own, nil
}

func describeAt(ctx context.Context, broker *kgo.Broker, topic string) ([]kmsg.DescribeConfigsResponseResourceConfig, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeTopic, topic
	request.Resources = append(request.Resources, resource)
	response, err := broker.Request(ctx, request)
	if err != nil {
		return nil, err
	}
	described := response.(*kmsg.DescribeConfigsResponse).Resources[0]
	return described.Configs, kerr.ErrorForCode(described.ErrorCode)
}

// outside changes the topic's configs behind Terraform's back: a value sets, nil deletes. It returns when every broker shows it.
func (b bench) outside(change map[string]any) {
	b.t.Helper()
	alterOutside(b.t, b.cluster, b.topic, change)
}

func alterOutside(t testing.TB, cluster *testbed.Cluster, topic string, change map[string]any) {
	t.Helper()
	var alterations []kadm.AlterConfig
	for key, value := range change {
		alteration := kadm.AlterConfig{Op: kadm.DeleteConfig, Name: key}
		if text, ok := value.(string); ok {
			alteration.Op, alteration.Value = kadm.SetConfig, &text
		}
		alterations = append(alterations, alteration)
	}
	answers, err := cluster.Admin(t).AlterTopicConfigs(t.Context(), alterations, topic)
	if err != nil || answers[0].Err != nil {
		t.Fatalf("Change topic %q from outside: %v %v", topic, err, answers)
	}
	cluster.EachBroker(t, fmt.Sprintf("the outside change of %q", topic), func(ctx context.Context, broker *kgo.Broker) error {
		own, err := ownAt(ctx, broker, topic)
		if err != nil {
			return err
		}
		for key, value := range change {
			if got, there := own[key]; there != (value != nil) || there && got != value {
				return fmt.Errorf("%s is %q", key, got)
			}
		}
		return nil
	})
}

// deleteTopic deletes a topic and returns when no broker shows it.
func deleteTopic(t testing.TB, cluster *testbed.Cluster, topic string) {
	t.Helper()
	if _, err := cluster.Admin(t).DeleteTopic(t.Context(), topic); err != nil {
		t.Fatalf("Delete topic %q: %v", topic, err)
	}
	cluster.EachBroker(t, "that the topic is gone", func(ctx context.Context, broker *kgo.Broker) error {
		if _, err := ownAt(ctx, broker, topic); err != kerr.UnknownTopicOrPartition { //nolint:errorlint // the package's own values
			return fmt.Errorf("it still answers: %w", err)
		}
		return nil
	})
}

// planned fails the test unless a plan has this action, says nothing, and shows this config map.
func planned(t testing.TB, p *acctest.Plan, action acctest.Action, config any) {
	t.Helper()
	p.Diagnostics.None(t)
	plans(t, p, action, config)
}

// plans is planned for a plan that may have warnings.
func plans(t testing.TB, p *acctest.Plan, action acctest.Action, config any) {
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
	default:
		return value
	}
}

// inState fails the test unless the resource's state has this config map.
func (b bench) inState(config any) {
	b.t.Helper()
	if got := b.resource.State()["config"]; !reflect.DeepEqual(got, plain(config)) {
		b.t.Fatalf("State has config %v, want %v", got, config)
	}
}

// topicID is the topic's id, which a topic of the same name that was made anew would not have.
func (b bench) topicID() string {
	b.t.Helper()
	topics, err := b.cluster.Admin(b.t).ListTopics(b.t.Context(), b.topic)
	if err != nil || topics.Error() != nil {
		b.t.Fatalf("List topic %q: %v %v", b.topic, err, topics.Error())
	}
	return topics[b.topic].ID.String()
}

// outsideThrough is outside for one key, sent through the recorder.
func (b bench) outsideThrough(key, value string) {
	b.t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.rec.BootstrapServers()...))
	if err != nil {
		b.t.Fatal(err)
	}
	defer client.Close()
	alteration := kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &value}
	if answers, err := kadm.NewClient(client).AlterTopicConfigs(b.t.Context(), []kadm.AlterConfig{alteration}, b.topic); err != nil || answers[0].Err != nil {
		b.t.Fatalf("Write through the recorder: %v %v", err, answers)
	}
}

// quietLog is a log that nobody reads: a server that refuses a handshake on purpose.
func quietLog() *log.Logger { return log.New(io.Discard, "", 0) }
