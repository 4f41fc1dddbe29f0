// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// visibleTimeout bounds how long a change of metadata may take to reach every broker.
const visibleTimeout = 30 * time.Second

// Client returns a Kafka client that is not the provider's. It is closed when the test ends.
func (c *Cluster) Client(t testing.TB) *kgo.Client {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(c.BootstrapServers()...))
	if err != nil {
		t.Fatalf("Make a client: %v", err)
	}
	t.Cleanup(client.Close)
	return client
}

// Admin returns an admin client that is not the provider's. It is closed when the test ends.
func (c *Cluster) Admin(t testing.TB) *kadm.Client {
	t.Helper()
	return kadm.NewClient(c.Client(t))
}

var notInTopicName = regexp.MustCompile(`[^a-zA-Z0-9._-]+`)

// UniqueName returns a topic name that is new and tells the test it belongs to.
func UniqueName(t testing.TB) string {
	name := notInTopicName.ReplaceAllString(t.Name(), "-")
	return fmt.Sprintf("%s-%08x", name[:min(len(name), 200)], rand.Uint32())
}

// UniqueTopic creates a topic with a name of its own and returns the name once every broker shows the topic with a leader for each
// partition. The topic is deleted when the test ends; it may be gone by then.
func (c *Cluster) UniqueTopic(t testing.TB, partitions int32, replicationFactor int16) string {
	t.Helper()
	name := UniqueName(t)
	c.CreateTopic(t, name, partitions, replicationFactor, nil)
	return name
}

// UniqueTopics is [Cluster.UniqueTopic] for many topics of one partition and one replica, which are made in one request.
func (c *Cluster) UniqueTopics(t testing.TB, many int) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
	defer cancel()
	name, names := UniqueName(t), make([]string, many)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%d", name, i)
	}
	admin := c.Admin(t)
	if created, err := admin.CreateTopics(ctx, 1, 1, nil, names...); err != nil || created.Error() != nil {
		t.Fatalf("Create %d topics: %v", many, errors.Join(err, created.Error()))
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
		defer cancel()
		if _, err := admin.DeleteTopics(ctx, names...); err != nil {
			t.Errorf("Delete topics %s-…: %v", name, err)
		}
	})
	c.waitTopics(t, names, 1)
	return names
}

// CreateTopic is [Cluster.UniqueTopic] with a name and configs that the test chooses.
func (c *Cluster) CreateTopic(t testing.TB, name string, partitions int32, replicationFactor int16, configs map[string]string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
	defer cancel()
	admin := c.Admin(t)
	values := make(map[string]*string, len(configs))
	for key, value := range configs {
		values[key] = &value
	}
	if _, err := admin.CreateTopic(ctx, partitions, replicationFactor, values, name); err != nil {
		t.Fatalf("Create topic %q: %v", name, err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
		defer cancel()
		if _, err := admin.DeleteTopic(ctx, name); err != nil && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			t.Errorf("Delete topic %q: %v", name, err)
		}
	})
	c.WaitTopic(t, name, partitions)
}

// WaitTopic returns once every running broker shows a topic with so many partitions, each with a leader.
func (c *Cluster) WaitTopic(t testing.TB, name string, partitions int32) {
	t.Helper()
	c.waitTopics(t, []string{name}, partitions)
}

// waitTopics is [Cluster.WaitTopic] for some topics, which each broker is asked about together.
func (c *Cluster) waitTopics(t testing.TB, names []string, partitions int32) {
	t.Helper()
	c.EachBroker(t, fmt.Sprintf("topics %q with %d partitions", names, partitions), func(ctx context.Context, broker *kgo.Broker) error {
		request := kmsg.NewPtrMetadataRequest()
		for _, name := range names {
			request.Topics = append(request.Topics, kmsg.MetadataRequestTopic{Topic: kmsg.StringPtr(name)})
		}
		metadata, err := metadataOf(ctx, broker, request)
		if err != nil {
			return err
		}
		if len(metadata.Topics) != len(names) {
			return fmt.Errorf("it tells of %d topics", len(metadata.Topics))
		}
		for _, topic := range metadata.Topics {
			if err := completeTopic(topic, partitions); err != nil {
				return err
			}
		}
		return nil
	})
}

// completeTopic reports what a topic of a Metadata response lacks.
func completeTopic(topic kmsg.MetadataResponseTopic, partitions int32) error {
	if err := kerr.ErrorForCode(topic.ErrorCode); err != nil {
		return err
	}
	if len(topic.Partitions) != int(partitions) {
		return fmt.Errorf("it has %d partitions", len(topic.Partitions))
	}
	for _, p := range topic.Partitions {
		if p.Leader < 0 {
			return fmt.Errorf("partition %d has no leader", p.Partition)
		}
	}
	return nil
}

// EachBroker asks every running broker, one after the other, until check returns nil for it. What says what is waited for.
func (c *Cluster) EachBroker(t testing.TB, what string, check func(context.Context, *kgo.Broker) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), visibleTimeout)
	defer cancel()
	for _, b := range c.Brokers() {
		if c.run != nil && b.Pid == 0 {
			continue
		}
		if err := askUntil(ctx, b, check); err != nil {
			t.Fatalf("Broker %d at %s does not show %s: %v; its log is in %s", b.ID, b.Address, what, err, c.LogDir(b.ID))
		}
	}
}

func askUntil(ctx context.Context, b Broker, check func(context.Context, *kgo.Broker) error) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(b.Address))
	if err != nil {
		return err
	}
	defer client.Close()
	return poll(ctx, func() error { return check(ctx, client.SeedBrokers()[0]) })
}

// poll tries until there is no error or the context ends; the error is then the last one.
func poll(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (%w)", ctx.Err(), err)
		case <-time.After(pollInterval):
		}
	}
}
