// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// storedSet is a topic's own set as a client that is not the provider's reads it at one broker.
func storedSet(ctx context.Context, b *kgo.Broker, topic string) (map[string]string, error) {
	request := kmsg.NewPtrDescribeConfigsRequest()
	resource := kmsg.NewDescribeConfigsRequestResource()
	resource.ResourceType, resource.ResourceName = kmsg.ConfigResourceTypeTopic, topic
	request.Resources = append(request.Resources, resource)
	answer, err := b.Request(ctx, request)
	if err != nil {
		return nil, err
	}
	set := map[string]string{}
	for _, r := range answer.(*kmsg.DescribeConfigsResponse).Resources {
		if r.ErrorCode != 0 {
			return nil, fmt.Errorf("code %d", r.ErrorCode)
		}
		for _, entry := range r.Configs {
			if entry.Source == kmsg.ConfigSourceDynamicTopicConfig && entry.Value != nil {
				set[entry.Name] = *entry.Value
			}
		}
	}
	return set, nil
}

// waitStored waits until every broker shows this own set of the topic.
func waitStored(t *testing.T, cluster *testbed.Cluster, topic string, want map[string]string) {
	t.Helper()
	cluster.EachBroker(t, "the set of "+topic, func(ctx context.Context, b *kgo.Broker) error {
		set, err := storedSet(ctx, b, topic)
		if err == nil && !maps.Equal(set, want) {
			err = fmt.Errorf("own set is %v, want %v", set, want)
		}
		return err
	})
}

// ownSet is the entity's own set as the client lists it.
func ownSet(t *testing.T, found EntityConfigs) map[string]string {
	t.Helper()
	if found.Err != nil {
		t.Fatalf("ListConfigs of %s: %v", found.Entity, found.Err)
	}
	set := map[string]string{}
	for _, c := range found.Configs {
		if found.Entity.Own(c) {
			set[c.Name] = c.Value
		}
	}
	return set
}

// alterOne alters one entity and gives its error.
func alterOne(ctx context.Context, c *Client, a Alteration, validateOnly bool) error {
	return c.AlterConfigs(ctx, []Alteration{a}, validateOnly)[0].Err
}

func TestListConfigsTellsTheOwnSetBySource(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := testbed.UniqueName(t)
	// 604800000 is the default of retention.ms: what is set counts as set whatever its value.
	want := map[string]string{"retention.ms": "604800000", "cleanup.policy": "compact"}
	cluster.CreateTopic(t, topic, 1, 1, want)
	waitStored(t, cluster, topic, want)

	found := client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{Synonyms: true, Documentation: true})[0]

	if got := ownSet(t, found); !maps.Equal(got, want) {
		t.Errorf("own set is %v, want %v", got, want)
	}
	i := slices.IndexFunc(found.Configs, func(c Config) bool { return c.Name == "retention.ms" })
	if i < 0 {
		t.Fatal("retention.ms is not listed")
	}
	c := found.Configs[i]
	if c.Type != TypeLong || c.Sensitive || c.Documentation == "" || len(c.Synonyms) == 0 || c.Synonyms[0].Source != SourceDynamicTopic {
		t.Errorf("retention.ms is described as %+v", c)
	}
	inherited := slices.IndexFunc(found.Configs, func(c Config) bool { return c.Name == "segment.ms" })
	if inherited < 0 || Topic(topic).Own(found.Configs[inherited]) {
		t.Errorf("segment.ms is not listed as inherited")
	}
}

func TestAlterConfigsSetsAndDeletesInOneRequest(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := testbed.UniqueName(t)
	cluster.CreateTopic(t, topic, 1, 1, map[string]string{"retention.ms": "1000", "segment.ms": "2000", "flush.ms": "3000"})

	err := alterOne(ctx, client, Alteration{
		Entity: Topic(topic), Set: map[string]string{"retention.ms": "5000", "cleanup.policy": "compact"}, Delete: []string{"segment.ms"},
	}, false)

	if err != nil {
		t.Fatal(err)
	}
	// C-13: what the alteration does not name stays.
	waitStored(t, cluster, topic, map[string]string{"retention.ms": "5000", "cleanup.policy": "compact", "flush.ms": "3000"})
}

func TestAlterConfigsValidateOnlyWritesNothing(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := testbed.UniqueName(t)
	before := map[string]string{"retention.ms": "1000"}
	cluster.CreateTopic(t, topic, 1, 1, before)

	err := alterOne(ctx, client, Alteration{
		Entity: Topic(topic), Set: map[string]string{"flush.ms": "7"}, Delete: []string{"retention.ms"},
	}, true)

	if err != nil {
		t.Fatal(err)
	}
	// A real write behind it is the fence: once every broker shows it, an earlier one would show too.
	if err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: map[string]string{"segment.ms": "9"}}, false); err != nil {
		t.Fatal(err)
	}
	waitStored(t, cluster, topic, map[string]string{"retention.ms": "1000", "segment.ms": "9"})
}

