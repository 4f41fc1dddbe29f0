// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// newFake starts a fake cluster, which is for the answers of old brokers and of other platforms, never for Kafka's semantics.
func newFake(t *testing.T, options ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	fake, err := kfake.NewCluster(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(fake.Close)
	return fake
}

func fakeClient(t *testing.T, options ...kfake.Opt) (*Client, *kfake.Cluster) {
	t.Helper()
	fake := newFake(t, options...)
	return newTestClient(t, Options{BootstrapServers: fake.ListenAddrs(), RequestTimeout: 5 * time.Second}), fake
}

func mustInt(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOldBrokersGetTheCompleteSet(t *testing.T) {
	// C-14: what is neither set nor deleted is sent along.
	ctx := testContext(t)
	client, fake := fakeClient(t, kfake.MaxVersions(kversion.V2_2_0()), kfake.SeedTopics(1, "orders"))
	var sent []*kmsg.AlterConfigsRequest
	fake.ControlKey(int16(kmsg.AlterConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		sent = append(sent, request.(*kmsg.AlterConfigsRequest))
		return nil, nil, false
	})
	topic := Topic("orders")
	first := map[string]string{"retention.ms": "1", "flush.ms": "2", "segment.ms": "3"}
	if err := alterOne(ctx, client, Alteration{Entity: topic, Set: first}, false); err != nil {
		t.Fatal(err)
	}

	err := alterOne(ctx, client, Alteration{Entity: topic, Set: map[string]string{"flush.ms": "20"}, Delete: []string{"segment.ms"}}, false)

	if err != nil {
		t.Fatal(err)
	}
	got := ownSet(t, client.ListConfigs(ctx, []Entity{topic}, ListConfigsOptions{})[0])
	if want := map[string]string{"retention.ms": "1", "flush.ms": "20"}; !maps.Equal(got, want) {
		t.Errorf("own set is %v, want %v", got, want)
	}
	if len(sent) != 2 || len(sent[1].Resources) != 1 || len(sent[1].Resources[0].Configs) != 2 {
		t.Errorf("sent %+v", sent)
	}
}

func TestOldBrokersAndHiddenValues(t *testing.T) {
	ctx := testContext(t)
	client, fake := fakeClient(t, kfake.MaxVersions(kversion.V2_2_0()), kfake.SeedTopics(1, "orders"))
	describe := func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		answer := request.ResponseKind().(*kmsg.DescribeConfigsResponse)
		for _, r := range request.(*kmsg.DescribeConfigsRequest).Resources {
			resource := kmsg.NewDescribeConfigsResponseResource()
			resource.ResourceType, resource.ResourceName = r.ResourceType, r.ResourceName
			for _, name := range []string{"z.secret", "a.secret"} {
				c := kmsg.NewDescribeConfigsResponseResourceConfig()
				c.Name, c.IsSensitive, c.Source = name, true, kmsg.ConfigSourceDynamicTopicConfig
				resource.Configs = append(resource.Configs, c)
			}
			answer.Resources = append(answer.Resources, resource)
		}
		return answer, nil, true
	}
	fake.ControlKey(int16(kmsg.DescribeConfigs), describe)
	var sent []*kmsg.AlterConfigsRequest
	fake.ControlKey(int16(kmsg.AlterConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		sent = append(sent, request.(*kmsg.AlterConfigsRequest))
		return nil, nil, false
	})
	a := Alteration{Entity: Topic("orders"), Set: map[string]string{"flush.ms": "1"}}

	err := alterOne(ctx, client, a, false)

	var hidden *HiddenValuesError
	if !errors.As(err, &hidden) || !slices.Equal(hidden.Keys, []string{"a.secret", "z.secret"}) || len(sent) != 0 {
		t.Fatalf("got %v after %d writes", err, len(sent))
	}
	a.Keep = map[string]string{"a.secret": "A", "z.secret": "Z"}
	if err := alterOne(ctx, client, a, false); err != nil {
		t.Fatal(err)
	}
	if len(sent) != 1 || len(sent[0].Resources[0].Configs) != 3 {
		t.Errorf("sent %+v", sent)
	}
}

func TestBrokersWithoutDescribeCluster(t *testing.T) {
	client, fake := fakeClient(t, kfake.MaxVersions(kversion.V2_2_0()), kfake.SeedTopics(1, "orders"))
	var names []string
	fake.ControlKey(int16(kmsg.Metadata), func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		metadata := request.(*kmsg.MetadataRequest)
		if metadata.AllowAutoTopicCreation || len(metadata.Topics) == 0 {
			t.Errorf("Metadata of %d topics, auto creation %t", len(metadata.Topics), metadata.AllowAutoTopicCreation)
		}
		for _, topic := range metadata.Topics {
			names = append(names, *topic.Topic)
		}
		return nil, nil, false
	})
	got, err := client.Cluster(testContext(t))
	if err != nil || len(got.Brokers) != 3 || got.ID == "" || got.Brokers[0].Rack != "krack" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if !slices.Equal(names, []string{noTopic}) {
		t.Errorf("asked for %v", names)
	}
}

