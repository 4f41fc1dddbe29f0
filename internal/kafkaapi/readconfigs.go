// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"time"

	"github.com/IBM/sarama"
)

const (
	// A refresh is large from aheadThreshold single reads on: ten resources on a cluster of many thousand topics never ask for the names of
	// all. A chunk takes a broker about 50 ms, and the store stays below 30 MB.
	aheadThreshold = 20
	aheadChunk     = 250
	aheadLimit     = 5000
)

// ReadConfigs is ListConfigs for the refresh of one entity: in a large run the answer may have been fetched shortly before it was
// asked for, never before the run or before a write of the run.
func (c *Client) ReadConfigs(ctx context.Context, e Entity) EntityConfigs {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return EntityConfigs{Entity: e, Err: err}
	}
	defer end()
	if e.Type == EntityTopic {
		if answer, ok := c.configsAhead.take(ctx, e.Name); ok {
			return answer
		}
	}
	return c.listOne(ctx, e, ListConfigsOptions{})
}

func (c *Client) newConfigsAhead() *ahead[EntityConfigs] {
	a := newAhead[EntityConfigs](aheadThreshold, aheadChunk, aheadLimit)
	a.start, a.names = c.background.Go, c.ownTopicNames
	a.fetch = func(ctx context.Context, names []string) map[string]EntityConfigs {
		entities := make([]listing, 0, len(names))
		for _, name := range names {
			entities = append(entities, listing{entity: Topic(name)})
		}
		found := make(map[string]EntityConfigs, len(names))
		ctx, end, err := c.begin(ctx)
		if err != nil {
			return nil
		}
		defer end()
		for _, answer := range c.listBatch(ctx, batch[listing]{items: entities}, ListConfigsOptions{}) {
			if answer.Err == nil {
				found[answer.Entity.Name] = answer
			}
		}
		return found
	}
	return a
}

// listMany lists in requests of its own.
func (c *Client) listMany(ctx context.Context, wanted []listing, opts ListConfigsOptions) []EntityConfigs {
	results := make([]EntityConfigs, len(wanted))
	ctx, end, err := c.begin(ctx)
	if err != nil {
		for i, w := range wanted {
			results[i] = EntityConfigs{Entity: w.entity, Err: err}
		}
		return results
	}
	defer end()
	c.listConfigs(ctx, wanted, opts, results)
	return results
}

// ownTopicNames is TopicNames but for the topics that Kafka keeps for itself.
func (c *Client) ownTopicNames(ctx context.Context) ([]string, error) {
	return c.topicNames(ctx, func(t *sarama.TopicMetadata) bool { return !t.IsInternal })
}

func (c *Client) topicNames(ctx context.Context, wanted func(*sarama.TopicMetadata) bool) ([]string, error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	answer, _, err := ask(ctx, c, question[*sarama.MetadataResponse]{
		name: "Metadata",
		send: func(b *sarama.Broker) (*sarama.MetadataResponse, error) {
			request := sarama.NewMetadataRequest(sarama.MaxVersion, nil)
			request.AllowAutoTopicCreation = false
			return b.GetMetadata(request)
		},
		throttle: func(r *sarama.MetadataResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	})
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(answer.Topics))
	for _, t := range answer.Topics {
		if t != nil && t.Err == sarama.ErrNoError && wanted(t) {
			names = append(names, t.Name)
		}
	}
	return names, nil
}
