// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"fmt"
	"time"

	"github.com/IBM/sarama"
)

const (
	// A refresh is large from aheadThreshold single reads on: ten resources on a cluster of many thousand topics never ask for the names of
	// all. A chunk takes a broker about 50 ms, one of a few keys half of that, and the store stays below 30 MB.
	aheadThreshold = 20
	aheadChunk     = 250
	aheadLimit     = 5000
)

// ReadConfigs is ListConfigs for one of the many entities of a run: in a large run the answer may have been fetched shortly before it was
// asked for, never before the run or before a write of the run.
func (c *Client) ReadConfigs(ctx context.Context, e Entity, opts ListConfigsOptions) EntityConfigs {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return EntityConfigs{Entity: e, Err: err}
	}
	defer end()
	if e.Type == EntityTopic && opts.At == nil {
		if answer, ok := c.configsAheadOf(opts).take(ctx, e.Name); ok {
			return answer
		}
	}
	return c.listOne(ctx, e, opts)
}

// configsAheadOf gives what fetches the answers to one kind of question.
func (c *Client) configsAheadOf(opts ListConfigsOptions) *ahead[EntityConfigs] {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := fmt.Sprint(opts.Synonyms, opts.Documentation, opts.Keys)
	a := c.configsAhead[kind]
	if a == nil {
		a = c.newConfigsAhead(opts)
		c.configsAhead[kind] = a
	}
	return a
}

// forgetAhead drops what was fetched of a topic that is about to be written.
func (c *Client) forgetAhead(topic string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.configsAhead {
		a.forget(topic)
	}
	c.layoutsAhead.forget(topic)
}

func (c *Client) newConfigsAhead(opts ListConfigsOptions) *ahead[EntityConfigs] {
	chunk := aheadChunk
	if (listing{keys: opts.Keys}).light() {
		chunk = maxFiltered
	}
	a := newAhead[EntityConfigs](aheadThreshold, chunk, aheadLimit)
	a.start, a.names = c.background.Go, c.ownTopicNames
	a.fetch = func(ctx context.Context, names []string) map[string]EntityConfigs {
		entities := make([]listing, 0, len(names))
		for _, name := range names {
			entities = append(entities, listing{entity: Topic(name), keys: opts.Keys})
		}
		found := make(map[string]EntityConfigs, len(names))
		ctx, end, err := c.begin(ctx)
		if err != nil {
			return nil
		}
		defer end()
		for _, answer := range c.listBatch(ctx, batch[listing]{items: entities}, opts) {
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

// ownTopicNames is TopicNames but for the topics that Kafka keeps for itself, as of the first time that it is called.
func (c *Client) ownTopicNames(ctx context.Context) ([]string, error) {
	return together(ctx, c, "names", func(ctx context.Context) ([]string, error) {
		c.mu.Lock()
		names := c.ownNames
		c.mu.Unlock()
		if names != nil {
			return names, nil
		}
		names, err := c.topicNames(ctx, func(t *sarama.TopicMetadata) bool { return !t.IsInternal })
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ownNames = names
		return names, err
	})
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
