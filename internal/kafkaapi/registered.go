// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

// firstFenced is the first version of DescribeCluster that tells registered brokers which are not alive (KIP-1073, Kafka 4.0).
const firstFenced = 2

// RegisteredBroker is a broker that the cluster knows, alive or not.
type RegisteredBroker struct {
	Broker
	// Fenced: registered and not alive.
	Fenced bool
}

// RegisteredBrokers gives every registered broker in order of the ids (DescribeCluster v2, Kafka 4.0). Older clusters know only live
// brokers: ErrUnsupported.
func (c *Client) RegisteredBrokers(ctx context.Context) ([]RegisteredBroker, error) {
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
	return registeredOf(answer), nil
}

// registeredOf converts the answer of DescribeCluster.
func registeredOf(answer *sarama.DescribeClusterResponse) []RegisteredBroker {
	var all []RegisteredBroker
	for _, b := range answer.Brokers {
		if b != nil {
			all = append(all, RegisteredBroker{Broker: brokerOf(b), Fenced: b.IsFenced})
		}
	}
	slices.SortFunc(all, func(a, b RegisteredBroker) int { return cmp.Compare(a.ID, b.ID) })
	return all
}
