// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// isGone tells whether there is nothing left to take back.
func isGone(err error) bool {
	var gone *GoneError
	return errors.As(err, &gone)
}

// takeBack cancels moves in flight and puts the former lists, order included, in place again: a cancel alone leaves the order of the
// move (seen from 2.8 to 4.4). A move whose former replicas could not carry on alone stays in flight, and so does what the brokers
// refuse to cancel; the job's kept says why.
func (l *loop) takeBack(ctx context.Context, moves []due) {
	alive := aliveBrokers(ctx, l.kafka)
	l.look(ctx)
	var back []due
	for _, b := range moves {
		if !l.known(b) {
			b.job.kept[b.transit.Partition] = "the cluster did not tell where it is"
			continue
		}
		b.transit.seen, _ = partitionIn(l.layouts[b.job.Topic], b.transit.Partition)
		if reason := cannotCancel(b.transit, alive); reason != "" {
			b.job.kept[b.transit.Partition] = reason
			continue
		}
		back = append(back, b)
	}
	ended := map[due]bool{}
	for b, err := range l.send(ctx, back, func(*transit) []int32 { return nil }) {
		if ended[b] = errors.Is(err, kafkaapi.ErrNoReassignment); !ended[b] {
			b.job.kept[b.transit.Partition] = fmt.Sprintf("the brokers refused to cancel it: %v", err)
		}
	}
	back = without(back)
	at := func(b due) bool { return atRest(b.transit, l.layouts[b.job.Topic], ended[b]) }
	if !l.until(ctx, back, at) {
		keep(back, at, "its cancellation was not confirmed in time")
	}
	var reordered []due
	for _, b := range without(back) {
		now, _ := partitionIn(l.layouts[b.job.Topic], b.transit.Partition)
		b.transit.stage = restored
		switch {
		case ended[b] && slices.Equal(now.Replicas, b.transit.To):
			b.transit.stage = finished
		case !sameSet(now.Replicas, b.transit.From):
			b.job.kept[b.transit.Partition] = fmt.Sprintf("it is not moving any more, and has the replicas %s: somebody else moved it meanwhile", ids(now.Replicas))
		case !slices.Equal(now.Replicas, b.transit.From):
			reordered = append(reordered, b)
		}
	}
	l.reorder(ctx, reordered)
}

// without are the moves that nothing speaks against taking back.
func without(moves []due) []due {
	return slices.DeleteFunc(moves, func(b due) bool { return b.job.kept[b.transit.Partition] != "" })
}

// reorder submits the former lists of moves that are cancelled. They hold the same brokers, so nothing is copied.
func (l *loop) reorder(ctx context.Context, back []due) {
	for b, err := range l.send(ctx, back, func(t *transit) []int32 { return t.From }) {
		b.job.kept[b.transit.Partition] = fmt.Sprintf("it is cancelled, but the brokers refused to restore the order of its replicas: %v", err)
	}
	back = without(back)
	former := func(b due) bool {
		return positionOf(l.layouts[b.job.Topic], b.transit.Partition, b.transit.From) == atGoal
	}
	if !l.until(ctx, back, former) {
		keep(back, former, "it is cancelled, but its replicas do not show their former order yet")
	}
}

// keep gives the reason to those of the moves that are not as wanted.
func keep(moves []due, as func(due) bool, reason string) {
	for _, b := range moves {
		if !as(b) {
			b.job.kept[b.transit.Partition] = reason
		}
	}
}

// send submits a list for each of the moves and gives the refusals.
func (l *loop) send(ctx context.Context, moves []due, list func(*transit) []int32) map[due]error {
	byTopic := map[string]map[int32][]int32{}
	for _, b := range moves {
		if byTopic[b.job.Topic] == nil {
			byTopic[b.job.Topic] = map[int32][]int32{}
		}
		byTopic[b.job.Topic][b.transit.Partition] = list(b.transit)
	}
	refusals := alter(ctx, l.kafka, byTopic)
	failed := map[due]error{}
	for _, b := range moves {
		if err := refusals[b.job.Topic][b.transit.Partition]; err != nil {
			failed[b] = err
		}
	}
	return failed
}

// until polls until two looks in a row see all of the moves so; false at the end of the context.
func (l *loop) until(ctx context.Context, moves []due, so func(due) bool) bool {
	seen := 0
	for pause := firstPoll / 2; len(moves) > 0; pause = min(2*pause, lastPoll/3) {
		l.look(ctx)
		if seen++; slices.ContainsFunc(moves, func(b due) bool { return !l.known(b) || !so(b) }) {
			seen = 0
		}
		if seen == looks {
			break
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
	for _, b := range moves {
		b.job.seen = l.layouts[b.job.Topic]
	}
	return true
}

// known tells whether the last look saw the topic.
func (l *loop) known(b due) bool {
	layout := l.layouts[b.job.Topic]
	return layout.Err == nil && layout.MovesErr == nil
}

// atRest tells whether a cancelled move shows its outcome: it is not listed, and brokers do not show the replicas of both lists any more,
// as they do for some milliseconds. One that had ended before it could be cancelled may have its new list.
func atRest(t *transit, layout kafkaapi.Layout, ended bool) bool {
	if _, moving := layout.Moving[t.Partition]; moving {
		return false
	}
	now, ok := partitionIn(layout, t.Partition)
	both := slices.Concat(t.From, t.Adding())
	return ok && (sameSet(now.Replicas, t.From) || !sameSet(now.Replicas, both) || ended && slices.Equal(now.Replicas, t.To))
}

// cannotCancel says why a move must go on: without a former replica that is alive and in sync the partition would lose its leader.
func cannotCancel(t *transit, alive map[int32]bool) string {
	for _, id := range t.From {
		if slices.Contains(t.seen.InSyncReplicas, id) && (alive == nil || alive[id]) {
			return ""
		}
	}
	return fmt.Sprintf("none of its former replicas %s is alive and in sync, so that it would have no leader if it were cancelled", ids(t.From))
}
