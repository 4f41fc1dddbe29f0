// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	leaderList, followerList = "leader.replication.throttled.replicas", "follower.replication.throttled.replicas"
	leaderRate, followerRate = "leader.replication.throttled.rate", "follower.replication.throttled.rate"
	keyIncremental           = 44
	mega                     = 1_000_000
)

// bench is a cluster with a second client, which is what tests look at it with.
type bench struct {
	t       *testing.T
	cluster *testbed.Cluster
	raw     *kgo.Client
	admin   *kadm.Client
}

func newBench(t *testing.T) bench { return benchOf(t, own.Cluster(t)) }

func benchOf(t *testing.T, c *testbed.Cluster) bench {
	raw := c.Client(t)
	return bench{t: t, cluster: c, raw: raw, admin: kadm.NewClient(raw)}
}

// client is one of the provider's; each stands for a process.
func (b bench) client(servers ...string) *kafkaapi.Client {
	if len(servers) == 0 {
		servers = b.cluster.BootstrapServers()
	}
	c := kafkaapi.NewClient(kafkaapi.Options{BootstrapServers: servers})
	b.t.Cleanup(func() { _ = c.Close() })
	return c
}

// topic creates a topic with this layout.
func (b bench) topic(layout ...[]int32) string {
	b.t.Helper()
	name := testbed.UniqueName(b.t)
	b.create(layout, name)
	return name
}

func (b bench) create(layout [][]int32, names ...string) {
	b.t.Helper()
	request := kmsg.NewPtrCreateTopicsRequest()
	request.TimeoutMillis = 30_000
	for _, name := range names {
		topic := kmsg.NewCreateTopicsRequestTopic()
		topic.Topic, topic.NumPartitions, topic.ReplicationFactor = name, -1, -1
		for p, list := range layout {
			topic.ReplicaAssignment = append(topic.ReplicaAssignment, kmsg.CreateTopicsRequestTopicReplicaAssignment{Partition: int32(p), Replicas: list})
		}
		request.Topics = append(request.Topics, topic)
	}
	answer, err := request.RequestWith(b.t.Context(), b.raw)
	b.must(err)
	for _, topic := range answer.Topics {
		b.must(kerr.ErrorForCode(topic.ErrorCode))
	}
	admin := b.cluster.Admin(b.t)
	b.t.Cleanup(func() {
		if _, err := admin.DeleteTopics(context.Background(), names...); err != nil {
			b.t.Errorf("Delete topics: %v", err)
		}
	})
	for _, name := range names {
		b.cluster.WaitTopic(b.t, name, int32(len(layout)))
	}
}

