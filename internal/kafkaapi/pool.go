// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"sync"
	"time"
)

const (
	// maxConnections to one broker: two lanes for each kind of request that a large apply sends to the same one, so that none waits for
	// another kind's round trip. A small run opens one or two.
	maxConnections = 8
	// maxIdle is well below the brokers' connections.max.idle.ms (10 minutes), so that a connection is rarely found closed.
	maxIdle = 4 * time.Minute
	// penalty is how long a broker that failed is the last choice for requests that others can answer.
	penalty = 30 * time.Second
)

// pool holds the connections to one broker and what is known of its health.
type pool struct {
	slots chan struct{}

	mu   sync.Mutex
	idle []*conn
	// avoidUntil is the end of a penalty; readyAt the end of a throttle that the broker asked for.
	avoidUntil time.Time
	readyAt    time.Time
	// reached is whether a connection ever succeeded: then the advertised address is no mistake.
	reached bool
}

func newPool() *pool { return &pool{slots: make(chan struct{}, maxConnections)} }

// pool gives the pool of the broker with this id.
func (c *Client) pool(id int32) *pool {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pools[id]
	if p == nil {
		p = newPool()
		c.pools[id] = p
	}
	return p
}

// ready waits for the end of a throttle.
func (p *pool) ready(ctx context.Context) error {
	p.mu.Lock()
	wait := time.Until(p.readyAt)
	p.mu.Unlock()
	return sleep(ctx, wait)
}

// take waits for a slot. Every take that gives no error needs a release.
func (p *pool) take(ctx context.Context) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *pool) release() { <-p.slots }

// busy is how many requests are under way, maxConnections at most.
func (p *pool) busy() int { return len(p.slots) }

// pop gives an idle connection to the address, nil if there is none, and the connections that are no good any more.
func (p *pool) pop(address string) (cn *conn, stale []*conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		last := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		if last.address == address && time.Since(last.lastUsed) < maxIdle {
			return last, stale
		}
		stale = append(stale, last)
	}
	return nil, stale
}

func (p *pool) push(cn *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cn.used, cn.lastUsed = true, time.Now()
	p.idle = append(p.idle, cn)
	p.reached = true
}

func (p *pool) wasReached() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reached
}

// drain takes all idle connections out.
func (p *pool) drain() []*conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle
	p.idle = nil
	return idle
}

func (p *pool) penalise() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.avoidUntil = time.Now().Add(penalty)
}

func (p *pool) forgive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.avoidUntil = time.Time{}
}

func (p *pool) penalised() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Now().Before(p.avoidUntil)
}

// throttled reports whether the broker has asked for a pause that is not over.
func (p *pool) throttled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Now().Before(p.readyAt)
}

func (p *pool) throttle(d time.Duration) {
	if d <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.readyAt = time.Now().Add(d)
}

// sleep waits for d or for the end of the context, whose error it then gives.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
