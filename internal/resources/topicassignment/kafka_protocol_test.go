// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// topic creates a topic with this layout and gives its name.
func (b bench) topic(layout lists) string {
	b.t.Helper()
	name := testbed.UniqueName(b.t)
	b.create(name, layout)
	return name
}

func (b bench) create(name string, layout lists) {
	b.t.Helper()
	request := kmsg.NewPtrCreateTopicsRequest()
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic, topic.NumPartitions, topic.ReplicationFactor = name, -1, -1
	for p, list := range layout {
		topic.ReplicaAssignment = append(topic.ReplicaAssignment, kmsg.CreateTopicsRequestTopicReplicaAssignment{Partition: int32(p), Replicas: list})
	}
	request.Topics, request.TimeoutMillis = append(request.Topics, topic), 30_000
	answer, err := request.RequestWith(b.t.Context(), b.client)
	if err == nil {
		err = kerr.ErrorForCode(answer.Topics[0].ErrorCode)
	}
	if err != nil {
		b.t.Fatalf("Create topic %q: %v", name, err)
	}
	admin := b.cluster.Admin(b.t) // one that is closed after the cleanup
	b.t.Cleanup(func() {
		if _, err := admin.DeleteTopic(context.Background(), name); err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			b.t.Errorf("Delete topic %q: %v", name, err)
		}
	})
	b.cluster.WaitTopic(b.t, name, int32(len(layout)))
}

// fill writes incompressible data to every partition: more than a follower gets with its first fetch.
func (b bench) fill(topic string, partitions int) {
	b.t.Helper()
	for p := range partitions {
		b.fillPartition(topic, int32(p))
	}
}

func (b bench) fillPartition(topic string, p int32) {
	b.t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(b.cluster.BootstrapServers()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.RequiredAcks(kgo.AllISRAcks()))
	if err != nil {
		b.t.Fatal(err)
	}
	defer client.Close()
	var records []*kgo.Record
	for range 32 {
		value := make([]byte, 100_000)
		_, _ = rand.Read(value)
		records = append(records, &kgo.Record{Topic: topic, Partition: p, Value: value})
	}
	if err := client.ProduceSync(b.t.Context(), records...).FirstErr(); err != nil {
		b.t.Fatalf("Write to partition %d of %q: %v", p, topic, err)
	}
}

// hold has the brokers throttle the topic, so that moves of what fill wrote do not end before release.
func (b bench) hold(topic string) { b.throttled(topic, kadm.SetConfig) }

func (b bench) release(topic string) { b.throttled(topic, kadm.DeleteConfig) }

func (b bench) throttled(topic string, op kadm.IncrementalOp) {
	b.t.Helper()
	all := "*"
	changes := []kadm.AlterConfig{
		{Op: op, Name: "leader.replication.throttled.replicas", Value: &all},
		{Op: op, Name: "follower.replication.throttled.replicas", Value: &all},
	}
	answers, err := b.admin.AlterTopicConfigs(b.t.Context(), changes, topic)
	if err == nil {
		err = answers[0].Err
	}
	if err != nil {
		b.t.Fatalf("Throttle topic %q: %v", topic, err)
	}
}

// held makes a topic with data whose moves do not end before release.
func (b bench) held(layout lists) string {
	b.t.Helper()
	topic := b.topic(layout)
	b.fill(topic, len(layout))
	b.hold(topic)
	return topic
}

// reassign moves partitions as another tool would; a nil list cancels.
func (b bench) reassign(topic string, moves map[int32][]int32) {
	b.t.Helper()
	request := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	t := kmsg.NewAlterPartitionAssignmentsRequestTopic()
	t.Topic, request.TimeoutMillis = topic, 30_000
	for p, list := range moves {
		t.Partitions = append(t.Partitions, kmsg.AlterPartitionAssignmentsRequestTopicPartition{Partition: p, Replicas: list})
	}
	request.Topics = append(request.Topics, t)
	answer, err := request.RequestWith(b.t.Context(), b.client)
	if err == nil {
		err = kerr.ErrorForCode(answer.ErrorCode)
	}
	if err != nil {
		b.t.Fatalf("Move partitions of %q: %v", topic, err)
	}
	for _, p := range answer.Topics[0].Partitions {
		if err := kerr.ErrorForCode(p.ErrorCode); err != nil {
			b.t.Fatalf("Move partition %d of %q: %v", p.Partition, topic, err)
		}
	}
}