func (b bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// set sets topic configs, or deletes those whose value is empty.
func (b bench) set(topic string, configs map[string]string) {
	b.t.Helper()
	answers, err := b.admin.AlterTopicConfigs(b.t.Context(), changes(configs), topic)
	b.must(err)
	b.must(answers[0].Err)
	// Whichever broker is asked next knows of it.
	b.cluster.EachBroker(b.t, "the configs of "+topic, func(ctx context.Context, broker *kgo.Broker) error {
		request := kmsg.NewPtrDescribeConfigsRequest()
		resource := kmsg.NewDescribeConfigsRequestResource()
		resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeTopic, topic
		request.Resources = append(request.Resources, resource)
		answer, err := broker.Request(ctx, request)
		if err != nil {
			return err
		}
		for _, c := range answer.(*kmsg.DescribeConfigsResponse).Resources[0].Configs {
			if want, set := configs[c.Name]; set && want != "" && (c.Value == nil || *c.Value != want) {
				return fmt.Errorf("%s is not %q", c.Name, want)
			}
		}
		return nil
	})
}

// setRates sets a broker's configs; broker 0 is the cluster default. What is set goes at the end of the test.
func (b bench) setRates(broker int32, configs map[string]string) {
	b.t.Helper()
	b.must(alterBroker(b.t.Context(), b.admin, broker, configs))
	gone := map[string]string{}
	for key := range configs {
		gone[key] = ""
	}
	admin := b.cluster.Admin(b.t)
	b.t.Cleanup(func() {
		if err := alterBroker(context.Background(), admin, broker, gone); err != nil {
			b.t.Errorf("Remove rates of broker %d: %v", broker, err)
		}
	})
	b.waitFor("the rates to show", func() error {
		for key, value := range configs {
			if got := b.rates(cmp.Or(broker, brokerCount))[key]; !strings.HasPrefix(got, value+" ") {
				return fmt.Errorf("%s is %q", key, got)
			}
		}
		return nil
	})
}

func alterBroker(ctx context.Context, admin *kadm.Client, broker int32, configs map[string]string) error {
	var ids []int32
	if broker > 0 {
		ids = append(ids, broker)
	}
	answers, err := admin.AlterBrokerConfigs(ctx, changes(configs), ids...)
	if err != nil {
		return err
	}
	return answers[0].Err
}

func changes(configs map[string]string) []kadm.AlterConfig {
	var all []kadm.AlterConfig
	for _, key := range slices.Sorted(maps.Keys(configs)) {
		value := configs[key]
		change := kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &value}
		if value == "" {
			change = kadm.AlterConfig{Op: kadm.DeleteConfig, Name: key}
		}
		all = append(all, change)
	}
	return all
}

// lists are a topic's own throttled-replica lists.
func (b bench) lists(topic string) map[string]string {
	b.t.Helper()
	found, err := b.admin.DescribeTopicConfigs(b.t.Context(), topic)
	b.must(err)
	all := map[string]string{}
	for _, c := range found[0].Configs {
		if c.Source == kmsg.ConfigSourceDynamicTopicConfig && strings.HasSuffix(c.Key, ".throttled.replicas") {
			all[c.Key] = *c.Value
		}
	}
	return all
}

// rates are a broker's rates with where they come from, other than Kafka's default: "1000 DYNAMIC_BROKER_CONFIG".
func (b bench) rates(broker int32) map[string]string {
	b.t.Helper()
	found, err := b.admin.DescribeBrokerConfigs(b.t.Context(), broker)
	b.must(err)
	all := map[string]string{}
	for _, c := range found[0].Configs {
		if c.Source != kmsg.ConfigSourceDefaultConfig && strings.HasSuffix(c.Key, ".throttled.rate") && c.Value != nil {
			all[c.Key] = *c.Value + " " + c.Source.String()
		}
	}
	return all
}

// ownRate is what rates shows of a rate of the broker itself.
func ownRate(bytesPerSecond int64) string {
	return strconv.FormatInt(bytesPerSecond, 10) + " " + kmsg.ConfigSourceDynamicBrokerConfig.String()
}

// throttled fails the test unless the brokers have these rates, both of them.
func (b bench) throttled(bytesPerSecond int64, brokers ...int32) {
	b.t.Helper()
	for _, id := range brokers {
		want := map[string]string{leaderRate: ownRate(bytesPerSecond), followerRate: ownRate(bytesPerSecond)}
		if got := b.rates(id); !maps.Equal(got, want) {
			b.t.Errorf("Broker %d has the rates %v, want %v", id, got, want)
		}
	}
}

// clean fails the test if a topic has a list, or one of the brokers a rate of its own.
func (b bench) clean(topics []string, brokers ...int32) {
	b.t.Helper()
	for _, topic := range topics {
		if got := b.lists(topic); len(got) > 0 {
			b.t.Errorf("Left on topic %q: %v", topic, got)
		}
	}
	for _, id := range brokers {
		if got := b.rates(id); len(got) > 0 {
			b.t.Errorf("Left on broker %d: %v", id, got)
		}
	}
}

