// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const (
	// looks is how many polls in a row have to see a move done.
	looks = 2
	// restTime is how long a partition may be neither on its way nor there, after the brokers accepted its move.
	restTime = 30 * time.Second
)

// advance takes in what was read: of every move in flight where it is, of every other one what its partition is like.
func (l *loop) advance(ctx context.Context, now time.Time) {
	ended := map[*running]error{}
	for _, r := range l.jobs {
		layout := l.layouts[r.Topic]
		if layout.Err != nil || layout.MovesErr != nil {
			continue
		}
		r.seen = layout
		if r.TopicID != "" && layout.ID != r.TopicID {
			ended[r] = &GoneError{Topic: r.Topic, Was: r.TopicID, Is: layout.ID}
			continue
		}
		for _, t := range r.moves {
			if err := l.step(t, layout, now); err != nil {
				ended[r] = err
			}
		}
	}
	l.left = slices.DeleteFunc(l.left, func(t *transit) bool {
		layout := l.layouts[t.Topic]
		known := layout.MovesErr == nil && (layout.Err == nil || errors.Is(layout.Err, kafkaapi.ErrUnknownTopic))
		return known && positionOf(layout, t.Partition, t.To) != onTheWay
	})
	l.giveUp(ctx, ended)
}

// step leads one move on by one reading. The error says that it leads elsewhere.
func (l *loop) step(t *transit, layout kafkaapi.Layout, now time.Time) error {
	t.seen, _ = partitionIn(layout, t.Partition)
	t.resolve(layout, now)
	where := positionOf(layout, t.Partition, t.To)
	if t.stage != inFlight {
		return nil
	}
	if t.watch.progressed.IsZero() {
		t.submitted(now) // one that was in flight before the job
	}
	t.watch.lookAt(t, now)
	if where != elsewhere {
		t.nearGoal = now
	}
	if where != atGoal {
		t.atGoal = 0
		if now.Sub(t.nearGoal) > restTime {
			return strayed(t, layout)
		}
		return nil
	}
	if t.atGoal++; t.atGoal == 1 {
		l.pause = firstPoll
	}
	if t.atGoal >= looks {
		t.stage, t.refusal = finished, nil
		l.moved = true
	}
	return nil
}

// resolve decides on a refusal that was none of the brokers' words: a move that is on its way all the same was accepted, and its answer lost.
func (t *transit) resolve(layout kafkaapi.Layout, now time.Time) {
	if t.stage != refused || !t.doubted {
		return
	}
	t.doubted = false
	switch {
	case positionOf(layout, t.Partition, t.To) != elsewhere:
		t.submitted(now)
	case errors.Is(t.refusal, context.Canceled):
		t.stage, t.refusal = waiting, nil // it was cut off by an interrupt
	}
}

// submitted begins to watch a move that the brokers have accepted.
func (t *transit) submitted(now time.Time) {
	t.stage, t.refusal = inFlight, nil
	t.nearGoal = now
	t.watch = newWatch(now, len(difference(t.To, t.seen.InSyncReplicas)))
}

func strayed(t *transit, layout kafkaapi.Layout) error {
	move, moving := layout.Moving[t.Partition]
	has := t.seen.Replicas
	if moving {
		has = move.Target()
	}
	return &StrayedError{Partition: t.Partition, Has: has, Wants: t.To, Moving: moving}
}

// judge ends jobs of which moves are stalled.
func (l *loop) judge(ctx context.Context, now time.Time) {
	ended := map[*running]error{}
	for _, r := range l.jobs {
		reasons := map[int32]string{}
		for _, t := range r.in(inFlight) {
			if reason := stalled(t, now, l.meter.last, l.settings); reason != "" {
				reasons[t.Partition] = reason
			}
		}
		if len(reasons) > 0 {
			ended[r] = &StalledError{Reasons: reasons}
		}
	}
	l.giveUp(ctx, ended)
}

// dismiss lets jobs return that are over, and those that do not wait for what was accepted.
func (l *loop) dismiss() {
	for _, r := range slices.Clone(l.jobs) {
		doubts := slices.ContainsFunc(r.moves, func(t *transit) bool { return t.doubted })
		accepted := r.Detach && len(r.in(waiting)) == 0
		if r.welcomed && !doubts && (accepted || r.over()) {
			l.leave(r, nil)
		}
	}
}

// leave takes a job out. What of it is in flight is still looked at, as it counts for the limit and needs its throttle; of a topic that is
// gone nothing is.
func (l *loop) leave(r *running, err error) {
	l.jobs = slices.DeleteFunc(l.jobs, func(other *running) bool { return other == r })
	if !isGone(err) {
		l.left = append(l.left, r.in(inFlight)...)
	}
	l.meter.retire(r)
	var held Throttle
	if l.throttler != nil {
		held = l.throttler.Held(r.Topic)
	}
	r.close(held, err)
}
