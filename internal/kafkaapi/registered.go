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

// registeredAge is how old the brokers of a refresh may be: all resources of a run look at the same ones.
const registeredAge = time.Minute

// registeredAt is the last answer to ReadBrokers.
type registeredAt struct {
	brokers []RegisteredBroker
	at      time.Time
}

// ReadBrokers is RegisteredBrokers for a refresh: the answer may be up to a minute old, and concurrent calls share one question.
func (c *Client) ReadBrokers(ctx context.Context) ([]RegisteredBroker, error) {
	c.mu.Lock()
	known := c.registered
	c.mu.Unlock()
	if time.Since(known.at) < registeredAge {
		return known.brokers, nil
	}
	return together(ctx, c, "registered brokers", func(ctx context.Context) ([]RegisteredBroker, error) {
		brokers, err := c.RegisteredBrokers(ctx)
		if err == nil {
			c.mu.Lock()
			c.registered = registeredAt{brokers: brokers, at: time.Now()}
			c.mu.Unlock()
		}
		return brokers, err
	})
}

// RegisteredBrokers gives every registered broker in order of the ids (DescribeCluster v2, Kafka 4.0). Older clusters know only live
// brokers: ErrUnsupported. Calls that come side by side share a request, never one that was sent before the call.
func (c *Client) RegisteredBrokers(ctx context.Context) ([]RegisteredBroker, error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	answer, err := c.lanes.registered.do(ctx, struct{}{})
	if err != nil {
		return nil, waitingFor(target{}, "DescribeCluster", err)
	}
	return slices.Clone(answer.value), answer.err
}

func (c *Client) registeredBrokers(ctx context.Context) ([]RegisteredBroker, error) {
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
