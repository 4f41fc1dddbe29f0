// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"strings"
	"sync"
)

// AlterConfigs sets and deletes configs, each entity all or nothing, with an error per entity in the order given.
// Entities must be distinct; an alteration that sets and deletes nothing is answered without a request.
//
// The request is IncrementalAlterConfigs (44, KIP-339), or AlterConfigs (33) with the complete set where the cluster does not
// offer it. A write whose answer is lost is read back before it is repeated, so that nil means: the entity has what was asked.
// Calls that come side by side share requests, and writes to one entity are sent one after the other.
func (c *Client) AlterConfigs(ctx context.Context, alterations []Alteration, validateOnly bool) []AlterResult {
	if !validateOnly {
		for _, a := range alterations {
			c.forgetAhead(a.Entity.Name)
		}
	}
	return c.alterTogether(ctx, alterations, validateOnly)
}

// alterConfigs alters what was checked, in batches that run side by side.
func (c *Client) alterConfigs(ctx context.Context, alterations []Alteration, validateOnly bool) []AlterResult {
	results := make([]AlterResult, len(alterations))
	var todo []alteration
	for i, a := range alterations {
		results[i].Entity = a.Entity
		if len(a.Set)+len(a.Delete) > 0 {
			todo = append(todo, alteration{a, &results[i].Err})
		}
	}
	if len(todo) == 0 {
		return results
	}
	ctx, end, err := c.begin(ctx)
	if err != nil {
		refuse(todo, err)
		return results
	}
	defer end()
	var wg sync.WaitGroup
	for _, b := range batches(todo, alteration.load) {
		w := alterer{client: c, target: b.target, validateOnly: validateOnly, retry: c.newRetries()}
		w.spread = !validateOnly && b.items[0].Entity.Type == EntityTopic && c.spreadsWrites(ctx)
		wg.Go(func() { w.run(ctx, b.items) })
	}
	wg.Wait()
	return results
}

// alteration is an Alteration under way and the place of its outcome.
type alteration struct {
	Alteration
	err *error
}

func (a alteration) load() load {
	l := load{entity: a.Entity, records: len(a.Set) + len(a.Delete)}
	for k, v := range a.Set {
		l.bytes += len(k) + len(v)
	}
	for _, k := range a.Delete {
		l.bytes += len(k)
	}
	return l
}

// keys are the names that the request names, for finding the one that a message speaks of.
func (a alteration) keys() []string {
	keys := make([]string, 0, len(a.Set)+len(a.Delete))
	for k := range a.Set {
		keys = append(keys, k)
	}
	return append(keys, a.Delete...)
}

// refuse gives all the same error.
func refuse(all []alteration, err error) {
	for _, a := range all {
		*a.err = err
	}
}

// alterer carries one batch of alterations to one broker.
type alterer struct {
	client       *Client
	target       target
	validateOnly bool
	spread       bool
	retry        *retries
	// lost counts the answers that did not come.
	lost int
}

// run sends what is left to send until every alteration has its outcome.
func (w *alterer) run(ctx context.Context, todo []alteration) {
	for {
		answers, err := w.send(ctx, todo)
		var lost *lostError
		switch {
		case err == nil:
			todo = w.settle(todo, answers)
		case errors.As(err, &lost):
			w.lost++
			refuse(todo, lost.BrokerError)
			if w.givesUp(lost) {
				return
			}
		default:
			refuse(todo, err)
			if len(todo) > 1 && brokeOff(err) && w.retry.left() && ctx.Err() == nil {
				w.split(ctx, todo)
			}
			return
		}
		todo = w.readBack(ctx, todo)
		if w.mustSplit(todo) {
			w.split(ctx, todo)
			return
		}
		if len(todo) == 0 || w.retry.wait(ctx) != nil {
			return
		}
	}
}

// givesUp reports whether another try would only cost time: a broker that alone can answer and is silent, two silent ones, or
// too many broken connections.
func (w *alterer) givesUp(lost *lostError) bool {
	silent := lost.Timeout > 0
	return silent && (w.target.kind == toBroker || w.lost > 1) || w.lost >= maxTries || !silent && !w.retry.left()
}

// mustSplit reports whether the request as a whole, not one of its alterations, is what the broker refuses: by saying so, or by
// dropping the connection each time.
func (w *alterer) mustSplit(todo []alteration) bool {
	return len(todo) > 1 && (tooLarge(*todo[0].err) || w.lost >= maxTries/2)
}

// settle takes in the answers and gives the alterations to send again; each has its present error in place.
func (w *alterer) settle(todo []alteration, answers map[Entity]error) (again []alteration) {
	for _, a := range todo {
		err, ok := answers[a.Entity]
		if !ok {
			err = omitted("AlterConfigs", a.Entity)
		}
		*a.err = err
		var refused *Error
		if !errors.As(err, &refused) {
			continue
		}
		if refused.Code == codeThrottlingQuotaExceeded {
			w.retry.extend(w.client)
		}
		if retriable(refused.Code) && w.retry.left() || tooLarge(err) && len(todo) > 1 {
			again = append(again, a)
		}
	}
	return again
}

// brokeOff reports whether the broker was reached and dropped the connection.
func brokeOff(err error) bool {
	var failed *BrokerError
	return errors.As(err, &failed) && failed.Timeout == 0 && isClosed(err)
}

// split sends the halves one after the other.
func (w *alterer) split(ctx context.Context, todo []alteration) {
	for _, half := range [][]alteration{todo[:len(todo)/2], todo[len(todo)/2:]} {
		part := alterer{client: w.client, target: w.target, validateOnly: w.validateOnly, spread: w.spread, retry: w.retry.fresh()}
		part.run(ctx, half)
	}
}

// tooLarge is KRaft's refusal of a whole request for its number of records.
func tooLarge(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && refused.Code == codePolicyViolation &&
		strings.Contains(refused.Message, "excessively large batch")
}
