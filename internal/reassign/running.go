// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// running is a job in the executor.
type running struct {
	Job
	ctx      context.Context
	moves    []*transit
	seen     kafkaapi.Layout
	kept     map[int32]string
	warnings []string
	// welcomed: its sizes are known and its left-over throttle is taken over.
	welcomed bool

	outcome Outcome
	err     error
	done    chan struct{}
}

// stage is how far one partition's move is.
type stage int

const (
	waiting stage = iota
	inFlight
	finished
	refused
	restored
)

// transit is the move of one partition on its way through the executor.
type transit struct {
	Moving
	stage stage
	// refusal is why the move was not accepted; in doubt where the answer may not be the truth.
	refusal error
	doubted bool
	// covered: its throttle was set, or tried to be.
	covered bool
	// atGoal counts the polls in a row that saw the move done; nearGoal is when it was last seen done or on its way.
	atGoal   int
	nearGoal time.Time
	// size is what one replica holds at the leader, -1 while it is not known.
	size int64
	// seen is the partition as the last poll showed it.
	seen  kafkaapi.PartitionDescription
	watch watch
}

func newRunning(ctx context.Context, job Job) *running {
	r := &running{Job: job, ctx: ctx, kept: map[int32]string{}, done: make(chan struct{})}
	for _, m := range job.Moves {
		t := &transit{Moving: Moving{Topic: job.Topic, Move: m}, size: -1}
		t.seen.Leader = -1
		if m.InFlight {
			t.stage = inFlight
		}
		r.moves = append(r.moves, t)
	}
	return r
}

// interrupted is why the job's context is over, nil while it is not.
func (r *running) interrupted() error { return context.Cause(r.ctx) }

// in are the job's moves of a stage.
func (r *running) in(s stage) []*transit {
	var all []*transit
	for _, t := range r.moves {
		if t.stage == s {
			all = append(all, t)
		}
	}
	return all
}

// over tells whether nothing is left to wait for.
func (r *running) over() bool {
	return !slices.ContainsFunc(r.moves, func(t *transit) bool { return t.stage == waiting || t.stage == inFlight })
}

// close fills in the outcome and lets Run return.
func (r *running) close(held Throttle, err error) {
	o := Outcome{Refused: map[int32]error{}, Kept: r.kept, Throttle: held, Warnings: r.warnings, Layout: r.seen}
	for _, t := range r.moves {
		p := t.Partition
		switch t.stage {
		case waiting:
			o.Waiting = append(o.Waiting, p)
		case inFlight:
			o.InFlight = append(o.InFlight, p)
		case finished:
			o.Done = append(o.Done, p)
		case restored:
			o.Restored = append(o.Restored, p)
		case refused:
			o.Refused[p] = t.refusal
		}
	}
	for _, list := range [][]int32{o.Waiting, o.InFlight, o.Done, o.Restored} {
		slices.Sort(list)
	}
	r.outcome, r.err = o, err
	close(r.done)
}