func TestBrokersThatDoNotSayThatATopicIsAbsent(t *testing.T) {
	// Kafka 1.1 and older describe an absent topic with the defaults.
	client, fake := fakeClient(t, kfake.MaxVersions(kversion.V1_1_0()), kfake.SeedTopics(1, "orders"))
	fake.ControlKey(int16(kmsg.DescribeConfigs), func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		answer := request.ResponseKind().(*kmsg.DescribeConfigsResponse)
		for _, r := range request.(*kmsg.DescribeConfigsRequest).Resources {
			resource := kmsg.NewDescribeConfigsResponseResource()
			resource.ResourceType, resource.ResourceName = r.ResourceType, r.ResourceName
			answer.Resources = append(answer.Resources, resource)
		}
		return answer, nil, true
	})

	found := client.ListConfigs(testContext(t), []Entity{Topic("orders"), Topic("absent")}, ListConfigsOptions{})

	if found[0].Err != nil || !errors.Is(found[1].Err, ErrUnknownTopic) {
		t.Errorf("got %v and %v", found[0].Err, found[1].Err)
	}
}

func TestCreateTopicsFollowsTheController(t *testing.T) {
	// C-102: without KRaft only the controller creates topics, and it changes.
	client, fake := fakeClient(t, kfake.SeedTopics(1, "orders"))
	var nodes []int32
	fake.ControlKey(int16(kmsg.CreateTopics), func(request kmsg.Request) (kmsg.Response, error, bool) {
		nodes = append(nodes, fake.CurrentNode())
		answer := request.ResponseKind().(*kmsg.CreateTopicsResponse)
		topic := kmsg.NewCreateTopicsResponseTopic()
		topic.Topic, topic.ErrorCode = "new", codeNotController
		answer.Topics = append(answer.Topics, topic)
		return answer, nil, true
	})

	errs := client.CreateTopics(testContext(t), []NewTopic{{Name: "new"}, {Name: "orders"}, {Name: "new"}}, false)

	if errs[0] != nil || errs[1] == nil || errs[2] == nil {
		t.Errorf("got %v", errs)
	}
	if len(nodes) != 1 || nodes[0] != 2 {
		t.Errorf("asked nodes %v first, the controller is 2", nodes)
	}
	if d := client.DescribeTopics(testContext(t), []string{"new"})[0]; d.Err != nil {
		t.Errorf("the topic was not created: %v", d.Err)
	}
}

