// SPDX-License-Identifier: MPL-2.0

package compat

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	topicType  = "kafka_topic_config"
	brokerType = "kafka_broker_config"
)

// configs are configs by name, values attributes by name.
type (
	configs = map[string]string
	values  = acctest.Values
)

// hidden stands for a value that brokers do not show.
const hidden = "(hidden)"

// entity is who has configs: a topic by its name, a broker by its id, or the cluster default, which has no name.
type entity struct {
	kind kmsg.ConfigResourceType
	name string
}

func topicEntity(name string) entity { return entity{kmsg.ConfigResourceTypeTopic, name} }
func brokerEntity(id int) entity     { return entity{kmsg.ConfigResourceTypeBroker, strconv.Itoa(id)} }

var clusterDefault = entity{kmsg.ConfigResourceTypeBroker, ""}

// bench is a cluster without dynamic configs of brokers, and a Terraform whose traffic is recorded.
type bench struct {
	*testing.T
	platform platform
	cluster  *testbed.Cluster
	client   *kgo.Client // not the provider's
	rec      *testbed.Recorder
	tf       *acctest.Terraform
}

func newBench(t *testing.T, cluster *testbed.Cluster, p platform) *bench {
	t.Helper()
	b := &bench{T: t, platform: p, cluster: cluster, client: cluster.Client(t)}
	b.clean()
	b.rec = testbed.Record(t, cluster)
	b.tf = acctest.New(t, values{"bootstrap_servers": b.rec.BootstrapServers()})
	return b
}

func (b *bench) offers(a *api) bool { return !slices.Contains(b.platform.lacks, a) }

// topic makes a topic with configs of its own.
func (b *bench) topic(own configs) string {
	b.Helper()
	name := testbed.UniqueName(b)
	b.cluster.CreateTopic(b, name, 1, 2, own)
	return name
}

// clean resets what the case before has left at the brokers, but for what Kafka itself holds at the cluster default.
func (b *bench) clean() {
	b.Helper()
	for _, e := range append(b.brokers(), clusterDefault) {
		left := b.own(e)
		if e == clusterDefault && left["min.insync.replicas"] == "1" {
			delete(left, "min.insync.replicas")
		}
		if len(left) == 0 {
			continue
		}
		change := map[string]any{}
		for key := range left {
			change[key] = nil
			if e == clusterDefault && key == "min.insync.replicas" && b.offers(registered) {
				change[key] = "1"
			}
		}
		b.outside(e, change)
	}
}

func (b *bench) brokers() []entity {
	var entities []entity
	for _, broker := range b.cluster.Brokers() {
		if broker.Pid != 0 {
			entities = append(entities, brokerEntity(broker.ID))
		}
	}
	return entities
}

// views are the brokers that can be asked for an entity: a broker itself, otherwise all that run.
func (b *bench) views(e entity) []int {
	var ids []int
	for _, broker := range b.cluster.Brokers() {
		if broker.Pid != 0 && (e.kind == kmsg.ConfigResourceTypeTopic || e == clusterDefault || e == brokerEntity(broker.ID)) {
			ids = append(ids, broker.ID)
		}
	}
	return ids
}

// ownAt gives the configs that an entity itself holds, by Kafka's own source, as one broker shows them now.
func (b *bench) ownAt(ctx context.Context, broker int, e entity) (configs, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = e.kind, e.name
	request.Resources = append(request.Resources, resource)
	response, err := b.client.Broker(broker).Request(ctx, request)
	if err != nil {
		return nil, err
	}
	described := response.(*kmsg.DescribeConfigsResponse).Resources[0]
	source := map[bool]kmsg.ConfigSource{true: kmsg.ConfigSourceDynamicDefaultBrokerConfig, false: kmsg.ConfigSourceDynamicBrokerConfig}[e == clusterDefault]
	if e.kind == kmsg.ConfigResourceTypeTopic {
		source = kmsg.ConfigSourceDynamicTopicConfig
	}
	own := configs{}
	for _, c := range described.Configs {
		switch {
		case c.Source != source:
		case c.IsSensitive:
			own[c.Name] = hidden
		case c.Value != nil:
			own[c.Name] = *c.Value
		}
	}
	return own, kerr.ErrorForCode(described.ErrorCode)
}

func (b *bench) own(e entity) configs {
	b.Helper()
	own, err := b.ownAt(b.Context(), b.views(e)[0], e)
	if err != nil {
		b.Fatalf("Describe %+v: %v", e, err)
	}
	return own
}

// has fails the test unless every broker that can be asked shows exactly this set, now. What Kafka holds at the cluster default need
// not be named.
func (b *bench) has(e entity, want configs) {
	b.Helper()
	for _, id := range b.views(e) {
		got, err := b.ownAt(b.Context(), id, e)
		if _, named := want["min.insync.replicas"]; !named && e == clusterDefault && got["min.insync.replicas"] == "1" {
			delete(got, "min.insync.replicas")
		}
		if err != nil || !maps.Equal(got, want) {
			b.Errorf("Broker %d shows for %q %v (%v), want %v", id, e.name, got, err, want)
		}
	}
}

// outside changes an entity behind Terraform's back: a value sets, nil deletes. It returns when every broker that can be asked shows it.
func (b *bench) outside(e entity, change map[string]any) {
	b.Helper()
	ids := b.views(e)
	send := b.sendComplete
	if b.offers(incremental) {
		send = b.sendIncremental
	}
	if err := send(ids[0], e, change); err != nil {
		b.Fatalf("Change %q from outside: %v", e.name, err)
	}
	b.cluster.EachBroker(b, fmt.Sprintf("the outside change of %q", e.name), func(ctx context.Context, _ *kgo.Broker) error {
		for _, id := range ids {
			own, err := b.ownAt(ctx, id, e)
			if err != nil {
				return err
			}
			for key, value := range change {
				if got, there := own[key]; there != (value != nil) || there && got != hidden && got != value {
					return fmt.Errorf("%s is %q at broker %d", key, got, id)
				}
			}
		}
		return nil
	})
}