func TestAlterConfigsRefusals(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	tests := []struct {
		name     string
		set      map[string]string
		sentinel error
		code     int16
		key      string
		message  string
	}{
		{"C-01 not a number", map[string]string{"retention.ms": "sixty", "local.retention.ms": "-2"}, ErrInvalidConfig, 40,
			"retention.ms", "Invalid value sixty for configuration retention.ms: Not a number of type LONG"},
		{"C-01 unknown key", map[string]string{"flush.ms": "1", "retention.mss": "1"}, ErrInvalidConfig, 40,
			"retention.mss", "Unknown topic config name: retention.mss"},
		{"C-02 two keys in conflict", map[string]string{"min.compaction.lag.ms": "100", "max.compaction.lag.ms": "50"}, ErrInvalidConfig, 40,
			"min.compaction.lag.ms", "conflict topic config setting min.compaction.lag.ms (100) > max.compaction.lag.ms (50)"},
		{"too long for the wire", map[string]string{"follower.replication.throttled.replicas": strings.Repeat("1:1,", 10_000) + "1:1"},
			ErrInvalidConfig, 40, "follower.replication.throttled.replicas",
			"follower.replication.throttled.replicas is 40003 bytes long, brokers take 32767"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, validateOnly := range []bool{true, false} {
				err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: tt.set}, validateOnly)
				var refused *Error
				if !errors.As(err, &refused) || !errors.Is(err, tt.sentinel) {
					t.Fatalf("validateOnly %t: got %v", validateOnly, err)
				}
				if refused.Code != tt.code || refused.Key != tt.key || refused.Message != tt.message || refused.Operation != "AlterConfigs" {
					t.Errorf("validateOnly %t: got %+v", validateOnly, refused)
				}
			}
		})
	}
}

func TestConfigsOfAnAbsentTopic(t *testing.T) {
	ctx := testContext(t)
	client, _ := sharedClient(t)
	topic := testbed.UniqueName(t)

	if err := client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{})[0].Err; !errors.Is(err, ErrUnknownTopic) {
		t.Errorf("C-118: ListConfigs gives %v", err)
	}
	err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: map[string]string{"flush.ms": "1"}}, false)
	if !errors.Is(err, ErrUnknownTopic) || !strings.Contains(err.Error(), "UNKNOWN_TOPIC_OR_PARTITION: The topic '"+topic+"' does not exist.") {
		t.Errorf("AlterConfigs gives %v", err)
	}
}

func TestOneBadNeighbourFailsAlone(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	var alterations []Alteration
	for i := range 6 {
		topic := fmt.Sprintf("%s-%d", testbed.UniqueName(t), i)
		cluster.CreateTopic(t, topic, 1, 1, nil)
		value := "1000"
		if i == 3 {
			value = "never"
		}
		alterations = append(alterations, Alteration{Entity: Topic(topic), Set: map[string]string{"retention.ms": value}})
	}
	alterations[1].Entity = Topic(testbed.UniqueName(t))

	results := client.AlterConfigs(ctx, alterations, false)

	entities := make([]Entity, 0, len(results))
	for i, r := range results {
		want := map[int]error{1: ErrUnknownTopic, 3: ErrInvalidConfig}[i]
		if !errors.Is(r.Err, want) || r.Entity != alterations[i].Entity {
			t.Errorf("result %d is %v for %s, want %v", i, r.Err, r.Entity, want)
		}
		entities = append(entities, r.Entity)
	}
	for _, i := range []int{0, 2, 4, 5} {
		waitStored(t, cluster, alterations[i].Entity.Name, map[string]string{"retention.ms": "1000"})
	}
	waitStored(t, cluster, alterations[3].Entity.Name, map[string]string{})
	// C-128: reading them together, twice one of them, gives one answer each, in order.
	entities = append(entities, entities[0])
	for i, found := range client.ListConfigs(ctx, entities, ListConfigsOptions{}) {
		if found.Entity != entities[i] || (i == 1) != errors.Is(found.Err, ErrUnknownTopic) {
			t.Errorf("listed %s with %v at place %d", found.Entity, found.Err, i)
		}
	}
}