func TestOldBrokersGetCountsForNewTopics(t *testing.T) {
	client, fake := fakeClient(t, kfake.MaxVersions(kversion.V2_2_0()),
		kfake.BrokerConfigs(map[string]string{"num.partitions": "4", "default.replication.factor": "2"}))
	var counts [][2]int
	fake.ControlKey(int16(kmsg.CreateTopics), func(request kmsg.Request) (kmsg.Response, error, bool) {
		fake.KeepControl()
		topic := request.(*kmsg.CreateTopicsRequest).Topics[0]
		counts = append(counts, [2]int{int(topic.NumPartitions), int(topic.ReplicationFactor)})
		if topic.NumPartitions > 0 {
			return nil, nil, false
		}
		answer := request.ResponseKind().(*kmsg.CreateTopicsResponse)
		refused := kmsg.NewCreateTopicsResponseTopic()
		refused.Topic, refused.ErrorCode = topic.Topic, codeInvalidPartitions
		answer.Topics = append(answer.Topics, refused)
		return answer, nil, true
	})

	err := client.CreateTopics(testContext(t), []NewTopic{{Name: "new"}}, true)[0]

	if err != nil || !slices.Equal(counts, [][2]int{{-1, -1}, {4, 2}}) {
		t.Errorf("got %v with counts %v", err, counts)
	}
}

func TestCodesAreRetriedOrNot(t *testing.T) {
	for _, tt := range []struct {
		code    int16
		retried bool
	}{
		{codeNotController, true}, {codeRequestTimedOut, true}, {codeBrokerNotAvailable, true}, {codeNetworkException, true},
		{codeLeaderNotAvailable, true}, {codeThrottlingQuotaExceeded, true},
		{codeUnknownServerError, false}, {codeUnknownTopicOrPartition, false}, {codeTopicAuthorizationFailed, false},
		{codeInvalidConfig, false}, {codePolicyViolation, false}, {199, false},
	} {
		t.Run(codeName(tt.code), func(t *testing.T) {
			client, fake := fakeClient(t, kfake.NumBrokers(1), kfake.SeedTopics(1, "orders"))
			for _, key := range []kmsg.Key{kmsg.DescribeConfigs, kmsg.IncrementalAlterConfigs, kmsg.Metadata} {
				fake.ControlKey(int16(key), func(request kmsg.Request) (kmsg.Response, error, bool) {
					return refusal(request, tt.code), nil, true
				})
			}
			ctx := testContext(t)
			errs := map[string]error{
				"Metadata":     client.DescribeTopics(ctx, []string{"orders"})[0].Err,
				"AlterConfigs": alterOne(ctx, client, Alteration{Entity: Topic("orders"), Set: map[string]string{"flush.ms": "1"}}, false),
				"ListConfigs":  client.ListConfigs(ctx, []Entity{Topic("orders")}, ListConfigsOptions{})[0].Err,
			}
			for op, err := range errs {
				var refused *Error
				switch {
				case tt.retried && err != nil:
					t.Errorf("%s: %v", op, err)
				case !tt.retried && (!errors.As(err, &refused) || refused.Code != tt.code || refused.Operation != op):
					t.Errorf("%s: got %v", op, err)
				}
			}
		})
	}
}

// refusal answers for the topic "orders" with a code.
func refusal(request kmsg.Request, code int16) kmsg.Response {
	switch answer := request.ResponseKind().(type) {
	case *kmsg.DescribeConfigsResponse:
		r := kmsg.NewDescribeConfigsResponseResource()
		r.ResourceType, r.ResourceName, r.ErrorCode = kmsg.ConfigResourceTypeTopic, "orders", code
		answer.Resources = append(answer.Resources, r)
		return answer
	case *kmsg.IncrementalAlterConfigsResponse:
		r := kmsg.NewIncrementalAlterConfigsResponseResource()
		r.ResourceType, r.ResourceName, r.ErrorCode = kmsg.ConfigResourceTypeTopic, "orders", code
		answer.Resources = append(answer.Resources, r)
		return answer
	case *kmsg.MetadataResponse:
		r := kmsg.NewMetadataResponseTopic()
		r.Topic, r.ErrorCode = kmsg.StringPtr("orders"), code
		answer.Topics = append(answer.Topics, r)
		return answer
	default:
		return answer
	}
}
