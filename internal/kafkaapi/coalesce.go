// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// coalescer turns questions that come one by one and side by side into batches. Nobody lingers: a question that finds a free lane
// goes at once, and those that come while all lanes are busy go together as soon as one is free. No lock is held while a batch is
// under way. A question whose caller gives up before it is sent is never sent: it may be a write. One that is under way is answered
// all the same, for nobody; a batch ends early only when all have given up.
type coalescer[Q, A any] struct {
	// lanes is how many batches may be under way at once; start begins one in the background.
	lanes int
	start func(lane func())
	// fit tells how many of the waiting questions, from the first on, one batch can hold: at least one.
	fit func(waiting []Q) int
	// subject, where there is one, is what a question is about: one that is about the same as a question under way waits for the end of
	// that one, also where nobody waits for its answer any more. A write that was given up and is still being retried must not come
	// after the next one.
	subject func(question Q) any
	// ask answers a batch, one answer for each question, in order.
	ask func(ctx context.Context, questions []Q) []A

	mu       sync.Mutex
	busy     int
	waiting  []*asked[Q, A]
	underWay map[any]bool
}

// asked is one question and the place of its answer.
type asked[Q, A any] struct {
	question Q
	answer   chan A
	// abandoned ends when the caller waits no more.
	abandoned chan struct{}
}

func (w *asked[Q, A]) isAbandoned() bool {
	select {
	case <-w.abandoned:
		return true
	default:
		return false
	}
}

var errAbandoned = errors.New("nobody waits for the answer any more")

// do asks one question and waits for its answer or for the end of the context.
func (c *coalescer[Q, A]) do(ctx context.Context, question Q) (A, error) {
	return c.put(ctx, question)[0].wait(ctx)
}

// put has questions wait for a lane, all at once, so that they go together.
func (c *coalescer[Q, A]) put(ctx context.Context, questions ...Q) []*asked[Q, A] {
	all := make([]*asked[Q, A], 0, len(questions))
	for _, q := range questions {
		all = append(all, &asked[Q, A]{question: q, answer: make(chan A, 1), abandoned: make(chan struct{})})
	}
	c.mu.Lock()
	c.waiting = append(c.waiting, all...)
	free := min(c.lanes-c.busy, len(questions))
	c.busy += free
	c.mu.Unlock()
	for range free {
		// The lane serves others too, so it outlives this caller's context but keeps its values, such as loggers.
		c.start(func() { c.serve(context.WithoutCancel(ctx)) })
	}
	return all
}

// wait gives the answer, or the end of the context.
func (w *asked[Q, A]) wait(ctx context.Context) (A, error) {
	select {
	case answer := <-w.answer:
		return answer, nil
	case <-ctx.Done():
		close(w.abandoned)
		var none A
		return none, context.Cause(ctx)
	}
}

// serve is a lane: it answers batches until nothing waits.
func (c *coalescer[Q, A]) serve(ctx context.Context) {
	for {
		batch := c.next()
		if len(batch) == 0 {
			return
		}
		questions := make([]Q, 0, len(batch))
		for _, w := range batch {
			questions = append(questions, w.question)
		}
		batchCtx, cancel := context.WithCancelCause(ctx)
		go endWhenAbandoned(batchCtx, batch, cancel)
		answers := c.ask(batchCtx, questions)
		cancel(nil)
		c.settle(questions)
		for i, w := range batch {
			w.answer <- answers[i]
		}
	}
}

// endWhenAbandoned cancels a batch that nobody waits for any more.
func endWhenAbandoned[Q, A any](ctx context.Context, batch []*asked[Q, A], cancel context.CancelCauseFunc) {
	for _, w := range batch {
		select {
		case <-w.abandoned:
		case <-ctx.Done():
			return
		}
	}
	cancel(errAbandoned)
}

// next takes the questions of the next batch, none when the lane is to end.
func (c *coalescer[Q, A]) next() []*asked[Q, A] {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = slices.DeleteFunc(c.waiting, (*asked[Q, A]).isAbandoned)
	var batch []*asked[Q, A]
	var questions []Q
	chosen := map[any]bool{}
	for _, w := range c.waiting {
		if c.subject != nil {
			subject := c.subject(w.question)
			if c.underWay[subject] || chosen[subject] {
				continue
			}
			chosen[subject] = true
		}
		batch, questions = append(batch, w), append(questions, w.question)
	}
	if len(batch) == 0 {
		// What still waits is taken by the lane that it waits for.
		c.busy--
		return nil
	}
	batch = batch[:c.fit(questions)]
	c.waiting = slices.DeleteFunc(c.waiting, func(w *asked[Q, A]) bool { return slices.Contains(batch, w) })
	c.begin(batch)
	return batch
}

// begin and settle keep what is under way; begin is called with the lock.
func (c *coalescer[Q, A]) begin(batch []*asked[Q, A]) {
	if c.subject == nil {
		return
	}
	if c.underWay == nil {
		c.underWay = map[any]bool{}
	}
	for _, w := range batch {
		c.underWay[c.subject(w.question)] = true
	}
}

func (c *coalescer[Q, A]) settle(questions []Q) {
	if c.subject == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range questions {
		delete(c.underWay, c.subject(q))
	}
}