func (b *bench) sendIncremental(broker int, e entity, change map[string]any) error {
	request := kmsg.NewPtrIncrementalAlterConfigsRequest()
	resource := kmsg.NewIncrementalAlterConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = e.kind, e.name
	for key, value := range change {
		c := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		c.Name, c.Op = key, kmsg.IncrementalAlterConfigOpDelete
		if text, ok := value.(string); ok {
			c.Op, c.Value = kmsg.IncrementalAlterConfigOpSet, &text
		}
		resource.Configs = append(resource.Configs, c)
	}
	request.Resources = append(request.Resources, resource)
	response, err := b.client.Broker(broker).Request(b.Context(), request)
	if err != nil {
		return err
	}
	answer := response.(*kmsg.IncrementalAlterConfigsResponse).Resources[0]
	return refused(answer.ErrorCode, answer.ErrorMessage)
}

// sendComplete does it where only complete sets can be sent. Hidden values that stay would be lost, and are an error.
func (b *bench) sendComplete(broker int, e entity, change map[string]any) error {
	own, err := b.ownAt(b.Context(), broker, e)
	if err != nil {
		return err
	}
	for key, value := range change {
		delete(own, key)
		if text, ok := value.(string); ok {
			own[key] = text
		}
	}
	request := kmsg.NewPtrAlterConfigsRequest()
	resource := kmsg.NewAlterConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = e.kind, e.name
	for key, value := range own {
		if value == hidden {
			return fmt.Errorf("the value of %s is hidden", key)
		}
		c := kmsg.NewAlterConfigsRequestResourceConfig()
		c.Name, c.Value = key, &value
		resource.Configs = append(resource.Configs, c)
	}
	request.Resources = append(request.Resources, resource)
	response, err := b.client.Broker(broker).Request(b.Context(), request)
	if err != nil {
		return err
	}
	answer := response.(*kmsg.AlterConfigsResponse).Resources[0]
	return refused(answer.ErrorCode, answer.ErrorMessage)
}

func refused(code int16, message *string) error {
	if err := kerr.ErrorForCode(code); err != nil && message != nil {
		return fmt.Errorf("%w: %s", err, *message)
	} else if err != nil {
		return err
	}
	return nil
}

// wrote fails the test unless exactly one write was sent since the last reset, for this entity and, where it is a broker, to it: these
// keys and no others, a value to set and nil to delete; or, where only complete sets can be sent, the whole set.
func (b *bench) wrote(e entity, change map[string]any, whole configs) {
	b.Helper()
	writes := b.rec.Writes()
	if len(writes) != 1 {
		b.Fatalf("%d writes where one is due:\n%s", len(writes), b.rec)
	}
	got, want := map[string]any{}, change
	var at entity
	switch body := writes[0].Body.(type) {
	case *kmsg.IncrementalAlterConfigsRequest:
		at = entity{body.Resources[0].ResourceType, body.Resources[0].ResourceName}
		for _, c := range body.Resources[0].Configs {
			got[c.Name] = nil
			if c.Op == kmsg.IncrementalAlterConfigOpSet {
				got[c.Name] = *c.Value
			}
		}
	case *kmsg.AlterConfigsRequest:
		at, want = entity{body.Resources[0].ResourceType, body.Resources[0].ResourceName}, map[string]any{}
		for key, value := range whole {
			want[key] = value
		}
		for _, c := range body.Resources[0].Configs {
			got[c.Name] = *c.Value
		}
	}
	if _, complete := writes[0].Body.(*kmsg.AlterConfigsRequest); complete == b.offers(incremental) {
		b.Errorf("The write is a %s", writes[0])
	}
	if at != e || e.kind == kmsg.ConfigResourceTypeBroker && e != clusterDefault && e != brokerEntity(writes[0].Broker) {
		b.Errorf("The write of %+v went to broker %d for %+v", e, writes[0].Broker, at)
	}
	if !reflect.DeepEqual(got, want) {
		b.Errorf("The write says %v, want %v", got, want)
	}
}

// quiet fails the test if a write or a validation was sent since the last reset.
func (b *bench) quiet() {
	b.Helper()
	if n := len(b.rec.Writes()) + len(b.rec.Validations()); n > 0 {
		b.Errorf("%d writes and validations where none are due:\n%s", n, b.rec)
	}
}

// updates plans and fails the test unless the plan is an update without errors.
func (b *bench) updates(r *acctest.Resource, config values) *acctest.Plan {
	b.Helper()
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(b)
	if p.Action != acctest.Update {
		b.Fatalf("The plan is a %s:\nbefore %v\nafter  %v", p.Action, p.Before, p.After)
	}
	return p
}

// inState fails the test unless the state has this attribute.
func (b *bench) inState(r *acctest.Resource, attribute string, want any) {
	b.Helper()
	if got := fmt.Sprint(r.State()[attribute]); got != fmt.Sprint(want) {
		b.Errorf("State has %s = %s, want %v", attribute, got, want)
	}
}

// mentions fails the test unless a text has all of these.
func (b *bench) mentions(text fmt.Stringer, parts ...string) {
	b.Helper()
	for _, part := range parts {
		if !strings.Contains(text.String(), part) {
			b.Errorf("It does not say %q: %s", part, text)
		}
	}
}
