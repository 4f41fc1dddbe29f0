// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/IBM/sarama"
)

// ListConfigs lists all configs of each entity, in the order asked, with an error per entity (DescribeConfigs 32). Calls for single
// entities that come side by side share requests.
func (c *Client) ListConfigs(ctx context.Context, entities []Entity, opts ListConfigsOptions) []EntityConfigs {
	results := make([]EntityConfigs, len(entities))
	for i, e := range entities {
		results[i].Entity = e
	}
	if len(entities) == 0 {
		return results
	}
	ctx, end, err := c.begin(ctx)
	if err != nil {
		for i := range results {
			results[i].Err = err
		}
		return results
	}
	defer end()
	if len(entities) == 1 {
		results[0] = c.listOne(ctx, entities[0], opts)
		return results
	}
	c.listConfigs(ctx, entities, opts, results)
	return results
}

// listConfigs asks for each distinct entity once, in batches that run side by side, and fills results.
func (c *Client) listConfigs(ctx context.Context, entities []Entity, opts ListConfigsOptions, results []EntityConfigs) {
	places := map[Entity][]int{}
	var distinct []Entity
	for i, e := range entities {
		if places[e] == nil {
			distinct = append(distinct, e)
		}
		places[e] = append(places[e], i)
	}
	var wg sync.WaitGroup
	for _, b := range batches(distinct, func(e Entity) load { return load{entity: e, at: opts.At} }) {
		wg.Go(func() {
			for _, found := range c.listBatch(ctx, b, opts) {
				for _, i := range places[found.Entity] {
					results[i] = found
				}
			}
		})
	}
	wg.Wait()
}

// listBatch asks one broker for the configs of some entities, and again for those that were told to wait.
func (c *Client) listBatch(ctx context.Context, b batch[Entity], opts ListConfigsOptions) []EntityConfigs {
	retry := c.newRetries()
	var done []EntityConfigs
	for entities := b.items; ; {
		answer, _, err := ask(ctx, c, describeQuestion(b.target, entities, opts))
		if err != nil {
			for _, e := range entities {
				done = append(done, EntityConfigs{Entity: e, Err: err})
			}
			return done
		}
		final, wait, again := settle(configsOf(answer, entities), retry)
		if answer.Version <= lastSilentVersion {
			c.markAbsentTopics(ctx, final)
		}
		done = append(done, final...)
		if len(again) == 0 {
			return done
		}
		if retry.wait(ctx) != nil {
			return append(done, wait...)
		}
		entities = again
	}
}

// settle splits answers into those that stand and those whose entities are to be asked for again.
func settle(found []EntityConfigs, retry *retries) (final, wait []EntityConfigs, again []Entity) {
	for _, f := range found {
		var refused *Error
		if errors.As(f.Err, &refused) && retriable(refused.Code) && retry.left() {
			wait, again = append(wait, f), append(again, f.Entity)
			continue
		}
		final = append(final, f)
	}
	return final, wait, again
}

// describeQuestion asks for all keys: an empty list of names would mean none to brokers before 2.8. Named brokers tell only among the
// synonyms what they hold.
func describeQuestion(t target, entities []Entity, opts ListConfigsOptions) question[*sarama.DescribeConfigsResponse] {
	return question[*sarama.DescribeConfigsResponse]{
		name: "DescribeConfigs", target: t, entities: len(entities),
		send: func(b *sarama.Broker) (*sarama.DescribeConfigsResponse, error) {
			request := &sarama.DescribeConfigsRequest{
				Version: 4, IncludeSynonyms: opts.Synonyms || slices.ContainsFunc(entities, isNamedBroker), IncludeDocumentation: opts.Documentation,
			}
			for _, e := range entities {
				request.Resources = append(request.Resources,
					&sarama.ConfigResource{Type: sarama.ConfigResourceType(e.Type), Name: e.Name})
			}
			return b.DescribeConfigs(request)
		},
		throttle: func(r *sarama.DescribeConfigsResponse) time.Duration { return r.ThrottleTime },
	}
}

func isNamedBroker(e Entity) bool { return e.Type == EntityBroker && e.Name != "" }

// lastSilentVersion is the last version of DescribeConfigs whose brokers (1.1) answer for an absent topic with the defaults.
const lastSilentVersion = 1

// markAbsentTopics finds among described topics those that do not exist.
func (c *Client) markAbsentTopics(ctx context.Context, found []EntityConfigs) {
	var names []string
	for _, f := range found {
		if f.Entity.Type == EntityTopic && f.Err == nil {
			names = append(names, f.Entity.Name)
		}
	}
	absent := map[string]error{}
	for _, d := range c.describeTopics(ctx, names) {
		if d.Err != nil {
			absent[d.Name] = d.Err
		}
	}
	for i, f := range found {
		if err := absent[f.Entity.Name]; err != nil && f.Entity.Type == EntityTopic && f.Err == nil {
			found[i] = EntityConfigs{Entity: f.Entity, Err: err}
		}
	}
}