// moving are the partitions that are being moved.
func (b bench) moving(topic string) []int32 {
	b.t.Helper()
	d := b.describe(topic)
	var set kadm.TopicsSet
	for p := range d.Partitions {
		set.Add(topic, p)
	}
	listed, err := b.admin.ListPartitionReassignments(b.t.Context(), set)
	if err != nil {
		b.t.Fatalf("List the moves of %q: %v", topic, err)
	}
	var all []int32
	for p := range listed[topic] {
		all = append(all, p)
	}
	slices.Sort(all)
	return all
}

// describe asks a broker itself: the client would answer from what it knew some seconds ago.
func (b bench) describe(topic string) kadm.TopicDetail {
	b.t.Helper()
	request := kmsg.NewPtrMetadataRequest()
	request.Topics = []kmsg.MetadataRequestTopic{{Topic: &topic}}
	var answer kmsg.Response
	var err error
	for _, broker := range b.client.SeedBrokers() { // the first one that is up
		if answer, err = broker.RetriableRequest(b.t.Context(), request); err == nil {
			break
		}
	}
	if err == nil {
		err = kerr.ErrorForCode(answer.(*kmsg.MetadataResponse).Topics[0].ErrorCode)
	}
	if err != nil {
		b.t.Fatalf("Describe topic %q: %v", topic, err)
	}
	described := answer.(*kmsg.MetadataResponse).Topics[0]
	d := kadm.TopicDetail{Topic: topic, ID: described.TopicID, Partitions: kadm.PartitionDetails{}}
	for _, p := range described.Partitions {
		d.Partitions[p.Partition] = kadm.PartitionDetail{Topic: topic, Partition: p.Partition, Leader: p.Leader, Replicas: p.Replicas, ISR: p.ISR}
	}
	return d
}

// has fails the test unless the topic comes to have this layout, at rest.
func (b bench) has(topic string, want lists) {
	b.t.Helper()
	b.waitFor(fmt.Sprintf("topic %q to be %v", topic, want), func() error {
		got := make(lists, len(want))
		d := b.describe(topic)
		for p, detail := range d.Partitions {
			if int(p) < len(got) {
				got[p] = detail.Replicas
			}
		}
		if len(d.Partitions) != len(want) || !reflect.DeepEqual(got, want) {
			return fmt.Errorf("it is %v with %d partitions", got, len(d.Partitions))
		}
		if still := b.moving(topic); len(still) > 0 {
			return fmt.Errorf("%v are moving", still)
		}
		return nil
	})
}

// led fails the test unless each partition comes to be led by its first replica.
func (b bench) led(topic string) {
	b.t.Helper()
	b.waitFor("every first replica to lead", func() error {
		for p, detail := range b.describe(topic).Partitions {
			if detail.Leader != detail.Replicas[0] {
				return fmt.Errorf("broker %d leads partition %d with %v", detail.Leader, p, detail.Replicas)
			}
		}
		return nil
	})
}

// waitFor polls until check gives nil.
func (b bench) waitFor(what string, check func() error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	for {
		err := check()
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			b.t.Fatalf("Waiting for %s: %v", what, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// racksOf are the racks of brokers in this package's cluster.
func racksOf(t testing.TB, c *testbed.Cluster, ids []int32) []string {
	t.Helper()
	var racks []string
	for _, b := range c.Brokers() {
		if slices.Contains(ids, int32(b.ID)) && !slices.Contains(racks, b.Rack) {
			racks = append(racks, b.Rack)
		}
	}
	return racks
}

// stopped stops a broker and returns when the others know; it runs again when the test ends.
func (b bench) stopped(id int) {
	b.t.Helper()
	if err := b.cluster.Stop(b.t.Context(), id); err != nil {
		b.t.Fatalf("Stop broker %d: %v", id, err)
	}
	b.t.Cleanup(func() {
		if err := b.cluster.Restart(context.Background(), id); err != nil {
			b.t.Errorf("Restart broker %d: %v", id, err)
		}
	})
	if err := b.cluster.WaitBrokers(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func containsID(list []int32, id int32) bool { return slices.Contains(list, id) }

func (b bench) delete(topic string) {
	b.t.Helper()
	if _, err := b.admin.DeleteTopic(b.t.Context(), topic); err != nil {
		b.t.Fatalf("Delete topic %q: %v", topic, err)
	}
	b.cluster.EachBroker(b.t, "that "+topic+" is gone", func(ctx context.Context, broker *kgo.Broker) error {
		request := kmsg.NewPtrMetadataRequest()
		request.Topics = []kmsg.MetadataRequestTopic{{Topic: &topic}}
		answer, err := broker.Request(ctx, request)
		if err == nil && answer.(*kmsg.MetadataResponse).Topics[0].ErrorCode == 0 {
			return errors.New("it is there")
		}
		return err
	})
}
