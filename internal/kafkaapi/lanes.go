// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"fmt"
	"sync"
)

// lanesPerKind is how many batches of one kind may be under way to one broker: with two, a question never waits for more than the
// rest of one round trip.
const lanesPerKind = 2

// lanes hold the coalescers of a client, one for each kind of request that can share a batch.
type lanes struct {
	mu     sync.Mutex
	lists  map[listKind]*coalescer[listing, EntityConfigs]
	alters map[alterKind]*coalescer[Alteration, AlterResult]
	layoutLanes
}

type listKind struct {
	target                  target
	entities                EntityType
	synonyms, documentation bool
}

// listing is one entity of a DescribeConfigs and the keys that are wanted of it, none for all.
type listing struct {
	entity Entity
	keys   []string
}

type alterKind struct {
	target       target
	entities     EntityType
	validateOnly bool
}

func newLanes() lanes {
	return lanes{lists: map[listKind]*coalescer[listing, EntityConfigs]{}, alters: map[alterKind]*coalescer[Alteration, AlterResult]{}}
}

// listOne lists one entity's configs in a batch with others that are asked for at the moment.
func (c *Client) listOne(ctx context.Context, e Entity, opts ListConfigsOptions) EntityConfigs {
	kind := listKind{target: targetOf(e), entities: e.Type, synonyms: opts.Synonyms, documentation: opts.Documentation}
	if opts.At != nil {
		kind.target = target{kind: toBroker, id: *opts.At}
	}
	answer, err := c.listLane(kind, opts).do(ctx, listing{entity: e, keys: opts.Keys})
	if err != nil {
		return EntityConfigs{Entity: e, Err: waitingFor(kind.target, "DescribeConfigs", err)}
	}
	return answer
}

func (c *Client) listLane(kind listKind, opts ListConfigsOptions) *coalescer[listing, EntityConfigs] {
	c.lanes.mu.Lock()
	defer c.lanes.mu.Unlock()
	lane := c.lanes.lists[kind]
	if lane == nil {
		lane = &coalescer[listing, EntityConfigs]{
			lanes: lanesPerKind, start: c.background.Go,
			fit: func(waiting []listing) int { return min(len(waiting), maxEntities) },
			ask: func(ctx context.Context, wanted []listing) []EntityConfigs { return c.listMany(ctx, wanted, opts) },
		}
		c.lanes.lists[kind] = lane
	}
	return lane
}

// alterTogether checks alterations and has them sent in batches with others that are altered at the moment. Writes to one entity stay in
// order, whoever they come from.
func (c *Client) alterTogether(ctx context.Context, alterations []Alteration, validateOnly bool) []AlterResult {
	results := make([]AlterResult, len(alterations))
	seen, places := map[Entity]bool{}, map[alterKind][]int{}
	for i, a := range alterations {
		results[i] = AlterResult{Entity: a.Entity, Err: checkAlteration(a, seen)}
		if results[i].Err == nil {
			kind := alterKind{target: targetOf(a.Entity), entities: a.Entity.Type, validateOnly: validateOnly}
			places[kind] = append(places[kind], i)
		}
	}
	var all sync.WaitGroup
	for kind, at := range places {
		some := make([]Alteration, 0, len(at))
		for _, i := range at {
			some = append(some, alterations[i])
		}
		waiting := c.alterLane(kind).put(ctx, some...)
		all.Go(func() {
			for n, i := range at {
				result, err := waiting[n].wait(ctx)
				if err != nil {
					result = AlterResult{Entity: some[n].Entity, Err: waitingFor(kind.target, "IncrementalAlterConfigs", err)}
				}
				results[i] = result
			}
		})
	}
	all.Wait()
	return results
}

// waitingFor words the end of a caller's patience while a lane was at work for it.
func waitingFor(t target, request string, cause error) error {
	who := "a broker"
	if t.kind == toBroker {
		who = fmt.Sprintf("broker %d", t.id)
	}
	return fmt.Errorf("waiting for %s to answer %s: %w", who, request, cause)
}

func (c *Client) alterLane(kind alterKind) *coalescer[Alteration, AlterResult] {
	c.lanes.mu.Lock()
	defer c.lanes.mu.Unlock()
	lane := c.lanes.alters[kind]
	if lane == nil {
		lane = &coalescer[Alteration, AlterResult]{
			lanes: lanesPerKind, start: c.background.Go, fit: fitAlterations, subject: func(a Alteration) any { return a.Entity },
			ask: func(ctx context.Context, all []Alteration) []AlterResult {
				return c.alterConfigs(ctx, all, kind.validateOnly)
			},
		}
		c.lanes.alters[kind] = lane
	}
	return lane
}

// fitAlterations tells how many of the alterations, each of another entity, one request can carry within its limits.
func fitAlterations(waiting []Alteration) int {
	records, bytes := 0, 0
	for i, a := range waiting {
		l := alteration{Alteration: a}.load()
		records, bytes = records+l.records, bytes+l.bytes
		if i > 0 && (i == maxEntities || records > maxRecords || bytes > maxBytes) {
			return i
		}
	}
	return len(waiting)
}
