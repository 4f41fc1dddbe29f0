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

// Throttler sets and takes back replication throttles for the executor; throttle.New makes one. Its methods are called one at a time.
type Throttler interface {
	// Cover throttles moves: entries first, then rates, each read back. It is called before moves are submitted, and once for those that
	// are taken over in flight. It merges with what is there and never narrows a "*". Brokers that do not answer are left out, with a
	// warning. A move whose throttle cannot be set is given back with the reason, and is not to be submitted; what was set for it already
	// goes with the next Release.
	// Where the platform has no throttle, the moves go on without, and a warning says so.
	Cover(ctx context.Context, moves []Moving) (failed map[string]map[int32]error, warnings []string)
	// Release takes back what was set, or taken over, and none of the needed moves needs: rates first, per broker as its last move ends,
	// then entries. needed are the moves in flight and those that are still to be submitted, of all jobs: a rate that goes in between
	// would have to be written twice. Without anything to take back it sends nothing, so it can be called at every poll. Warnings name
	// what could not be removed and how to remove it by hand.
	Release(ctx context.Context, needed []Moving) (warnings []string)
	// TakeOver adds what an earlier run left on a topic to what Release takes back.
	TakeOver(left Throttle)
	// Held is what is set or taken over for the topic and its brokers at the moment, and not taken back.
	Held(topic string) Throttle
}
