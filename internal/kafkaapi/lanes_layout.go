// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"slices"
)

// outcomeOf is an answer, or why there is none.
type outcomeOf[V any] struct {
	value V
	err   error
}

// layoutLanes hold the coalescers of questions about the cluster and its replicas. Each has one lane: what comes while a question is
// under way is answered by the next one, which was sent after the call.
type layoutLanes struct {
	registered    *coalescer[struct{}, outcomeOf[[]RegisteredBroker]]
	mayAlter      *coalescer[struct{}, outcomeOf[bool]]
	reassignments *coalescer[TopicPartitions, outcomeOf[map[string]map[int32]Reassignment]]
	logDirs       map[int32]*coalescer[TopicPartitions, BrokerLogDirs]
}

func (c *Client) newLayoutLanes() layoutLanes {
	return layoutLanes{
		registered: sharing(c, c.registeredBrokers),
		mayAlter:   sharing(c, c.mayAlterCluster),
		reassignments: &coalescer[TopicPartitions, outcomeOf[map[string]map[int32]Reassignment]]{
			lanes: 1, start: c.background.Go, fit: allTogether[TopicPartitions], ask: c.listReassignments,
		},
		logDirs: map[int32]*coalescer[TopicPartitions, BrokerLogDirs]{},
	}
}

// sharing is a question that has the same answer for all who ask.
func sharing[V any](c *Client, ask func(ctx context.Context) (V, error)) *coalescer[struct{}, outcomeOf[V]] {
	return &coalescer[struct{}, outcomeOf[V]]{
		lanes: 1, start: c.background.Go, fit: allTogether[struct{}],
		ask: func(ctx context.Context, questions []struct{}) []outcomeOf[V] {
			var answer outcomeOf[V]
			if ctx, end, err := c.begin(ctx); err != nil {
				answer.err = err
			} else {
				answer.value, answer.err = ask(ctx)
				end()
			}
			return slices.Repeat([]outcomeOf[V]{answer}, len(questions))
		},
	}
}

func allTogether[Q any](waiting []Q) int { return len(waiting) }

func (c *Client) logDirLane(broker int32) *coalescer[TopicPartitions, BrokerLogDirs] {
	c.lanes.mu.Lock()
	defer c.lanes.mu.Unlock()
	lane := c.lanes.logDirs[broker]
	if lane == nil {
		lane = &coalescer[TopicPartitions, BrokerLogDirs]{
			lanes: 1, start: c.background.Go, fit: allTogether[TopicPartitions],
			ask: func(ctx context.Context, questions []TopicPartitions) []BrokerLogDirs {
				answer := BrokerLogDirs{Broker: broker}
				if ctx, end, err := c.begin(ctx); err != nil {
					answer.Err = err
				} else {
					answer = c.logDirsOf(ctx, broker, joined(questions))
					end()
				}
				return slices.Repeat([]BrokerLogDirs{answer}, len(questions))
			},
		}
		c.lanes.logDirs[broker] = lane
	}
	return lane
}

// joined are all partitions that are asked about, each once.
func joined(questions []TopicPartitions) TopicPartitions {
	all := TopicPartitions{}
	for _, of := range questions {
		for topic, partitions := range of {
			all[topic] = append(all[topic], partitions...)
		}
	}
	for topic, partitions := range all {
		slices.Sort(partitions)
		all[topic] = slices.Compact(partitions)
	}
	return all
}
