// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// layoutOf describes a topic's lists.
func layoutOf(ctx context.Context, t *testing.T, client *Client, topic string) [][]int32 {
	t.Helper()
	d := client.DescribeTopics(ctx, []string{topic})[0]
	if d.Err != nil {
		t.Fatal(d.Err)
	}
	var lists [][]int32
	for _, p := range d.Partitions {
		lists = append(lists, p.Replicas)
	}
	return lists
}

// waitLayout polls until a topic has these lists and none of it moves.
func waitLayout(ctx context.Context, t *testing.T, client *Client, topic string, want [][]int32) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		got := layoutOf(ctx, t, client, topic)
		all := make([]int32, len(got))
		for p := range all {
			all[p] = int32(p)
		}
		moving, err := client.ListReassignments(ctx, TopicPartitions{topic: all})
		if err == nil && len(moving) == 0 && reflect.DeepEqual(got, want) {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("topic %q is %v and not %v; %v are moving, %v", topic, got, want, moving, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// placed creates a topic with these lists.
func placed(ctx context.Context, t *testing.T, client *Client, cluster *testbed.Cluster, lists [][]int32) string {
	t.Helper()
	topic := cluster.UniqueTopic(t, int32(len(lists)), 1)
	moves := map[int32][]int32{}
	for p, list := range lists {
		moves[int32(p)] = list
	}
	if refused := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: moves}}, false)[0].Refused; len(refused) > 0 {
		t.Fatal(refused)
	}
	waitLayout(ctx, t, client, topic, lists)
	return topic
}

// Partitions of many topics are added in one call; each that is refused keeps the broker's words (C-136), and the others grow.
func TestAddPartitions(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	lists := [][]int32{{1, 2}, {2, 3}}
	wanted, anywhere, same, short, unknown := placed(ctx, t, client, cluster, lists), placed(ctx, t, client, cluster, lists),
		placed(ctx, t, client, cluster, lists), placed(ctx, t, client, cluster, lists), placed(ctx, t, client, cluster, lists)
	alterations := []TopicAlteration{
		{Topic: wanted, Partitions: 4, NewReplicas: [][]int32{{3, 1}, {1, 3}}}, {Topic: anywhere, Partitions: 3}, {Topic: same, Partitions: 2},
		{Topic: short, Partitions: 3, NewReplicas: [][]int32{{1}}}, {Topic: unknown, Partitions: 3, NewReplicas: [][]int32{{1, 99}}},
		{Topic: wanted + "-absent", Partitions: 3}, {Topic: same + "-none"},
	}
	for _, validateOnly := range []bool{true, false} {
		results := client.AlterTopics(ctx, alterations, validateOnly)
		for i, says := range []string{"", "", "INVALID_PARTITIONS: Topic already has 2 partition(s).", "not consistent with previous partitions", "no such broker is registered", "UNKNOWN_TOPIC_OR_PARTITION", ""} {
			err := results[i].Err
			if results[i].Topic != alterations[i].Topic || (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
				t.Errorf("validate only %t: %q gives %v, want %q", validateOnly, results[i].Topic, err, says)
			}
		}
		if !errors.Is(results[3].Err, ErrInvalidLayout) || !errors.Is(results[5].Err, ErrUnknownTopic) {
			t.Errorf("got %v and %v", results[3].Err, results[5].Err)
		}
		if validateOnly {
			waitLayout(ctx, t, client, wanted, lists)
		}
	}
	waitLayout(ctx, t, client, wanted, [][]int32{{1, 2}, {2, 3}, {3, 1}, {1, 3}})
	if got := layoutOf(ctx, t, client, anywhere); len(got) != 3 || len(got[2]) != 2 {
		t.Errorf("placed by the cluster: %v", got)
	}
	waitLayout(ctx, t, client, same, lists)
}

// Partitions are moved one by one: those that are refused say why, each in the broker's words, which the client library hides, and the
// others go ahead (C-74).
func TestMovePartitions(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := placed(ctx, t, client, cluster, [][]int32{{1, 2}, {1, 2}, {1, 2}, {1, 2}})

	results := client.AlterTopics(ctx, []TopicAlteration{
		{Topic: topic, Reassign: map[int32][]int32{0: {3, 1}, 1: {1, 99}, 2: {2, 2}, 3: {}, 7: {1, 2}}},
		{Topic: topic + "-absent", Reassign: map[int32][]int32{0: {1}}},
	}, false)

	refused := results[0].Refused
	for p, says := range map[int32]string{1: "99", 2: "more than once", 3: "", 7: "UNKNOWN_TOPIC_OR_PARTITION"} {
		var e *Error
		if !errors.As(refused[p], &e) || !strings.Contains(e.Error(), says) || p != 7 && !errors.Is(e, ErrInvalidLayout) && p != 3 || p != 3 && e.Message == "" {
			t.Errorf("partition %d is refused with %v", p, refused[p])
		}
	}
	if refused[0] != nil || results[0].Err != nil {
		t.Errorf("the good one gives %v", results[0])
	}
	if !errors.Is(results[1].Refused[0], ErrUnknownTopic) {
		t.Errorf("an absent topic gives %v", results[1].Refused)
	}
	waitLayout(ctx, t, client, topic, [][]int32{{3, 1}, {1, 2}, {1, 2}, {1, 2}})
	// A cancel of nothing.
	none := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: map[int32][]int32{0: nil}}}, false)[0].Refused
	if !errors.Is(none[0], ErrNoReassignment) {
		t.Errorf("a cancel of nothing gives %v", none)
	}
	// With validateOnly nothing is sent, as Kafka has no such check.
	if r := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: map[int32][]int32{1: {3}}}}, true)[0]; r.Err != nil || len(r.Refused) > 0 {
		t.Errorf("got %v", r)
	}
	waitLayout(ctx, t, client, topic, [][]int32{{3, 1}, {1, 2}, {1, 2}, {1, 2}})
}

