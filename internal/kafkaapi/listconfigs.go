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
	wanted := make([]listing, 0, len(entities))
	for _, e := range entities {
		wanted = append(wanted, listing{entity: e, keys: opts.Keys})
	}
	c.listConfigs(ctx, wanted, opts, results)
	return results
}

// listConfigs asks for each distinct entity once, in batches that run side by side, and fills results.
func (c *Client) listConfigs(ctx context.Context, wanted []listing, opts ListConfigsOptions, results []EntityConfigs) {
	places := map[Entity][]int{}
	var distinct []listing
	for i, w := range wanted {
		if places[w.entity] == nil {
			distinct = append(distinct, w)
		} else {
			both := &distinct[slices.IndexFunc(distinct, w.sameEntity)]
			both.keys = bothKeys(both.keys, w.keys)
		}
		places[w.entity] = append(places[w.entity], i)
	}
	var wg sync.WaitGroup
	for _, b := range batches(distinct, func(w listing) load { return load{entity: w.entity, at: opts.At, light: w.light()} }) {
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

// light tells whether the answer is short.
func (w listing) light() bool { return len(w.keys) > 0 && len(w.keys) <= fewKeys }

func (w listing) sameEntity(other listing) bool { return w.entity == other.entity }

// bothKeys are the keys that serve two questions about one entity.
func bothKeys(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	both := slices.Concat(a, b)
	slices.Sort(both)
	return slices.Compact(both)
}

// listBatch asks one broker for the configs of some entities, and again for those that were told to wait.
func (c *Client) listBatch(ctx context.Context, b batch[listing], opts ListConfigsOptions) []EntityConfigs {
	retry := c.newRetries()
	var done []EntityConfigs
	for wanted := b.items; ; {
		answer, _, err := ask(ctx, c, describeQuestion(b.target, wanted, opts))
		if err != nil {
			for _, w := range wanted {
				done = append(done, EntityConfigs{Entity: w.entity, Err: err})
			}
			return done
		}
		entities := make([]Entity, 0, len(wanted))
		for _, w := range wanted {
			entities = append(entities, w.entity)
		}
		final, wait := settle(configsOf(answer, entities), retry)
		if answer.Version <= lastSilentVersion {
			c.markAbsentTopics(ctx, final)
		}
		done = append(done, final...)
		if len(wait) == 0 {
			return done
		}
		if retry.wait(ctx) != nil {
			return append(done, wait...)
		}
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(w listing) bool {
			return !slices.ContainsFunc(wait, func(f EntityConfigs) bool { return f.Entity == w.entity })
		})
	}
}

// settle splits answers into those that stand and those whose entities are to be asked for again.
func settle(found []EntityConfigs, retry *retries) (final, wait []EntityConfigs) {
	for _, f := range found {
		var refused *Error
		if errors.As(f.Err, &refused) && retriable(refused.Code) && retry.left() {
			wait = append(wait, f)
			continue
		}
		final = append(final, f)
	}
	return final, wait
}

// describeQuestion asks for all keys by no list of names: an empty one would mean none to brokers before 2.8. Named brokers tell only among the
// synonyms what they hold.
func describeQuestion(t target, wanted []listing, opts ListConfigsOptions) question[*sarama.DescribeConfigsResponse] {
	return question[*sarama.DescribeConfigsResponse]{
		name: "DescribeConfigs", target: t, entities: len(wanted),
		send: func(b *sarama.Broker) (*sarama.DescribeConfigsResponse, error) {
			request := &sarama.DescribeConfigsRequest{
				Version: 4, IncludeSynonyms: opts.Synonyms || slices.ContainsFunc(wanted, isNamedBroker), IncludeDocumentation: opts.Documentation,
			}
			for _, w := range wanted {
				request.Resources = append(request.Resources,
					&sarama.ConfigResource{Type: sarama.ConfigResourceType(w.entity.Type), Name: w.entity.Name, ConfigNames: w.keys})
			}
			return b.DescribeConfigs(request)
		},
		throttle: func(r *sarama.DescribeConfigsResponse) time.Duration { return r.ThrottleTime },
	}
}

func isNamedBroker(w listing) bool { return w.entity.Type == EntityBroker && w.entity.Name != "" }

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
