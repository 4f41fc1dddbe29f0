// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"time"

	"github.com/IBM/sarama"
)

// ElectPreferredLeaders makes the first replica of each partition its leader (ElectLeaders 43, KIP-460). Partitions that it already
// leads are a success. refused says of the others why not: ErrPreferredLeaderNotAvailable where the first replica is not alive and
// in sync. err is about the whole request.
func (c *Client) ElectPreferredLeaders(ctx context.Context, of TopicPartitions) (refused map[string]map[int32]error, err error) {
	if len(of) == 0 {
		return nil, nil
	}
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	for retry := c.newRetries(); ; {
		answer, _, err := ask(ctx, c, electionQuestion(c, of))
		if err != nil {
			return nil, err
		}
		if answer.ErrorCode == sarama.ErrNoError {
			return electionsOf(answer), nil
		}
		err = newError(opElectLeaders, Entity{}, int16(answer.ErrorCode), "", nil)
		if !retriable(int16(answer.ErrorCode)) || !retry.left() {
			return nil, err
		}
		c.doubt()
		if retry.wait(ctx) != nil {
			return nil, err
		}
	}
}

// electionQuestion is no write in the sense of question: electing once more changes nothing, so a lost answer is asked for again.
func electionQuestion(c *Client, of TopicPartitions) question[*sarama.ElectLeadersResponse] {
	return question[*sarama.ElectLeadersResponse]{
		name: "ElectLeaders", target: target{kind: toController}, entities: len(of),
		send: func(b *sarama.Broker) (*sarama.ElectLeadersResponse, error) {
			return b.ElectLeaders(&sarama.ElectLeadersRequest{
				Version: 2, Type: sarama.PreferredElection, TopicPartitions: of, TimeoutMs: millis(c.opts.RequestTimeout * 3 / 4),
			})
		},
		throttle: func(r *sarama.ElectLeadersResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	}
}

func electionsOf(answer *sarama.ElectLeadersResponse) map[string]map[int32]error {
	refused := map[string]map[int32]error{}
	for topic, partitions := range answer.ReplicaElectionResults {
		for partition, r := range partitions {
			if r == nil || r.ErrorCode == sarama.ErrNoError || int16(r.ErrorCode) == codeElectionNotNeeded {
				continue
			}
			if refused[topic] == nil {
				refused[topic] = map[int32]error{}
			}
			refused[topic][partition] = newError(opElectLeaders, Topic(topic), int16(r.ErrorCode), textOf(r.ErrorMessage), nil)
		}
	}
	return refused
}
