// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	keyMetadata        = int16(kmsg.Metadata)
	keyCreateTopics    = int16(kmsg.CreateTopics)
	keyDescribeConfigs = int16(kmsg.DescribeConfigs)
	keyIncremental     = int16(kmsg.IncrementalAlterConfigs)
	keyDescribeCluster = int16(kmsg.DescribeCluster)
)

// recordedClient gives a client whose traffic with the shared cluster is recorded and can be made to fail.
func recordedClient(t *testing.T, timeout time.Duration) (*Client, *testbed.Cluster, *testbed.Recorder) {
	t.Helper()
	cluster := testbed.Shared(t)
	recorder := testbed.Record(t, cluster)
	return newTestClient(t, Options{BootstrapServers: recorder.BootstrapServers(), RequestTimeout: timeout}), cluster, recorder
}

func TestManyReadsCostOneQuestionForTheCluster(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := cluster.UniqueTopic(t, 1, 1)

	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range 30 {
				if err := client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{})[0].Err; err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()

	// Reads side by side share requests.
	if n := recorder.Count(keyDescribeConfigs); n == 0 || n > 300 {
		t.Errorf("%d DescribeConfigs, want 1 to 300", n)
	}
	if n := recorder.Count(keyDescribeCluster); n != 1 || recorder.Count(keyMetadata) != 0 {
		t.Errorf("%d DescribeCluster and %d Metadata, want 1 and 0", n, recorder.Count(keyMetadata))
	}
}

func TestAHundredTopicsAreOneRequest(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := cluster.UniqueTopic(t, 1, 1)
	entities := []Entity{Topic(topic)}
	for i := range 250 {
		entities = append(entities, Topic(fmt.Sprintf("absent-%d", i)))
	}

	for i, found := range client.ListConfigs(ctx, entities, ListConfigsOptions{}) {
		if found.Entity != entities[i] || (i > 0) != errors.Is(found.Err, ErrUnknownTopic) {
			t.Errorf("%s: %v", found.Entity, found.Err)
		}
	}

	if n := recorder.Count(keyDescribeConfigs); n != 3 {
		t.Errorf("%d DescribeConfigs, want 3", n)
	}
}

func TestALostAnswerOfAWriteIsReadBack(t *testing.T) {
	// C-102: what the broker did is not done again, and is no error.
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := testbed.UniqueName(t)
	cluster.CreateTopic(t, topic, 1, 1, map[string]string{"segment.ms": "5"})
	recorder.Next(keyIncremental, testbed.LoseAnswer())

	err := alterOne(ctx, client, Alteration{
		Entity: Topic(topic), Set: map[string]string{"retention.ms": "1000"}, Delete: []string{"segment.ms"},
	}, false)

	if err != nil {
		t.Fatal(err)
	}
	waitStored(t, cluster, topic, map[string]string{"retention.ms": "1000"})
	if recorder.Count(keyDescribeConfigs) == 0 {
		t.Error("the topic was not read back")
	}
}

func TestAWriteThatTheBrokerNeverSawIsRepeated(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := cluster.UniqueTopic(t, 1, 1)
	recorder.Next(keyIncremental, testbed.CloseConnection())

	if err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: map[string]string{"retention.ms": "1000"}}, false); err != nil {
		t.Fatal(err)
	}

	waitStored(t, cluster, topic, map[string]string{"retention.ms": "1000"})
	if n := len(recorder.Writes()); n != 2 {
		t.Errorf("%d writes, want 2:\n%s", n, recorder)
	}
}

func TestALostWriteToATopicThatIsGone(t *testing.T) {
	ctx := testContext(t)
	client, _, recorder := recordedClient(t, 0)
	recorder.Next(keyIncremental, testbed.CloseConnection())

	err := alterOne(ctx, client, Alteration{Entity: Topic(testbed.UniqueName(t)), Set: map[string]string{"retention.ms": "1"}}, false)

	if !errors.Is(err, ErrUnknownTopic) {
		t.Errorf("got %v", err)
	}
}

func TestAReadIsRepeatedWhenTheConnectionBreaks(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := cluster.UniqueTopic(t, 1, 1)
	for range 3 {
		recorder.Next(keyDescribeConfigs, testbed.CloseConnection())
		if err := client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{})[0].Err; err != nil {
			t.Fatal(err)
		}
	}
}

func TestAHungBrokerIsPassedOver(t *testing.T) {
	// C-114: it costs one request timeout, once, and another broker answers.
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, time.Second)
	topic := cluster.UniqueTopic(t, 1, 1)
	list := func() error { return client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{})[0].Err }
	if err := list(); err != nil {
		t.Fatal(err)
	}
	hung := recorder.RequestsOf(keyDescribeConfigs)[0].Broker
	if err := recorder.Hang(hung); err != nil {
		t.Fatal(err)
	}
	recorder.Reset()

	for range 5 {
		if err := list(); err != nil {
			t.Fatal(err)
		}
	}

	asked := 0
	for _, q := range recorder.RequestsOf(keyDescribeConfigs) {
		if q.Broker == hung {
			asked++
		}
	}
	if asked > 1 {
		t.Errorf("the hung broker was asked %d times", asked)
	}
	// What only that broker can answer fails, and the error says who did not answer what.
	err := client.ListConfigs(ctx, []Entity{BrokerEntity(int32(hung))}, ListConfigsOptions{})[0].Err
	var unavailable *BrokerError
	if !errors.As(err, &unavailable) || unavailable.Broker != int32(hung) || unavailable.Timeout != time.Second {
		t.Fatalf("got %v", err)
	}
	want := fmt.Sprintf("broker %d at %s did not answer DescribeConfigs within 1s", hung, recorder.Address(hung))
	if err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if err := recorder.Heal(hung); err != nil {
		t.Fatal(err)
	}
	if err := client.ListConfigs(ctx, []Entity{BrokerEntity(int32(hung))}, ListConfigsOptions{})[0].Err; err != nil {
		t.Errorf("the broker answers again, and the client says %v", err)
	}
}

