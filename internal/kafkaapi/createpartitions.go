// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

// createPartitions grows topics and gives the errors of those that did not grow.
func (c *Client) createPartitions(ctx context.Context, topics map[string]TopicAlteration, validateOnly bool) map[string]error {
	if len(topics) == 0 {
		return nil
	}
	refused := map[string]error{}
	ctx, end, err := c.begin(ctx)
	if err != nil {
		for name := range topics {
			refused[name] = err
		}
		return refused
	}
	defer end()
	todo := slices.Sorted(maps.Keys(topics))
	for part := range slices.Chunk(todo, maxEntities) {
		g := grower{client: c, topics: topics, validateOnly: validateOnly, retry: c.newRetries(), refused: refused}
		g.run(ctx, part)
	}
	return refused
}

// grower carries the growth of some topics to the controller.
type grower struct {
	client       *Client
	topics       map[string]TopicAlteration
	validateOnly bool
	retry        *retries
	lost         int
	refused      map[string]error
}

// run sends what is left to send until every topic has its outcome.
func (g *grower) run(ctx context.Context, todo []string) {
	for {
		answer, _, err := ask(ctx, g.client, g.question(todo))
		var lost *lostError
		switch {
		case err == nil:
			todo = g.settle(todo, answer)
		case errors.As(err, &lost):
			g.lost++
			todo = g.readBack(ctx, todo, lost.BrokerError)
			if g.lost >= maxTries || !g.retry.left() {
				return
			}
		default:
			for _, name := range todo {
				g.refused[name] = err
			}
			return
		}
		if len(todo) == 0 || g.retry.wait(ctx) != nil {
			return
		}
	}
}

func (g *grower) question(todo []string) question[*sarama.CreatePartitionsResponse] {
	return question[*sarama.CreatePartitionsResponse]{
		name: "CreatePartitions", target: target{kind: toController}, entities: len(todo), write: !g.validateOnly,
		send: func(b *sarama.Broker) (*sarama.CreatePartitionsResponse, error) {
			request := &sarama.CreatePartitionsRequest{
				Version: 3, TopicPartitions: map[string]*sarama.TopicPartition{},
				// The broker's own patience ends before ours, so that it can say so.
				Timeout: g.client.opts.RequestTimeout * 3 / 4, ValidateOnly: g.validateOnly,
			}
			for _, name := range todo {
				request.TopicPartitions[name] = &sarama.TopicPartition{Count: g.topics[name].Partitions, Assignment: g.topics[name].NewReplicas}
			}
			return b.CreatePartitions(request)
		},
		throttle: func(r *sarama.CreatePartitionsResponse) time.Duration { return r.ThrottleTime },
	}
}

// settle takes in the answers and gives the topics to send again; each has its present error in place.
func (g *grower) settle(todo []string, answer *sarama.CreatePartitionsResponse) (again []string) {
	for _, name := range todo {
		r := answer.TopicPartitionErrors[name]
		switch {
		case r == nil:
			g.refused[name] = omitted("CreatePartitions", Topic(name))
			continue
		case r.Err == sarama.ErrNoError:
			delete(g.refused, name)
			continue
		}
		message := ""
		if r.ErrMsg != nil {
			message = *r.ErrMsg
		}
		g.refused[name] = newError(opCreatePartitions, Topic(name), int16(r.Err), message, nil)
		switch code := int16(r.Err); {
		case code == codeThrottlingQuotaExceeded && g.validateOnly:
			// Nothing was checked, and nothing is wrong: the quota is for the write to wait for (KIP-599).
			delete(g.refused, name)
		case code == codeThrottlingQuotaExceeded:
			g.retry.extend(g.client)
			again = append(again, name)
		case retriable(code) && g.retry.left():
			g.client.doubt()
			again = append(again, name)
		}
	}
	return again
}

// readBack finds the topics that have grown although the answer was lost; the rest is to be sent again and has cause as its error.
func (g *grower) readBack(ctx context.Context, todo []string, cause error) (left []string) {
	for _, d := range g.client.describeTopics(ctx, todo) {
		if d.Err == nil && len(d.Partitions) == int(g.topics[d.Name].Partitions) {
			delete(g.refused, d.Name)
			continue
		}
		g.refused[d.Name] = cause
		left = append(left, d.Name)
	}
	return left
}
