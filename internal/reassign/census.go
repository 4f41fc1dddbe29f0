// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// measured is what the slow beat asks for: which brokers are alive, and what their log directories hold.
type measured struct {
	at time.Time
	// alive is nil where the cluster did not say.
	alive map[int32]bool
	sizes map[replicaOf]int64
	disks map[int32]disk
	// broken has the reason of each broker that a log directory of is offline.
	broken map[int32]string
	// silent has the error of each broker that did not answer.
	silent map[int32]error
}

// replicaOf is one partition's copy on one broker.
type replicaOf struct {
	topic     string
	partition int32
	broker    int32
}

// down tells whether the cluster says that the broker is not alive.
func (m measured) down(id int32) bool { return m.alive != nil && !m.alive[id] }

// aliveBrokers asks which brokers are alive; nil where the cluster does not answer.
func aliveBrokers(ctx context.Context, kafka Kafka) map[int32]bool {
	alive := map[int32]bool{}
	registered, err := kafka.RegisteredBrokers(ctx)
	for _, b := range registered {
		alive[b.ID] = !b.Fenced
	}
	if errors.Is(err, kafkaapi.ErrUnsupported) { // before Kafka 4.0
		var cluster kafkaapi.Cluster
		cluster, err = kafka.Cluster(ctx)
		for _, b := range cluster.Brokers {
			alive[b.ID] = true
		}
	}
	if err != nil {
		return nil
	}
	return alive
}

// measure asks the brokers for themselves. What one does not answer within the context is missing.
func measure(ctx context.Context, kafka Kafka, brokers []int32, of kafkaapi.TopicPartitions) measured {
	return measuredOf(kafka.DescribeLogDirs(ctx, brokers, of))
}

func measuredOf(answers []kafkaapi.BrokerLogDirs) measured {
	m := measured{sizes: map[replicaOf]int64{}, disks: disksOf(answers), broken: map[int32]string{}, silent: map[int32]error{}}
	for _, answer := range answers {
		if errors.Is(answer.Err, kafkaapi.ErrBrokerUnavailable) || errors.Is(answer.Err, context.DeadlineExceeded) {
			m.silent[answer.Broker] = answer.Err
		}
		for _, dir := range answer.Dirs {
			if dir.Err != nil {
				m.broken[answer.Broker] = fmt.Sprintf("the log directory %s of broker %d is offline: %v", dir.Path, answer.Broker, dir.Err)
			}
			for topic, sizes := range dir.Sizes {
				for p, size := range sizes {
					at := replicaOf{topic, p, answer.Broker}
					m.sizes[at] = max(m.sizes[at], size)
				}
			}
		}
	}
	return m
}