func TestAHungWriteIsMadeElsewhere(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, time.Second)
	topic := cluster.UniqueTopic(t, 1, 1)
	recorder.Next(keyIncremental, testbed.NoAnswer())

	if err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: map[string]string{"retention.ms": "1000"}}, false); err != nil {
		t.Fatal(err)
	}

	waitStored(t, cluster, topic, map[string]string{"retention.ms": "1000"})
	writes := recorder.Writes()
	if len(writes) != 2 || writes[0].Broker == writes[1].Broker {
		t.Errorf("writes:\n%s", recorder)
	}
}

func TestABrokerThatRefusesConnections(t *testing.T) {
	// C-101: what does not need it succeeds.
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 5*time.Second)
	topic := cluster.UniqueTopic(t, 1, 1)
	for _, b := range cluster.Brokers() {
		t.Run(fmt.Sprintf("broker %d", b.ID), func(t *testing.T) {
			if err := recorder.Refuse(b.ID); err != nil {
				t.Fatal(err)
			}
			found := client.ListConfigs(ctx, []Entity{Topic(topic), BrokerEntity(int32(b.ID)), ClusterDefault()}, ListConfigsOptions{})
			if found[0].Err != nil || found[2].Err != nil {
				t.Errorf("got %v and %v", found[0].Err, found[2].Err)
			}
			if err := found[1].Err; !errors.Is(err, ErrBrokerUnavailable) || !strings.Contains(err.Error(), "connection refused") {
				t.Errorf("the broker's own configs give %v", err)
			}
			err := alterOne(ctx, client, Alteration{Entity: Topic(topic), Set: map[string]string{"retention.ms": fmt.Sprint(b.ID)}}, false)
			if err != nil {
				t.Error(err)
			}
			if err := recorder.Heal(b.ID); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestCancellationEndsACallAtOnce(t *testing.T) {
	client, cluster, recorder := recordedClient(t, 0)
	topic := cluster.UniqueTopic(t, 1, 1)
	entity := Topic(topic)
	calls := map[string]struct {
		key  int16
		call func(context.Context) error
	}{
		"ListConfigs": {keyDescribeConfigs, func(ctx context.Context) error {
			return client.ListConfigs(ctx, []Entity{entity}, ListConfigsOptions{})[0].Err
		}},
		"AlterConfigs": {keyIncremental, func(ctx context.Context) error {
			return alterOne(ctx, client, Alteration{Entity: entity, Set: map[string]string{"flush.ms": "1"}}, false)
		}},
		"DescribeTopics": {keyMetadata, func(ctx context.Context) error { return client.DescribeTopics(ctx, []string{topic})[0].Err }},
		"CreateTopics": {keyCreateTopics, func(ctx context.Context) error {
			return client.CreateTopics(ctx, []NewTopic{{Name: topic}}, false)[0]
		}},
		"Cluster": {keyDescribeCluster, func(ctx context.Context) error {
			fresh := NewClient(Options{BootstrapServers: recorder.BootstrapServers()})
			defer func() { _ = fresh.Close() }()
			_, err := fresh.Cluster(ctx)
			return err
		}},
	}
	for name, tt := range calls {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(testContext(t))
			// The request is on its way when the context ends; the request timeout of 30 s is far.
			stop := recorder.Intercept(func(q testbed.Request) testbed.Verdict {
				if q.Key != tt.key {
					return testbed.Forward()
				}
				cancel()
				return testbed.NoAnswer()
			})
			err := tt.call(ctx)
			stop()
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
			if err := tt.call(testContext(t)); name != "CreateTopics" && err != nil {
				t.Errorf("the next call fails: %v", err)
			}
		})
	}
	waitStored(t, cluster, topic, map[string]string{"flush.ms": "1"})
}

func TestCloseEndsCallsUnderWay(t *testing.T) {
	client, cluster, recorder := recordedClient(t, 0)
	topic := cluster.UniqueTopic(t, 1, 1)
	recorder.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != keyDescribeConfigs {
			return testbed.Forward()
		}
		go func() { _ = client.Close() }()
		return testbed.NoAnswer()
	})
	for range 2 {
		err := client.ListConfigs(testContext(t), []Entity{Topic(topic)}, ListConfigsOptions{})[0].Err
		if !errors.Is(err, errClosed) {
			t.Errorf("got %v", err)
		}
	}
}
