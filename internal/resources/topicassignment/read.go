// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

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

// readAgain is readLive but for the brokers, which are taken from an earlier reading.
func readAgain(ctx context.Context, kafka Kafka, earlier live) (live, error) {
	l, err := readTopic(ctx, kafka, earlier.topic)
	if err != nil {
		return l, err
	}
	l.brokers, l.registered = earlier.brokers, earlier.registered
	return l, readMoves(ctx, kafka, &l)
}

// readRefreshed is readLive for a refresh, in which many resources share requests: what it says may be some seconds old.
func readRefreshed(ctx context.Context, kafka Kafka, topic string) (live, error) {
	layout := kafka.ReadLayout(ctx, topic)
	if layout.Err != nil {
		return live{}, layout.Err
	}
	l, err := liveOf(topic, layout.TopicDescription)
	if err != nil {
		return l, err
	}
	l.throttled = layout.Throttled
	if l.brokers, l.registered, err = orAlive(ctx, kafka, kafka.ReadBrokers); err != nil {
		return l, err
	}
	return l, l.listed(layout.Moving, layout.MovesErr)
}

func readTopic(ctx context.Context, kafka Kafka, topic string) (live, error) {
	d := kafka.DescribeTopics(ctx, []string{topic})[0]
	if d.Err != nil {
		return live{}, d.Err
	}
	return liveOf(topic, d)
}

// liveOf converts a description of a topic at rest.
func liveOf(topic string, d kafkaapi.TopicDescription) (live, error) {
	l := live{topic: topic, id: d.ID, internal: d.Internal}
	for p, partition := range d.Partitions {
		if int(partition.Partition) != p || len(partition.Replicas) == 0 {
			return live{}, fmt.Errorf("the brokers describe topic %q without its partition %d; ask again when they agree", topic, p)
		}
		l.present = append(l.present, partition.Replicas)
		l.inSync = append(l.inSync, partition.InSyncReplicas)
		l.leaders = append(l.leaders, partition.Leader)
	}
	l.setMoves(nil)
	return l, nil
}

// setMoves corrects the targets by what moves. Partitions that the description did not have are left out.
func (l *live) setMoves(moves map[int32]kafkaapi.Reassignment) {
	l.moving, l.targets = map[int32]kafkaapi.Reassignment{}, l.present.Clone()
	for p, move := range moves {
		if int(p) < len(l.targets) {
			l.moving[p], l.targets[p] = move, move.Target()
		}
	}
}

// readMoves lists the moves of the topic.
func readMoves(ctx context.Context, kafka Kafka, l *live) error {
	listed, err := kafka.ListReassignments(ctx, kafkaapi.TopicPartitions{l.topic: numbers(len(l.present))})
	return l.listed(listed[l.topic], err)
}

// listed takes in the answer to what moves.
func (l *live) listed(moves map[int32]kafkaapi.Reassignment, err error) error {
	switch {
	case errors.Is(err, kafkaapi.ErrUnsupported):
		l.fixed = true // before Kafka 2.4, and on some services: nothing moves that could be listed
		return nil
	case errors.Is(err, kafkaapi.ErrNotAuthorized):
		return &notListedError{err}
	case err != nil:
		return err
	}
	l.setMoves(moves)
	return nil
}

// readBrokers gives the registered brokers, or the live ones where the cluster tells no others.
func readBrokers(ctx context.Context, kafka Kafka) (all []kafkaapi.RegisteredBroker, registered bool, err error) {
	return orAlive(ctx, kafka, kafka.RegisteredBrokers)
}

func orAlive(ctx context.Context, kafka Kafka, ask func(context.Context) ([]kafkaapi.RegisteredBroker, error)) (all []kafkaapi.RegisteredBroker, registered bool, err error) {
	all, err = ask(ctx)
	if !errors.Is(err, kafkaapi.ErrUnsupported) {
		return all, true, err
	}
	cluster, err := kafka.Cluster(ctx)
	for _, b := range cluster.Brokers {
		all = append(all, kafkaapi.RegisteredBroker{Broker: b})
	}
	slices.SortFunc(all, func(a, b kafkaapi.RegisteredBroker) int { return int(a.ID) - int(b.ID) })
	return all, false, err
}

const (
	// settleTime lies between two readings that have to agree.
	settleTime  = 100 * time.Millisecond
	settleTries = 10
)

// readSettled is readLive for decisions that rest on what it says; see settled.
func readSettled(ctx context.Context, kafka Kafka, topic string, expected placement.Assignment) (live, error) {
	l, err := readLive(ctx, kafka, topic)
	if err != nil {
		return l, err
	}
	return settled(ctx, kafka, l, expected)
}

// settled gives a reading that can be relied on. A move that ends is off the list some milliseconds before the brokers show the final
// replicas, and until then old and new ones look like a layout at rest. So what is not expected counts when two readings agree.
func settled(ctx context.Context, kafka Kafka, l live, expected placement.Assignment) (live, error) {
	for try := 0; try < settleTries && !l.atRestAs(expected); try++ {
		if err := pause(ctx, settleTime); err != nil {
			return l, err
		}
		next, err := readLive(ctx, kafka, l.topic)
		if err != nil || next.same(l) {
			return next, err
		}
		l = next
	}
	return l, nil
}

// pause waits, and gives the reason where the context ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
