// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// DescribeLogDirs gives the log directories of brokers with the sizes of the named replicas, each broker asked for itself and all at
// once (DescribeLogDirs 35, KIP-113), in the order asked. Without partitions, only the volumes are described. Calls that come side by
// side share requests, so that an answer may have the sizes of more replicas than were named.
func (c *Client) DescribeLogDirs(ctx context.Context, brokers []int32, of TopicPartitions) []BrokerLogDirs {
	all := make([]BrokerLogDirs, len(brokers))
	ctx, end, err := c.begin(ctx)
	if err != nil {
		for i, id := range brokers {
			all[i] = BrokerLogDirs{Broker: id, Err: err}
		}
		return all
	}
	defer end()
	var wg sync.WaitGroup
	for i, id := range brokers {
		wg.Go(func() {
			answer, err := c.logDirLane(id).do(ctx, of)
			if err != nil {
				answer = BrokerLogDirs{Broker: id, Err: waitingFor(target{kind: toBroker, id: id}, "DescribeLogDirs", err)}
			}
			all[i] = answer
		})
	}
	wg.Wait()
	return all
}

func (c *Client) logDirsOf(ctx context.Context, id int32, of TopicPartitions) BrokerLogDirs {
	answer, _, err := ask(ctx, c, question[*sarama.DescribeLogDirsResponse]{
		name: "DescribeLogDirs", target: target{kind: toBroker, id: id}, entities: len(of),
		send: func(b *sarama.Broker) (*sarama.DescribeLogDirsResponse, error) {
			request := &sarama.DescribeLogDirsRequest{Version: 4}
			if len(of) == 0 {
				// The library turns an empty list into all replicas; one that cannot exist brings none.
				of = TopicPartitions{noTopic: {0}}
			}
			for topic, partitions := range of {
				request.DescribeTopics = append(request.DescribeTopics, sarama.DescribeLogDirsRequestTopic{Topic: topic, PartitionIDs: partitions})
			}
			return b.DescribeLogDirs(request)
		},
		throttle: func(r *sarama.DescribeLogDirsResponse) time.Duration { return r.ThrottleTime },
	})
	if err != nil {
		return BrokerLogDirs{Broker: id, Err: err}
	}
	return logDirs(id, answer)
}

// logDirs converts an answer. Before v3 a missing permission comes as an empty answer, which no broker at rest gives.
func logDirs(id int32, answer *sarama.DescribeLogDirsResponse) BrokerLogDirs {
	all := BrokerLogDirs{Broker: id}
	code := int16(answer.ErrorCode)
	if code == codeNone && len(answer.LogDirs) == 0 {
		code = codeClusterAuthorizationFailed
	}
	if code != codeNone {
		all.Err = newError(opDescribeLogDirs, Entity{}, code, "", nil)
		return all
	}
	for _, d := range answer.LogDirs {
		dir := LogDir{Path: d.Path, TotalBytes: -1, UsableBytes: -1, Sizes: map[string]map[int32]int64{}}
		if answer.Version >= 4 {
			dir.TotalBytes, dir.UsableBytes = d.TotalBytes, d.UsableBytes
		}
		if d.ErrorCode != sarama.ErrNoError {
			dir.Err = newError(opDescribeLogDirs, Entity{}, int16(d.ErrorCode), "", nil)
		}
		for _, t := range d.Topics {
			sizes := map[int32]int64{}
			for _, p := range t.Partitions {
				sizes[p.PartitionID] = p.Size
			}
			dir.Sizes[t.Topic] = sizes
		}
		all.Dirs = append(all.Dirs, dir)
	}
	return all
}