func TestBrokerConfigsGoToTheirBroker(t *testing.T) {
	ctx := testContext(t)
	client, _ := sharedClient(t)
	entities := []Entity{BrokerEntity(3), ClusterDefault(), BrokerEntity(1), BrokerEntity(2)}

	for _, found := range client.ListConfigs(ctx, entities, ListConfigsOptions{}) {
		set := ownSet(t, found)
		if found.Entity == ClusterDefault() {
			if len(set) != len(found.Configs) {
				t.Errorf("the cluster default lists %d configs, %d of them its own", len(found.Configs), len(set))
			}
			continue
		}
		i := slices.IndexFunc(found.Configs, func(c Config) bool { return c.Name == "node.id" })
		if i < 0 || "broker "+found.Configs[i].Value != found.Entity.String() {
			t.Errorf("the answer for %s comes from elsewhere", found.Entity)
		}
	}
	results := client.AlterConfigs(ctx, []Alteration{
		{Entity: BrokerEntity(2), Set: map[string]string{"log.dirs": "/x"}},
		{Entity: BrokerEntity(1), Set: map[string]string{"log.cleaner.backoff.ms": "15000"}},
	}, true)
	var refused *Error
	if !errors.As(results[0].Err, &refused) || refused.Key != "log.dirs" || !errors.Is(refused, ErrInvalidConfig) {
		t.Errorf("log.dirs on broker 2 gives %v", results[0].Err)
	}
	if results[1].Err != nil {
		t.Errorf("a valid trial on broker 1 gives %v", results[1].Err)
	}
}

func TestListConfigsOfAnAbsentBroker(t *testing.T) {
	client, _ := sharedClient(t)

	found := client.ListConfigs(testContext(t), []Entity{BrokerEntity(77), ClusterDefault()}, ListConfigsOptions{})

	var unavailable *BrokerError
	if !errors.As(found[0].Err, &unavailable) || unavailable.Broker != 77 || unavailable.Request != "DescribeConfigs" ||
		!errors.Is(found[0].Err, ErrBrokerUnavailable) {
		t.Errorf("got %v", found[0].Err)
	}
	if found[1].Err != nil {
		t.Errorf("its neighbour fails: %v", found[1].Err)
	}
}

func TestListConfigsAtEachBroker(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	for _, b := range cluster.Brokers() {
		id := int32(b.ID)
		if found := client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{At: &id})[0]; found.Err != nil {
			t.Errorf("at broker %d: %v", id, found.Err)
		}
	}
	absent := int32(9)
	if err := client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{At: &absent})[0].Err; !errors.Is(err, ErrBrokerUnavailable) {
		t.Errorf("at a broker that does not exist: %v", err)
	}
}

func TestManyEntitiesAndRecords(t *testing.T) {
	// C-132: KRaft takes no more than 10 000 records in one request; 700 topics of 15 keys are 10 500.
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	const topics = 700
	prefix := testbed.UniqueName(t)
	var names []string
	var alterations []Alteration
	set := fifteenConfigs()
	for i := range topics {
		names = append(names, fmt.Sprintf("%s-%d", prefix, i))
		alterations = append(alterations, Alteration{Entity: Topic(names[i]), Set: set})
	}
	admin := cluster.Admin(t)
	createMany(ctx, t, admin, names)
	for i, d := range waitTopics(ctx, t, client, names) {
		if d.Name != names[i] || len(d.Partitions) != 1 {
			t.Fatalf("topic %d is described as %+v", i, d)
		}
	}

	for _, r := range client.AlterConfigs(ctx, alterations, false) {
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Entity, r.Err)
		}
	}

	waitStored(t, cluster, names[topics-1], set)
	if _, err := admin.DeleteTopics(ctx, names...); err != nil {
		t.Error(err)
	}
}

// fifteenConfigs are configs of a topic that all may be 4096.
func fifteenConfigs() map[string]string {
	set := map[string]string{}
	for _, key := range []string{
		"retention.ms", "segment.ms", "flush.ms", "flush.messages", "max.message.bytes", "file.delete.delay.ms",
		"delete.retention.ms", "min.compaction.lag.ms", "index.interval.bytes", "segment.jitter.ms", "retention.bytes", "max.compaction.lag.ms",
		"segment.index.bytes", "message.timestamp.before.max.ms", "message.timestamp.after.max.ms",
	} {
		set[key] = "4096"
	}
	return set
}

func createMany(ctx context.Context, t *testing.T, admin *kadm.Client, names []string) {
	t.Helper()
	for part := range slices.Chunk(names, 500) {
		if _, err := admin.CreateTopics(ctx, 1, 1, nil, part...); err != nil {
			t.Fatal(err)
		}
	}
}

// waitTopics describes the topics until all are there.
func waitTopics(ctx context.Context, t *testing.T, c *Client, names []string) []TopicDescription {
	t.Helper()
	for {
		found := c.DescribeTopics(ctx, names)
		i := slices.IndexFunc(found, func(d TopicDescription) bool { return d.Err != nil })
		if i < 0 {
			return found
		}
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			t.Fatalf("topic %s: %v", names[i], found[i].Err)
		}
	}
}
