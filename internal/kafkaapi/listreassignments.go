// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"time"

	"github.com/IBM/sarama"
)

// ListReassignments gives those of the partitions that are being moved, by topic and partition (ListPartitionReassignments 46,
// KIP-455, Kafka 2.4). Topics that do not exist are left out like those at rest. An error is about the whole question:
// ErrNotAuthorized names DESCRIBE on Cluster; it never comes as an empty answer. Calls that come side by side share requests, none that
// was sent before the call.
func (c *Client) ListReassignments(ctx context.Context, of TopicPartitions) (map[string]map[int32]Reassignment, error) {
	if len(of) == 0 {
		return nil, nil
	}
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	answer, err := c.lanes.reassignments.do(ctx, of)
	if err != nil {
		return nil, waitingFor(target{kind: toController}, "ListPartitionReassignments", err)
	}
	return answer.value, answer.err
}

// listReassignments sends one request for all the questions, and again where the controller changes. Each is answered with its own partitions.
func (c *Client) listReassignments(ctx context.Context, questions []TopicPartitions) []outcomeOf[map[string]map[int32]Reassignment] {
	answers := make([]outcomeOf[map[string]map[int32]Reassignment], len(questions))
	moving, err := c.askReassignments(ctx, joined(questions))
	for i, of := range questions {
		answers[i].err = err
		for topic, partitions := range of {
			for _, p := range partitions {
				move, moves := moving[topic][p]
				if !moves {
					continue
				}
				if answers[i].value == nil {
					answers[i].value = map[string]map[int32]Reassignment{}
				}
				if answers[i].value[topic] == nil {
					answers[i].value[topic] = map[int32]Reassignment{}
				}
				answers[i].value[topic][p] = move
			}
		}
	}
	return answers
}

func (c *Client) askReassignments(ctx context.Context, of TopicPartitions) (map[string]map[int32]Reassignment, error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	for retry := c.newRetries(); ; {
		answer, _, err := ask(ctx, c, reassignmentsQuestion(c, of))
		if err != nil {
			return nil, err
		}
		if answer.ErrorCode == sarama.ErrNoError {
			return reassignmentsOf(answer), nil
		}
		err = newError(opListReassignments, Entity{}, int16(answer.ErrorCode), textOf(answer.ErrorMessage), nil)
		if !retriable(int16(answer.ErrorCode)) || !retry.left() {
			return nil, err
		}
		c.doubt()
		if retry.wait(ctx) != nil {
			return nil, err
		}
	}
}

func reassignmentsQuestion(c *Client, of TopicPartitions) question[*sarama.ListPartitionReassignmentsResponse] {
	return question[*sarama.ListPartitionReassignmentsResponse]{
		name: "ListPartitionReassignments", target: target{kind: toController}, entities: len(of),
		send: func(b *sarama.Broker) (*sarama.ListPartitionReassignmentsResponse, error) {
			request := &sarama.ListPartitionReassignmentsRequest{TimeoutMs: millis(c.opts.RequestTimeout * 3 / 4)}
			for topic, partitions := range of {
				request.AddBlock(topic, partitions)
			}
			return b.ListPartitionReassignments(request)
		},
		throttle: func(r *sarama.ListPartitionReassignmentsResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	}
}

func reassignmentsOf(answer *sarama.ListPartitionReassignmentsResponse) map[string]map[int32]Reassignment {
	all := map[string]map[int32]Reassignment{}
	for topic, partitions := range answer.TopicStatus {
		for partition, status := range partitions {
			if status == nil {
				continue
			}
			if all[topic] == nil {
				all[topic] = map[int32]Reassignment{}
			}
			all[topic][partition] = Reassignment{Replicas: status.Replicas, Adding: status.AddingReplicas, Removing: status.RemovingReplicas}
		}
	}
	return all
}
