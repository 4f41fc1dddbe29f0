// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// What needs a cluster of its own, as it changes what other topics inherit and stops a broker: on Kafka 4.0.0 (C-103) with a quorum of
// three controllers (C-104), where a broker is half a second behind every write. With a single controller none is.
func TestOnAClusterOfItsOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("A cluster of its own takes a quarter of a minute.")
	}
	t.Parallel()
	cluster := testbed.Own(t, testbed.Options{Version: "4.0.0"})

	t.Run("plans are empty right after apply", func(t *testing.T) { // acceptance line 4, C-17
		b := benchOn(t, cluster, nil)
		if late := lateAnswers(b, 10); late == 0 {
			t.Error("No broker was behind a write, so empty plans say nothing of the wait for it")
		}
		emptyAtEachBroker(b, 34)
	})

	t.Run("inherited values never show", func(t *testing.T) { // acceptance line 6, C-03, C-08
		pinned, bare := benchOn(t, cluster, nil), benchOn(t, cluster, nil)
		// The default, pinned: it is the topic's own from now on.
		config := pinned.declare(configs{"retention.ms": "604800000", "cleanup.policy": "delete"})
		pinned.tf.Apply(pinned.resource, config)
		bare.tf.Apply(bare.resource, bare.declare(nil))
		pinned.rec.Reset()
		bare.rec.Reset()
		steps := []func(*testing.T, *testbed.Cluster){
			defaults("", "log.retention.ms", "3600000"), defaults("", "log.cleanup.policy", "compact"),
			defaults("1", "log.retention.ms", "1800000"), defaults("2", "log.retention.ms", "1900000"), defaults("3", "log.cleanup.policy", "compact,delete"),
			defaults("", "log.retention.ms", "7200000"), defaults("", "log.retention.ms", nil), defaults("1", "log.retention.ms", nil),
		}
		for i, step := range steps {
			step(t, cluster)
			for _, broker := range cluster.Brokers() {
				at := terraform(t, broker.Address)
				at.Empty(pinned.resource.Copy(), config)
				at.Empty(bare.resource.Copy(), bare.declare(nil))
				imported := at.Resource(typeName)
				at.Walk().Import(imported, bare.topic).None(t)
				if got := imported.State()["config"]; got != nil {
					t.Errorf("Step %d: an import through broker %d brings %v", i, broker.ID, got)
				}
			}
		}
		pinned.has(configs{"retention.ms": "604800000", "cleanup.policy": "delete"})
		bare.has(configs{})
		pinned.tf.Empty(pinned.resource, config)
		pinned.quiet()
		bare.quiet()

		// What goes when the pin is taken away is named with the value that is inherited then.
		defaults("", "log.retention.ms", "3600000")(t, cluster)
		said := pinned.tf.Apply(pinned.resource, pinned.declare(configs{"cleanup.policy": "delete"}))
		if len(said.Warnings()) == 0 {
			t.Errorf("Nobody was told that retention goes from a week to an hour")
		}
		pinned.has(configs{"cleanup.policy": "delete"})
	})

	t.Run("a stopped broker", func(t *testing.T) { // acceptance line 20, C-101, C-102
		b := benchOn(t, cluster, nil)
		b.tf = terraform(t, cluster.BootstrapServers()...)
		b.tf.Apply(b.resource, b.declare(configs{"segment.ms": "3600000"}))
		walk := b.tf.Walk() // a provider that knows the broker while it still runs
		walk.Refresh(b.resource).None(t)
		ctx, cancel := context.WithTimeout(t.Context(), visible)
		defer cancel()
		if err := cluster.Stop(ctx, 1); err != nil {
			t.Fatal(err)
		}
		if err := cluster.WaitBrokers(ctx); err != nil {
			t.Fatal(err)
		}
		walk.Refresh(b.resource).None(t)
		p := b.tf.Plan(b.resource, b.declare(configs{"segment.ms": "7200000"}))
		planned(t, p, acctest.Update, configs{"segment.ms": "7200000"})
		b.tf.ApplyPlan(p).None(t)
		b.tf.Empty(b.resource, b.declare(configs{"segment.ms": "7200000"}))
		if err := cluster.Restart(ctx, 1); err != nil {
			t.Fatal(err)
		}
		b.tf.Empty(b.resource, b.declare(configs{"segment.ms": "7200000"}))
	})
}

// lateAnswers writes so many times, asks each broker right after each write, and counts the answers that do not show it.
func lateAnswers(b bench, writes int) (late int) {
	b.t.Helper()
	admin, client := b.cluster.Admin(b.t), b.cluster.Client(b.t)
	for i := range writes {
		value := fmt.Sprint(3600000 + i)
		alteration := kadm.AlterConfig{Op: kadm.SetConfig, Name: "segment.ms", Value: &value}
		if answers, err := admin.AlterTopicConfigs(b.t.Context(), []kadm.AlterConfig{alteration}, b.topic); err != nil || answers[0].Err != nil {
			b.t.Fatalf("Write %d: %v %v", i, err, answers)
		}
		for _, broker := range b.cluster.Brokers() {
			own, err := ownAt(b.t.Context(), client.Broker(broker.ID), b.topic)
			if err != nil {
				b.t.Fatal(err)
			}
			if own["segment.ms"] != value {
				late++
			}
		}
	}
	b.t.Logf("%d of %d answers were behind the write", late, writes*len(b.cluster.Brokers()))
	return late
}

// defaults changes what topics inherit: a broker's own value, or with an empty name that of all brokers; nil resets it. It returns
// when every broker concerned shows it.
func defaults(broker, key string, value any) func(*testing.T, *testbed.Cluster) {
	return func(t *testing.T, cluster *testbed.Cluster) {
		t.Helper()
		alteration := kadm.AlterConfig{Op: kadm.DeleteConfig, Name: key}
		if text, ok := value.(string); ok {
			alteration.Op, alteration.Value = kadm.SetConfig, &text
		}
		var ids []int32
		source := kmsg.ConfigSourceDynamicDefaultBrokerConfig
		if broker != "" {
			var id int32
			if _, err := fmt.Sscan(broker, &id); err != nil {
				t.Fatal(err)
			}
			ids, source = append(ids, id), kmsg.ConfigSourceDynamicBrokerConfig
		}
		answers, err := cluster.Admin(t).AlterBrokerConfigs(t.Context(), []kadm.AlterConfig{alteration}, ids...)
		if err != nil || answers[0].Err != nil {
			t.Fatalf("Change %s of broker %q: %v %v", key, broker, err, answers)
		}
		cluster.EachBroker(t, fmt.Sprintf("%s of broker %q", key, broker), func(ctx context.Context, at *kgo.Broker) error {
			return showsDefault(ctx, at, broker, key, value, source)
		})
	}
}

// showsDefault asks a broker for its view of a broker's or of everybody's default.
func showsDefault(ctx context.Context, at *kgo.Broker, name, key string, value any, source kmsg.ConfigSource) error {
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeBroker, name
	request.Resources = append(request.Resources, resource)
	response, err := at.Request(ctx, request)
	if err != nil {
		return err
	}
	described := response.(*kmsg.DescribeConfigsResponse).Resources[0]
	if name != "" && described.ErrorCode != 0 {
		return nil // only that broker itself can tell
	}
	var got any
	for _, c := range described.Configs {
		if c.Name == key && c.Source == source && c.Value != nil {
			got = *c.Value
		}
	}
	if got != value {
		return fmt.Errorf("it is %v", got)
	}
	return nil
}