// toolsShowNothing fails the test if Kafka's own tool finds a throttle on any topic or broker.
func (b bench) toolsShowNothing() {
	b.t.Helper()
	for _, kind := range []string{"topics", "brokers"} {
		out, err := b.cluster.RunTool(b.t.Context(), "org.apache.kafka.tools.ConfigCommand", "--bootstrap-server", b.cluster.BootstrapServers()[0], "--describe", "--entity-type", kind)
		b.must(err)
		if !strings.Contains(out, "Dynamic configs for") {
			b.t.Errorf("The tool says of %s only: %s", kind, out)
		}
		if strings.Contains(out, "throttled") {
			b.t.Errorf("The tool shows a throttle of %s:\n%s", kind, out)
		}
	}
}

// move is one of a topic's moves.
func move(topic string, partition int32, from, to []int32) reassign.Moving {
	return reassign.Moving{Topic: topic, Move: reassign.Move{Partition: partition, From: from, To: to}}
}

func inFlight(m reassign.Moving) reassign.Moving {
	m.InFlight = true
	return m
}

// reassign submits moves as another tool would; a nil list cancels.
func (b bench) reassign(moves ...reassign.Moving) {
	b.t.Helper()
	request := kmsg.NewPtrAlterPartitionAssignmentsRequest()
	request.TimeoutMillis = 30_000
	for _, m := range moves {
		topic := kmsg.NewAlterPartitionAssignmentsRequestTopic()
		topic.Topic = m.Topic
		topic.Partitions = append(topic.Partitions, kmsg.AlterPartitionAssignmentsRequestTopicPartition{Partition: m.Partition, Replicas: m.To})
		request.Topics = append(request.Topics, topic)
	}
	answer, err := request.RequestWith(b.t.Context(), b.raw)
	b.must(err)
	for _, topic := range answer.Topics {
		for _, p := range topic.Partitions {
			b.must(kerr.ErrorForCode(p.ErrorCode))
		}
	}
}

// moving tells whether Kafka lists a partition as being moved.
func (b bench) moving(m reassign.Moving) bool {
	b.t.Helper()
	var set kadm.TopicsSet
	set.Add(m.Topic, m.Partition)
	listed, err := b.admin.ListPartitionReassignments(b.t.Context(), set)
	b.must(err)
	_, is := listed[m.Topic][m.Partition]
	return is
}

// size is how much of a partition a broker has.
func (b bench) size(broker int32, topic string, partition int32) int64 {
	b.t.Helper()
	var set kadm.TopicsSet
	set.Add(topic, partition)
	found, err := b.admin.DescribeBrokerLogDirs(b.t.Context(), broker, set)
	b.must(err)
	total := int64(0)
	for _, dir := range found {
		if p, ok := dir.Topics.Lookup(topic, partition); ok {
			total += p.Size
		}
	}
	return total
}

func (b bench) waitFor(what string, check func() error) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Minute)
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

// ended waits until moves are not listed any more.
func (b bench) ended(moves ...reassign.Moving) {
	b.t.Helper()
	b.waitFor("the moves to end", func() error {
		for _, m := range moves {
			if b.moving(m) {
				return errors.New("they go on")
			}
		}
		return nil
	})
}

// covered fails the test if a move was given back, and gives the warnings.
func (b bench) covered(failed map[string]map[int32]error, warnings []string) []string {
	b.t.Helper()
	if len(failed) > 0 {
		b.t.Fatalf("Not throttled: %v", failed)
	}
	return warnings
}

// quiet fails the test if there are warnings.
func (b bench) quiet(warnings []string) {
	b.t.Helper()
	if len(warnings) > 0 {
		b.t.Errorf("Warnings:\n%s", strings.Join(warnings, "\n"))
	}
}

// mentions fails the test unless one of the texts has all of the words.
func mentions(t testing.TB, texts []string, words ...string) {
	t.Helper()
	if !slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	}) {
		t.Errorf("None says %q:\n%s", words, strings.Join(texts, "\n"))
	}
}
