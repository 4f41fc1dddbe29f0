// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/IBM/sarama"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// question is one request on its way to a broker.
type question[R any] struct {
	// name is Kafka's name of the request.
	name     string
	target   target
	entities int
	// write is whether it changes something: then a lost answer is for the caller to judge.
	write bool
	// spread: of the brokers that will do, the one with the least to do is asked.
	spread bool
	// send makes a new request and sends it; the library changes requests, so none is sent twice.
	send func(*sarama.Broker) (R, error)
	// throttle is how long the answer asks to wait before the next request.
	throttle func(R) time.Duration
}

// lostError is a write whose answer did not come: it may have been done.
type lostError struct{ *BrokerError }

func (e *lostError) Unwrap() error { return e.BrokerError }

// ask sends a request until a broker answers it: to another one where any will do, after a pause to the same one. The errors
// are those of connecting, *BrokerError, ErrUnsupported, the context's, and *lostError for a write whose answer did not come.
func ask[R any](ctx context.Context, c *Client, q question[R]) (R, Broker, error) {
	var none R
	retry, route := c.newRetries(), newRoute(q.target, q.spread)
	failures := map[int32]error{}
	for round := 0; ; {
		b, before, ok, err := route.next(ctx, c, q.name)
		if err != nil {
			return none, b, err
		}
		if !ok || before > 0 && !retry.left() {
			return none, b, exhausted(b, failures)
		}
		// One pause for each round over the brokers, not for each broker.
		if before > round {
			round = before
			if err := retry.wait(ctx); err != nil {
				return none, b, waiting(b, q.name, err)
			}
		}
		// A pause that the broker has asked for is no slowness of its own.
		if err := c.pool(b.ID).ready(ctx); err != nil {
			return none, b, waiting(b, q.name, err)
		}
		start := time.Now()
		answer, err := exchange(ctx, c, b, q)
		if err == nil {
			c.answered(b, route, time.Since(start))
			return answer, b, nil
		}
		if ctx.Err() != nil {
			return none, b, waiting(b, q.name, context.Cause(ctx))
		}
		if errors.Is(err, sarama.ErrUnsupportedVersion) {
			return none, b, fmt.Errorf("%s: %w", q.name, ErrUnsupported)
		}
		var refused *AuthenticationError
		if errors.As(err, &refused) {
			return none, b, refused
		}
		failure := c.failure(b, q.name, err)
		var dial *dialError
		if q.write && !errors.As(err, &dial) {
			return none, b, &lostError{failure}
		}
		if isUndecodable(err) {
			return none, b, failure
		}
		failures[b.ID] = failure
		route.failed(b, errors.Is(err, errNoAnswer))
	}
}

// waiting words the end of the caller's own patience.
func waiting(b Broker, request string, cause error) error {
	return fmt.Errorf("waiting for broker %d at %s to answer %s: %w", b.ID, b.Address, request, cause)
}

// exchange sends one request over one connection, within the request timeout.
func exchange[R any](ctx context.Context, c *Client, b Broker, q question[R]) (R, error) {
	var none R
	p := c.pool(b.ID)
	// Waiting for others that wait for the broker counts: behind a silent one nobody queues for longer than one timeout.
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.RequestTimeout, errNoAnswer)
	defer cancel()
	start := time.Now()
	if err := p.take(ctx); err != nil {
		return none, &dialError{err}
	}
	defer p.release()
	cn, stale := p.pop(b.Address)
	for _, s := range stale {
		c.discard(s)
	}
	var err error
	if cn == nil {
		if cn, err = c.open(ctx, b.Address); err != nil {
			note(ctx, b, sending{request: q.name, entities: q.entities, start: start}, err)
			return none, err
		}
	}
	sent, received := cn.raw.sent.Load(), cn.raw.received.Load()
	answer, err := roundTrip(ctx, c, cn, q.send)
	note(ctx, b, sending{
		request: q.name, entities: q.entities, start: start, sent: cn.raw.sent.Load() - sent, received: cn.raw.received.Load() - received,
	}, err)
	if again := c.reauthentication(b.Address, err); again != nil {
		c.discard(cn)
		return none, &dialError{again}
	}
	switch {
	case err == nil:
		longest := quotaBudgets * c.opts.RequestTimeout
		if wait := q.throttle(answer); wait <= longest {
			p.throttle(wait)
			p.push(cn)
		} else {
			// No quota asks for that; and the library would wait for as long on this connection.
			p.throttle(longest)
			c.discard(cn)
		}
		return answer, nil
	case errors.Is(err, sarama.ErrUnsupportedVersion):
		// Refused by the library, by what ApiVersions said: nothing was sent.
		p.push(cn)
		return none, err
	case cn.used && isClosed(err):
		c.discard(cn)
		return none, &idleError{err}
	default:
		c.discard(cn)
		return none, err
	}
}

// idleError is a connection that was found closed when it was used again, which says nothing against the broker.
type idleError struct{ err error }

func (e *idleError) Error() string { return e.err.Error() }
func (e *idleError) Unwrap() error { return e.err }

// sending is one request on its way, or not even that, and what it cost in bytes.
type sending struct {
	request        string
	entities       int
	start          time.Time
	sent, received int64
}

// note logs a request. Names and figures only: no value of a config is ever logged.
func note(ctx context.Context, b Broker, s sending, err error) {
	fields := map[string]any{
		"broker": b.ID, "address": b.Address, "request": s.request, "entities": s.entities,
		"duration_ms": time.Since(s.start).Milliseconds(), "sent_bytes": s.sent, "received_bytes": s.received,
	}
	if err != nil {
		fields["error"] = err.Error()
	}
	tflog.Debug(ctx, "Kafka request", fields)
}

// slowAnswer is when a broker that does answer is passed over for a while where another one will do.
const slowAnswer = time.Second

// answered remembers a broker that works, or one that works slowly. Where requests are spread no broker is the favourite.
func (c *Client) answered(b Broker, r *route, took time.Duration) {
	if took >= slowAnswer {
		c.pool(b.ID).penalise()
		return
	}
	c.pool(b.ID).forgive()
	if r.target.kind != toAny || r.spread {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.favourite = b.ID
}
