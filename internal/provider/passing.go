// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"sync/atomic"
	"time"
)

// passing makes contexts that whoever keeps them keeps nothing by. The zero value is ready for use.
type passing struct {
	// ended is what contexts are after their release; until there is one to keep, without values.
	ended atomic.Pointer[context.Context]
}

// keep names the context whose values the contexts of ended requests have: some work outlives the request that began it, and logs.
func (p *passing) keep(ctx context.Context) {
	ended := end(ctx)
	p.ended.Store(&ended)
}

// begin gives a context that is the given one until release, and from then on an ended one.
func (p *passing) begin(ctx context.Context) (_ context.Context, release func()) {
	c := &passingContext{}
	c.now.Store(&ctx)
	return c, func() {
		if ended := p.ended.Load(); ended != nil {
			c.now.Store(ended)
			return
		}
		ended := end(context.Background())
		c.now.Store(&ended)
	}
}

// end gives an ended context with the values of another.
func end(ctx context.Context) context.Context {
	ended, cancel := context.WithCancel(context.WithoutCancel(ctx))
	cancel()
	return ended
}

// passingContext is another context, which can be exchanged.
type passingContext struct {
	now atomic.Pointer[context.Context]
}

func (c *passingContext) Deadline() (time.Time, bool) { return (*c.now.Load()).Deadline() }
func (c *passingContext) Done() <-chan struct{}       { return (*c.now.Load()).Done() }
func (c *passingContext) Err() error                  { return (*c.now.Load()).Err() }
func (c *passingContext) Value(key any) any           { return (*c.now.Load()).Value(key) }
