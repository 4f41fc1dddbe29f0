// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// live is what the brokers say of a topic's layout at the moment.
type live struct {
	topic    string
	id       string
	internal bool
	// targets are the lists that the partitions have or are moving to; present are the lists as they are, which during a move hold
	// both the old and the new replicas.
	targets, present placement.Assignment
	inSync           [][]int32
	leaders          []int32
	moving           map[int32]kafkaapi.Reassignment
	// brokers are all registered ones; where the cluster tells only the live ones, registered is false.
	brokers    []kafkaapi.RegisteredBroker
	registered bool
}

// notListedError: the layout is known and the moves are not, for lack of a permission.
type notListedError struct{ err error }

func (e *notListedError) Error() string { return e.err.Error() }
func (e *notListedError) Unwrap() error { return e.err }

// readLive asks for a topic's layout and the brokers. The errors are ErrUnknownTopic, *notListedError with all but the moves filled in,
// and those of the client.
func readLive(ctx context.Context, kafka Kafka, topic string) (live, error) {
	l, err := readTopic(ctx, kafka, topic)
	if err != nil {
		return l, err
	}
	if l.brokers, l.registered, err = readBrokers(ctx, kafka); err != nil {
		return l, err
	}
	return l, readMoves(ctx, kafka, &l)
}

func readTopic(ctx context.Context, kafka Kafka, topic string) (live, error) {
	d := kafka.DescribeTopics(ctx, []string{topic})[0]
	if d.Err != nil {
		return live{}, d.Err
	}
	l := live{topic: topic, id: d.ID, internal: d.Internal, moving: map[int32]kafkaapi.Reassignment{}}
	for p, partition := range d.Partitions {
		if int(partition.Partition) != p {
			return live{}, fmt.Errorf("the brokers describe topic %q without its partition %d; ask again when they agree", topic, p)
		}
		l.present = append(l.present, partition.Replicas)
		l.targets = append(l.targets, slices.Clone(partition.Replicas))
		l.inSync = append(l.inSync, partition.InSyncReplicas)
		l.leaders = append(l.leaders, partition.Leader)
	}
	return l, nil
}

// readMoves lists the moves of the topic and corrects the targets by them.
func readMoves(ctx context.Context, kafka Kafka, l *live) error {
	listed, err := kafka.ListReassignments(ctx, kafkaapi.TopicPartitions{l.topic: numbers(len(l.targets))})
	if errors.Is(err, kafkaapi.ErrUnsupported) {
		return nil // before Kafka 2.4 nothing moves that could be listed
	}
	if errors.Is(err, kafkaapi.ErrNotAuthorized) {
		return &notListedError{err}
	}
	if err != nil {
		return err
	}
	for p, move := range listed[l.topic] {
		l.moving[p] = move
		l.targets[p] = move.Target()
	}
	return nil
}

// readBrokers gives the registered brokers, or the live ones where the cluster tells no others.
func readBrokers(ctx context.Context, kafka Kafka) (all []kafkaapi.RegisteredBroker, registered bool, err error) {
	all, err = kafka.RegisteredBrokers(ctx)
	if !errors.Is(err, kafkaapi.ErrUnsupported) {
		return all, true, err
	}
	cluster, err := kafka.Cluster(ctx)
	for _, b := range cluster.Brokers {
		all = append(all, kafkaapi.RegisteredBroker{Broker: b})
	}
	return all, false, err
}

func (l live) broker(id int32) (kafkaapi.RegisteredBroker, bool) {
	i := slices.IndexFunc(l.brokers, func(b kafkaapi.RegisteredBroker) bool { return b.ID == id })
	if i < 0 {
		return kafkaapi.RegisteredBroker{}, false
	}
	return l.brokers[i], true
}

// placementBrokers are the brokers in placement's terms.
func (l live) placementBrokers() []placement.Broker {
	all := make([]placement.Broker, 0, len(l.brokers))
	for _, b := range l.brokers {
		all = append(all, placement.Broker{ID: b.ID, Rack: b.Rack})
	}
	return all
}

// elsewhere are the partitions, ascending, that are moving to other lists than wanted.
func (l live) elsewhere(wanted placement.Assignment) []int32 {
	var all []int32
	for p := range l.moving {
		if int(p) >= len(wanted) || !slices.Equal(l.targets[p], wanted[p]) {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all
}

func numbers(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
