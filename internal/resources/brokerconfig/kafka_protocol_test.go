// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// What Kafka's own protocol says of the brokers' configs, asked by a client that is not the provider's. Entities go by their names
// on the wire: "1" is broker 1, "" the cluster default.

const clusterDefault = ""

// hidden stands for a value that the brokers do not show.
const hidden = "(hidden)"

const minInSyncReplicas = "min.insync.replicas"

// describe gives every config of an entity as one broker describes it.
func describe(ctx context.Context, broker *kgo.Broker, name string) ([]kmsg.DescribeConfigsResponseResourceConfig, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeBroker, name
	request.Resources, request.IncludeSynonyms = append(request.Resources, resource), true
	response, err := broker.Request(ctx, request)
	if err != nil {
		return nil, err
	}
	described := response.(*kmsg.DescribeConfigsResponse).Resources[0]
	if err := kerr.ErrorForCode(described.ErrorCode); err != nil {
		return nil, fmt.Errorf("describe %q: %w: %s", name, err, deref(described.ErrorMessage))
	}
	return described.Configs, nil
}

// ownAt gives the configs that the entity itself holds, by Kafka's own source, as one broker shows them.
func ownAt(ctx context.Context, broker *kgo.Broker, name string) (configs, error) {
	described, err := describe(ctx, broker, name)
	if err != nil {
		return nil, err
	}
	source := kmsg.ConfigSourceDynamicBrokerConfig
	if name == clusterDefault {
		source = kmsg.ConfigSourceDynamicDefaultBrokerConfig
	}
	all := configs{}
	for _, c := range described {
		if c.Source == source {
			all[c.Name] = hidden
			if !c.IsSensitive {
				all[c.Name] = deref(c.Value)
			}
		}
	}
	return all, nil
}

// effective gives one config of a broker as it is in force.
func effective(t testing.TB, c *testbed.Cluster, broker int, key string) string {
	t.Helper()
	described, err := describe(t.Context(), c.Client(t).Broker(broker), strconv.Itoa(broker))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range described {
		if entry.Name == key {
			return deref(entry.Value)
		}
	}
	t.Fatalf("Broker %d describes no %s", broker, key)
	return ""
}

// views are the brokers that can be asked for an entity: a named broker itself, otherwise all that run.
func views(c *testbed.Cluster, name string) []int {
	var ids []int
	for _, b := range c.Brokers() {
		if b.Pid != 0 && (name == clusterDefault || name == strconv.Itoa(b.ID)) {
			ids = append(ids, b.ID)
		}
	}
	return ids
}

// alter changes an entity's configs behind Terraform's back: a value sets, nil deletes. It returns when every broker that can be
// asked shows it.
func alter(t testing.TB, c *testbed.Cluster, name string, change map[string]any) {
	t.Helper()
	client := c.Client(t)
	ids := views(c, name)
	if err := send(t.Context(), client.Broker(ids[0]), name, change); err != nil {
		t.Fatalf("Change %q from outside: %v", name, err)
	}
	for _, id := range ids {
		waitFor(t, fmt.Sprintf("broker %d to show the outside change of %q", id, name), func(ctx context.Context) error {
			all, err := ownAt(ctx, client.Broker(id), name)
			for key, value := range change {
				if got, there := all[key]; err == nil && (there != (value != nil) || there && got != hidden && got != value) {
					err = fmt.Errorf("%s is %q", key, got)
				}
			}
			return err
		})
	}
}

func send(ctx context.Context, broker *kgo.Broker, name string, change map[string]any) error {
	request := kmsg.NewPtrIncrementalAlterConfigsRequest()
	resource := kmsg.NewIncrementalAlterConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeBroker, name
	for key, value := range change {
		c := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		c.Name, c.Op = key, kmsg.IncrementalAlterConfigOpDelete
		if text, ok := value.(string); ok {
			c.Op, c.Value = kmsg.IncrementalAlterConfigOpSet, &text
		}
		resource.Configs = append(resource.Configs, c)
	}
	request.Resources = append(request.Resources, resource)
	response, err := broker.Request(ctx, request)
	if err != nil {
		return err
	}
	answer := response.(*kmsg.IncrementalAlterConfigsResponse).Resources[0]
	if err := kerr.ErrorForCode(answer.ErrorCode); err != nil {
		return fmt.Errorf("%w: %s", err, deref(answer.ErrorMessage))
	}
	return nil
}

// clean resets everything that a test may have left: brokers first, as a broker's own values hide the default's.
func clean(t testing.TB, c *testbed.Cluster) {
	t.Helper()
	client := c.Client(t)
	var names []string
	for _, b := range c.Brokers() {
		if b.Pid != 0 {
			names = append(names, strconv.Itoa(b.ID))
		}
	}
	for _, name := range append(names, clusterDefault) {
		all, err := ownAt(t.Context(), client.Broker(views(c, name)[0]), name)
		if err != nil {
			t.Fatal(err)
		}
		if name == clusterDefault && all[minInSyncReplicas] == "1" {
			delete(all, minInSyncReplicas) // Kafka's own
		}
		change := map[string]any{}
		for key := range all {
			change[key] = nil
			if key == minInSyncReplicas {
				change[key] = "1"
			}
		}
		if len(change) > 0 {
			alter(t, c, name, change)
		}
	}
}

// has fails the test unless every broker that can be asked shows exactly this own set of an entity, now. Kafka's own
// min.insync.replicas = 1 at the cluster default need not be named.
func has(t testing.TB, c *testbed.Cluster, name string, want configs) {
	t.Helper()
	client := c.Client(t)
	for _, id := range views(c, name) {
		got, err := ownAt(t.Context(), client.Broker(id), name)
		if _, named := want[minInSyncReplicas]; !named && name == clusterDefault && got[minInSyncReplicas] == "1" {
			delete(got, minInSyncReplicas)
		}
		if err != nil || !maps.Equal(got, want) {
			t.Fatalf("Broker %d shows for %q %v (%v), want %v", id, name, got, err, want)
		}
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