// More partitions than one request takes.
func TestMoveManyPartitions(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := cluster.UniqueTopic(t, maxMoves+20, 1)
	moves, want := map[int32][]int32{}, make([][]int32, maxMoves+20)
	for p := range want {
		want[p] = []int32{int32(p%3) + 1}
		moves[int32(p)] = want[p]
	}
	if refused := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: moves}}, false)[0].Refused; len(refused) > 0 {
		t.Fatal(refused)
	}
	waitLayout(ctx, t, client, topic, want)
}

// A new order is elected on request, and once more is a success (ELECTION_NOT_NEEDED).
func TestElectPreferredLeaders(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := placed(ctx, t, client, cluster, [][]int32{{1, 2, 3}})
	client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: map[int32][]int32{0: {2, 1, 3}}}}, false)
	waitLayout(ctx, t, client, topic, [][]int32{{2, 1, 3}})
	for range 2 {
		refused, err := client.ElectPreferredLeaders(ctx, TopicPartitions{topic: {0}})
		if err != nil || len(refused) > 0 {
			t.Fatalf("got %v, %v", refused, err)
		}
	}
	for client.DescribeTopics(ctx, []string{topic})[0].Partitions[0].Leader != 2 {
		if ctx.Err() != nil {
			t.Fatal("broker 2 does not lead")
		}
	}
	refused, err := client.ElectPreferredLeaders(ctx, TopicPartitions{topic: {9}, topic + "-absent": {0}})
	if err != nil || !errors.Is(refused[topic][9], ErrUnknownTopic) || !errors.Is(refused[topic+"-absent"][0], ErrUnknownTopic) {
		t.Errorf("unknown partitions give %v, %v", refused, err)
	}
	if refused, err := client.ElectPreferredLeaders(ctx, nil); refused != nil || err != nil {
		t.Errorf("nothing gives %v, %v", refused, err)
	}
}

// Sizes of the replicas asked for, volumes with their space, and what a broker that is not there says.
func TestDescribeLogDirs(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := placed(ctx, t, client, cluster, [][]int32{{1, 2}})
	record := &kgo.Record{Topic: topic, Value: []byte(strings.Repeat("x", 5000))}
	if err := cluster.Client(t).ProduceSync(ctx, record).FirstErr(); err != nil {
		t.Fatal(err)
	}

	all := client.DescribeLogDirs(ctx, []int32{2, 1, 99}, TopicPartitions{topic: {0}})

	if len(all) != 3 || all[0].Broker != 2 || all[1].Broker != 1 || all[2].Err == nil {
		t.Fatalf("got %+v", all)
	}
	for _, b := range all[:2] {
		if b.Err != nil || len(b.Dirs) != 1 {
			t.Fatalf("got %+v", b)
		}
		if d := b.Dirs[0]; d.Path == "" || d.Err != nil || d.UsableBytes <= 0 || d.TotalBytes < d.UsableBytes || d.Sizes[topic][0] < 5 || len(d.Sizes) != 1 {
			t.Errorf("broker %d says %+v", b.Broker, d)
		}
	}
	volumes := client.DescribeLogDirs(ctx, []int32{1}, nil)[0]
	if volumes.Err != nil || len(volumes.Dirs) != 1 || len(volumes.Dirs[0].Sizes) != 0 || volumes.Dirs[0].TotalBytes <= 0 {
		t.Errorf("got %+v", volumes)
	}
}

// All brokers run, and nobody restricts anybody.
func TestRegisteredBrokersAndPermission(t *testing.T) {
	ctx := testContext(t)
	client, _ := sharedClient(t)
	brokers, err := client.RegisteredBrokers(ctx)
	if err != nil || len(brokers) != 3 || brokers[0].ID != 1 || brokers[0].Rack == "" || brokers[0].Fenced {
		t.Errorf("got %+v, %v", brokers, err)
	}
	if may, err := client.MayAlterCluster(ctx); !may || err != nil {
		t.Errorf("got %t, %v", may, err)
	}
}
