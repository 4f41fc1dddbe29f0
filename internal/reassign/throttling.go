// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// cover has the throttle set for what is about to be submitted, and for moves that were in flight before their job. Moves of the batch
// whose throttle cannot be set are refused; those in flight go on, and somebody is told.
func (l *loop) cover(ctx context.Context, batch []due) {
	if l.throttler == nil {
		return
	}
	wanted := slices.Clone(batch)
	for _, r := range l.jobs {
		for _, t := range r.in(inFlight) {
			wanted = append(wanted, due{r, t})
		}
	}
	wanted = slices.DeleteFunc(wanted, func(w due) bool {
		return w.transit.covered || len(w.transit.Adding()) == 0 || w.transit.atGoal > 0
	})
	if len(wanted) == 0 {
		return
	}
	moves := make([]Moving, 0, len(wanted))
	for _, w := range wanted {
		moves = append(moves, w.transit.Moving)
	}
	failed, warnings := l.throttler.Cover(ctx, moves)
	for _, w := range wanted {
		w.transit.covered = true
		err := failed[w.transit.Topic][w.transit.Partition]
		switch {
		case err == nil:
		case w.transit.stage == waiting:
			w.transit.stage, w.transit.refusal = refused, fmt.Errorf("its throttle could not be set, so nothing was submitted for it: %w", err)
			l.moved = true
		default:
			warnings = append(warnings, fmt.Sprintf("Partition %d of topic %q is in flight, and its throttle could not be set: %v.", w.transit.Partition, w.transit.Topic, err))
		}
	}
	l.tell(wanted[0].job, warnings)
}

// release takes back what no move needs any more.
func (l *loop) release(ctx context.Context) {
	if l.throttler == nil || !l.moved {
		return
	}
	l.moved = false
	needed := make([]Moving, 0, len(l.left))
	for _, t := range l.flying() {
		needed = append(needed, t.Moving)
	}
	for _, r := range l.jobs {
		for _, t := range r.in(waiting) {
			needed = append(needed, t.Moving)
		}
	}
	warnings := l.throttler.Release(ctx, needed)
	if len(l.jobs) > 0 {
		l.tell(l.someoneEnding(), warnings)
	}
}

// someoneEnding is a job that is about to be told its outcome, or else any.
func (l *loop) someoneEnding() *running {
	for _, r := range l.jobs {
		if r.over() || r.ctx.Err() != nil {
			return r
		}
	}
	return l.jobs[0]
}

// tell gives warnings to a job, each once in a run.
func (l *loop) tell(r *running, warnings []string) {
	for _, text := range warnings {
		if !l.told[text] {
			l.told[text] = true
			r.warnings = append(r.warnings, text)
		}
	}
}

// resolve looks at what became of submissions whose answer did not come, as an interrupt may have cut them off.
func (l *loop) resolve(ctx context.Context, of map[*running]error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	looked := false
	for r := range of {
		for _, t := range r.moves {
			if !t.doubted {
				continue
			}
			if !looked {
				l.look(ctx)
				looked = true
			}
			if layout := l.layouts[r.Topic]; layout.Err == nil && layout.MovesErr == nil {
				r.seen = layout
				t.resolve(layout, time.Now())
			}
		}
	}
}

// giveUp ends jobs early: it takes moves back where the job says so, then the throttle that nothing needs any more. Its requests have a
// time of their own, as that of the jobs may be over.
func (l *loop) giveUp(ctx context.Context, ended map[*running]error) {
	if len(ended) == 0 {
		return
	}
	l.resolve(ctx, ended)
	var back []due
	for _, r := range l.jobs {
		if _, is := ended[r]; is && r.OnInterruption == Cancel && !isGone(ended[r]) {
			for _, t := range r.in(inFlight) {
				back = append(back, due{r, t})
			}
		}
	}
	if len(back) > 0 {
		cancelling, cancel := context.WithTimeout(ctx, cancelTime)
		l.takeBack(cancelling, back)
		cancel()
	}
	// What the ended jobs had waiting needs no throttle, nor does anything of a topic that is gone.
	withdrawn := map[*running][]*transit{}
	for r, err := range ended {
		withdrawn[r] = r.moves
		r.moves = slices.DeleteFunc(slices.Clone(r.moves), func(t *transit) bool { return t.stage == waiting || isGone(err) })
	}
	l.moved = true
	releasing, cancel := context.WithTimeout(ctx, releaseTime)
	l.release(releasing)
	cancel()
	for r, moves := range withdrawn {
		r.moves = moves
		l.leave(r, ended[r])
	}
}
