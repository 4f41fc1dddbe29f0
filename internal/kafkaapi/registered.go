// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"fmt"
	"time"

	"github.com/IBM/sarama"
)

// firstFenced is the first version of DescribeCluster that tells registered brokers which are not alive (KIP-1073, Kafka 4.0).
const firstFenced = 2

// RegisteredBrokers gives every registered broker's id and whether it is fenced, that is registered and not alive (DescribeCluster
// v2, Kafka 4.0). Older clusters know only live brokers: ErrUnsupported.
func (c *Client) RegisteredBrokers(ctx context.Context) (fenced map[int32]bool, err error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	answer, b, err := ask(ctx, c, question[*sarama.DescribeClusterResponse]{
		name: "DescribeCluster",
		send: func(b *sarama.Broker) (*sarama.DescribeClusterResponse, error) {
			request := sarama.NewDescribeClusterRequest(sarama.MaxVersion)
			request.IncludeFencedBrokers = true
			return b.DescribeCluster(request)
		},
		throttle: func(r *sarama.DescribeClusterResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	})
	if err != nil {
		return nil, err
	}
	if answer.Err != sarama.ErrNoError {
		return nil, fmt.Errorf("DescribeCluster at broker %d: %s", b.ID, codeName(int16(answer.Err)))
	}
	if answer.Version < firstFenced {
		return nil, fmt.Errorf("brokers that are not alive: %w", ErrUnsupported)
	}
	fenced = make(map[int32]bool, len(answer.Brokers))
	for _, broker := range answer.Brokers {
		if broker != nil {
			fenced[broker.BrokerID] = broker.IsFenced
		}
	}
	return fenced, nil
}
