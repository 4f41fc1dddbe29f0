// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// grace is how long a write that is under way at an interrupt may take to come to its end: cut off, nobody would know what it did.
const grace = 5 * time.Second

// Executor runs the moves of all jobs of a run. There is one for each Configure of the provider. It has a goroutine of its own only
// while jobs are in it; its methods may be called from many.
type Executor struct {
	kafka    Kafka
	settings Settings
	// throttler is nil where nothing is throttled and nothing can be left over.
	throttler Throttler

	mu sync.Mutex
	// inside are the jobs that Run has not returned for; joining those of them that the loop has not seen yet.
	inside  map[*running]bool
	joining []*running
	asking  []*watcher
	looping bool
	// current is the round that is under way, for an interrupt to cut short.
	current *round
	// wake ends the pause between two rounds.
	wake chan struct{}

	// left are moves in flight of jobs that are over, and told the warnings that somebody was given. Only the loop uses them.
	left []*transit
	told map[string]bool
}

// The settings where nothing else is configured.
const (
	DefaultMaxMovesPerBroker = 5
	DefaultStallTimeout      = 10 * time.Minute
)

// New makes an executor that does nothing yet. Settings that are zero get their defaults; the throttler may be nil.
func New(kafka Kafka, settings Settings, throttler Throttler) *Executor {
	settings.MaxMovesPerBroker = cmp.Or(settings.MaxMovesPerBroker, DefaultMaxMovesPerBroker)
	settings.StallTimeout = cmp.Or(settings.StallTimeout, DefaultStallTimeout)
	return &Executor{kafka: kafka, settings: settings, throttler: throttler, wake: make(chan struct{}, 1), inside: map[*running]bool{}, told: map[string]bool{}}
}

// Run moves what the job wants and returns when all of it is done, refused, or given up. An error says why it was given up: the
// context's cause at an interrupt or a timeout, *StalledError, *StrayedError, *GoneError, or what the cluster answered. Refusals of
// single partitions are no error. The outcome is complete in any case, and clean-up has been done within some seconds.
func (e *Executor) Run(ctx context.Context, job Job) (Outcome, error) {
	r := newRunning(ctx, job)
	e.enter(ctx, func() { e.joining, e.inside[r] = append(e.joining, r), true })
	stop := context.AfterFunc(ctx, e.interrupt)
	defer stop()
	<-r.done
	e.mu.Lock()
	delete(e.inside, r)
	e.mu.Unlock()
	return r.outcome, r.err
}

// Watch calls done with the topic's layout as it is, at once and again with every poll that all jobs share, until it says true or gives an
// error. The layout's own errors are for done to judge. At the end of the context Watch gives the context's cause.
func (e *Executor) Watch(ctx context.Context, topic string, done func(kafkaapi.Layout) (bool, error)) error {
	w := &watcher{ctx: ctx, topic: topic, check: done, done: make(chan struct{})}
	e.enter(ctx, func() { e.asking = append(e.asking, w) })
	stop := context.AfterFunc(ctx, e.interrupt)
	defer stop()
	<-w.done
	return w.err
}

// enter adds to what the loop serves, and starts it where it does not run.
func (e *Executor) enter(ctx context.Context, add func()) {
	e.mu.Lock()
	add()
	start := !e.looping
	e.looping = true
	e.mu.Unlock()
	if start {
		go newLoop(e).run(context.WithoutCancel(ctx))
	}
	e.nudge()
}

func (e *Executor) nudge() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// interrupt has the loop look at its jobs' contexts at once: what it reads is cut off. What it writes may end, and is cut off only where
// nobody is left who has not been interrupted.
func (e *Executor) interrupt() {
	e.mu.Lock()
	if round := e.current; round != nil {
		round.cancelReads()
		time.AfterFunc(grace, func() {
			if e.allInterrupted() {
				round.cancelWrites()
			}
		})
	}
	e.mu.Unlock()
	e.nudge()
}

func (e *Executor) allInterrupted() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for r := range e.inside {
		if r.ctx.Err() == nil {
			return false
		}
	}
	return true
}

// watcher is one call of Watch.
type watcher struct {
	ctx   context.Context
	topic string
	check func(kafkaapi.Layout) (bool, error)
	err   error
	done  chan struct{}
}

// round is one turn of the loop. Its reads end at once when somebody is interrupted, its writes a little later when all are; whole has no
// end, for clean-up that sets its own.
type round struct {
	whole, reads, writes      context.Context
	cancelReads, cancelWrites context.CancelFunc
}

func newRound(ctx context.Context) *round {
	r := &round{whole: ctx}
	r.writes, r.cancelWrites = context.WithCancel(ctx)
	r.reads, r.cancelReads = context.WithCancel(r.writes)
	return r
}
