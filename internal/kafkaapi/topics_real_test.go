// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

func TestCreateTopicsValidateOnly(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	existing := cluster.UniqueTopic(t, 1, 1)
	fresh := testbed.UniqueName(t)

	errs := client.CreateTopics(ctx, []NewTopic{
		{Name: fresh, Configs: map[string]string{"retention.ms": "1000", "cleanup.policy": "compact"}},
		{Name: fresh + "-bad", Configs: map[string]string{"retention.ms": "1000", "segment.mss": "1"}},
		{Name: existing},
		{Name: "a b!"},
	}, true)

	if errs[0] != nil {
		t.Errorf("a good topic gives %v", errs[0])
	}
	var refused *Error
	if !errors.As(errs[1], &refused) || !errors.Is(refused, ErrInvalidConfig) || refused.Key != "segment.mss" ||
		refused.Message != "Unknown topic config name: segment.mss" || refused.Operation != "CreateTopics" {
		t.Errorf("an unknown key gives %+v", errs[1])
	}
	if !errors.Is(errs[2], ErrTopicExists) || errs[2].Error() != "TOPIC_ALREADY_EXISTS: Topic '"+existing+"' already exists." {
		t.Errorf("an existing topic gives %v", errs[2])
	}
	if !errors.As(errs[3], &refused) || refused.CodeName != "INVALID_TOPIC_EXCEPTION" || refused.Message == "" {
		t.Errorf("a malformed name gives %v", errs[3])
	}
	// A topic that is created for good is the fence: an earlier one would be there by then.
	if err := client.CreateTopics(ctx, []NewTopic{{Name: fresh + "-real"}}, false)[0]; err != nil {
		t.Fatal(err)
	}
	waitTopics(ctx, t, client, []string{fresh + "-real"})
	if d := client.DescribeTopics(ctx, []string{fresh})[0]; !errors.Is(d.Err, ErrUnknownTopic) {
		t.Errorf("the trial left a topic: %+v", d)
	}
}

func TestALostAnswerOfACreation(t *testing.T) {
	ctx := testContext(t)
	client, _, recorder := recordedClient(t, 0)
	for name, verdict := range map[string]testbed.Verdict{"done": testbed.LoseAnswer(), "not done": testbed.CloseConnection()} {
		t.Run(name, func(t *testing.T) {
			topic := testbed.UniqueName(t)
			recorder.Next(keyCreateTopics, verdict)
			if err := client.CreateTopics(ctx, []NewTopic{{Name: topic}}, false)[0]; err != nil {
				t.Fatal(err)
			}
			waitTopics(ctx, t, client, []string{topic})
		})
	}
}

func TestDescribeTopics(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic, absent := cluster.UniqueTopic(t, 3, 2), testbed.UniqueName(t)

	found := client.DescribeTopics(ctx, []string{topic, absent, topic})

	for _, i := range []int{0, 2} {
		d := found[i]
		if d.Err != nil || d.Name != topic || len(d.ID) != 22 || len(d.Partitions) != 3 {
			t.Fatalf("described as %+v", d)
		}
		for p, described := range d.Partitions {
			if described.Partition != int32(p) || len(described.Replicas) != 2 || !slices.Contains(described.Replicas, described.Leader) ||
				len(described.InSyncReplicas) == 0 {
				t.Errorf("partition %d is %+v", p, described)
			}
		}
	}
	if !errors.Is(found[1].Err, ErrUnknownTopic) {
		t.Errorf("an absent topic gives %v", found[1].Err)
	}
	// Asking creates nothing, although brokers would by default.
	if n := len(recorder.Writes()); n != 0 {
		t.Errorf("%d writes:\n%s", n, recorder)
	}
	if found := client.DescribeTopics(ctx, nil); len(found) != 0 || recorder.Count(keyMetadata) != 1 {
		t.Errorf("no names bring %d topics and %d requests", len(found), recorder.Count(keyMetadata))
	}
}

func TestPolicyViolation(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := cluster.UniqueTopic(t, 1, 1)

	err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: map[string]string{"retention.ms": "9000000000000"}}, true)

	var refused *Error
	if !errors.As(err, &refused) || !errors.Is(err, ErrPolicyViolation) || refused.Message == "" || refused.Key != "retention.ms" {
		t.Errorf("got %v", err)
	}
}
