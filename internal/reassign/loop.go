// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const (
	// gatherTime is how long a new job waits for others that come at the same moment, to share its first requests.
	gatherTime = 20 * time.Millisecond
	firstPoll  = 50 * time.Millisecond
	// lastPoll is the longest pause between two polls. The second look that a finished move takes follows soon after the first.
	lastPoll = 1500 * time.Millisecond
	// readTime bounds what is read of brokers one by one: one that hangs must not hold up the others.
	readTime = 5 * time.Second
	// releaseTime and cancelTime bound the clean-up of jobs that end early.
	releaseTime = 5 * time.Second
	cancelTime  = 10 * time.Second
	// unreadTime is how long the cluster may go without telling anything, and unreadLooks how often: while a controller that hangs is
	// replaced, a single look takes two request timeouts.
	unreadTime  = time.Minute
	unreadLooks = 3
)

// loop is the one goroutine that serves all jobs.
type loop struct {
	*Executor
	jobs     []*running
	watchers []*watcher
	pause    time.Duration
	// layouts are the last reading, read is when one told something, and unread how many have not since.
	layouts map[string]kafkaapi.Layout
	read    time.Time
	unread  int
	meter   meter
	// moved: something ended since throttles were last taken back.
	moved bool
}

func newLoop(e *Executor) *loop {
	now := time.Now()
	return &loop{Executor: e, pause: firstPoll, read: now, meter: newMeter(now, min(beatTime, e.settings.StallTimeout/3))}
}

// run serves until nobody is left.
func (l *loop) run(ctx context.Context) {
	defer l.meter.stop()
	gather := true
	for {
		if gather {
			time.Sleep(gatherTime) //nolint:forbidigo // nothing tells that no other resource will come; a move takes far longer
		}
		r := newRound(ctx)
		if !l.begin(r) {
			r.cancelWrites()
			return
		}
		l.turn(r)
		l.end()
		r.cancelWrites()
		gather = l.rest()
	}
}

// begin takes in who has come; false where nobody is left, and then the loop is over.
func (l *loop) begin(r *round) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.joining) > 0 || len(l.asking) > 0 {
		l.pause, l.read, l.unread = firstPoll, time.Now(), 0
	}
	for _, r := range l.joining {
		l.tell(r, r.Notes)
	}
	l.jobs, l.joining = append(l.jobs, l.joining...), nil
	l.watchers, l.asking = append(l.watchers, l.asking...), nil
	l.looping = len(l.jobs) > 0 || len(l.watchers) > 0
	if l.looping {
		l.current = r
	}
	return l.looping
}

func (l *loop) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = nil
}

// rest pauses until the next poll is due or somebody wants something, and tells whether somebody has come.
func (l *loop) rest() bool {
	if len(l.jobs) == 0 && len(l.watchers) == 0 {
		return false
	}
	timer := time.NewTimer(l.pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-l.wake:
	}
	l.pause = min(l.pause*3/2, lastPoll)
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.joining) > 0 || len(l.asking) > 0
}

// turn is one round: look, judge, clean up, submit.
func (l *loop) turn(r *round) {
	l.endInterrupted(r.whole)
	if len(l.jobs) == 0 && len(l.watchers) == 0 {
		return
	}
	l.look(r.reads)
	if r.reads.Err() != nil {
		return // cut short: what was read is not whole
	}
	now := time.Now()
	l.failUnread(r.whole, now)
	l.answerWatchers()
	l.advance(r.whole, now)
	l.welcome(r.reads)
	l.meter.takeIn(l, now)
	l.judge(r.whole, now)
	l.submit(r)
	l.release(r.writes)
	l.dismiss()
	l.meter.beat(r.whole, l, now)
}

// answerWatchers lets those return who have seen what they waited for, or whose time is over.
func (l *loop) answerWatchers() {
	l.watchers = slices.DeleteFunc(l.watchers, func(w *watcher) bool {
		var is bool
		if is, w.err = w.check(l.layouts[w.topic]); is || w.err != nil {
			close(w.done)
			return true
		}
		return false
	})
}

// endInterrupted ends what its context has ended.
func (l *loop) endInterrupted(ctx context.Context) {
	l.watchers = slices.DeleteFunc(l.watchers, func(w *watcher) bool {
		if w.err = context.Cause(w.ctx); w.err == nil {
			return false
		}
		close(w.done)
		return true
	})
	interrupted := map[*running]error{}
	for _, r := range l.jobs {
		if err := r.interrupted(); err != nil {
			interrupted[r] = err
		}
	}
	l.giveUp(ctx, interrupted)
}
