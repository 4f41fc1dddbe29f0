// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// Kafka is what the executor needs of a cluster; *kafkaapi.Client has it.
type Kafka interface {
	Cluster(ctx context.Context) (kafkaapi.Cluster, error)
	DescribeTopics(ctx context.Context, names []string) []kafkaapi.TopicDescription
	ListReassignments(ctx context.Context, of kafkaapi.TopicPartitions) (map[string]map[int32]kafkaapi.Reassignment, error)
	RegisteredBrokers(ctx context.Context) ([]kafkaapi.RegisteredBroker, error)
	DescribeLogDirs(ctx context.Context, brokers []int32, of kafkaapi.TopicPartitions) []kafkaapi.BrokerLogDirs
	AlterTopics(ctx context.Context, alterations []kafkaapi.TopicAlteration, validateOnly bool) []kafkaapi.TopicResult
}

// Settings are the provider's reassignment block.
type Settings struct {
	// ThrottleBytesPerSecond limits what one broker copies in, and what it copies out; 0: no throttle is set.
	ThrottleBytesPerSecond int64
	// MaxMovesPerBroker is how many replicas may be copied into or out of one broker at a time, over all jobs.
	MaxMovesPerBroker int
	// StallTimeout is how long a move may go without progress. Where a destination or all sources are gone, a minute is enough.
	StallTimeout time.Duration
}

// Moving is a job's move that is submitted, or about to be.
type Moving struct {
	Topic string
	Move
}

// Throttler sets and takes back replication throttles for the executor. Its methods are called one at a time.
type Throttler interface {
	// Cover throttles the moves before they are submitted: entries first, then rates, each read back. It merges with what is there and
	// never narrows a "*". Brokers that do not answer are left out, with a warning for their moves. A move whose throttle cannot be
	// set is given back with the reason, and is not to be submitted.
	Cover(ctx context.Context, moves []Moving) (failed map[string]map[int32]error, warnings []string)
	// Release takes back what was set, or taken over, and no move of inFlight needs: rates first, per broker as its last move ends, then
	// entries. Warnings name what could not be removed and how to remove it by hand.
	Release(ctx context.Context, inFlight []Moving) (warnings []string)
	// TakeOver adds what an earlier run left on a topic to what Release takes back.
	TakeOver(left Throttle)
	// Held is what is set or taken over for the topic and its brokers at the moment.
	Held(topic string) Throttle
}
