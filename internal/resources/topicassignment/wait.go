// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const (
	firstPoll = 20 * time.Millisecond
	lastPoll  = 2 * time.Second
	// syncTime is how long replicas are given to be in sync after their move is done.
	syncTime = 10 * time.Second
)

// poll reads the layout until it is as wanted, and leaves the last one in l.
func (a applying) poll(ctx context.Context, l *live, done func(live) bool) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = firstPoll, lastPoll
	for !done(*l) {
		timer := time.NewTimer(pauses.NextBackOff())
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
		next, err := readLive(ctx, a.kafka, a.topic)
		if err != nil {
			return err
		}
		if l.id != "" && next.id != l.id {
			return fmt.Errorf("topic %q was deleted and made again meanwhile: its id was %s and is %s", a.topic, l.id, next.id)
		}
		*l = next
		tflog.Debug(ctx, "waiting for a layout", map[string]any{"topic": a.topic, "moving": len(l.moving)})
	}
	return nil
}

// awaitMoved waits until nothing is listed as moving and the replicas are the wanted ones in order, in two polls: the list is empty
// some milliseconds before the replicas are right (kafka.md 3.5). Partitions that were refused are not waited for.
func (a applying) awaitMoved(ctx context.Context, l *live, refused map[int32]error) error {
	pending := func(l live) []int32 {
		var left []int32
		for _, p := range unfinished(l, a.wanted) {
			if _, is := refused[p]; !is {
				left = append(left, p)
			}
		}
		return left
	}
	seen := 0
	err := a.poll(ctx, l, func(l live) bool {
		if len(pending(l)) > 0 {
			seen = 0
			return false
		}
		seen++
		return seen == 2
	})
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &unfinishedError{partitions: pending(*l), err: err}
	}
	if err != nil {
		return err
	}
	a.awaitInSync(ctx, l)
	return nil
}

// unfinishedError: apply ended before the moves did. They go on.
type unfinishedError struct {
	partitions []int32
	err        error
}

func (e *unfinishedError) Error() string {
	return fmt.Sprintf("partitions %s are still being moved, and go on; the next apply takes the moves over", idList(e.partitions))
}

func (e *unfinishedError) Unwrap() error { return e.err }

// awaitInSync warns of replicas that are not in sync some time after their move.
func (a applying) awaitInSync(ctx context.Context, l *live) {
	ctx, cancel := context.WithTimeout(ctx, syncTime)
	defer cancel()
	if err := a.poll(ctx, l, func(l live) bool { return len(notInSync(l, a.wanted)) == 0 }); err != nil {
		a.diags.AddWarning(fmt.Sprintf("Replicas of topic %q are not in sync", a.topic),
			fmt.Sprintf("The layout is as declared, but not all replicas of partitions %s are in sync yet. Look at the brokers if it stays so.", idList(notInSync(*l, a.wanted))))
	}
}

// elect makes the first replica leader of the touched partitions that another one leads. It gives the elections that are owed.
func (a applying) elect(ctx context.Context, l *live, touched []int32) []int32 {
	if !a.plan.Elect.ValueBool() {
		return nil
	}
	partitions := misled(*l, touched)
	if len(partitions) == 0 {
		return nil
	}
	refused, err := a.kafka.ElectPreferredLeaders(ctx, kafkaapi.TopicPartitions{a.topic: partitions})
	if err != nil {
		a.diags.AddWarning(fmt.Sprintf("Leaders of topic %q were not elected", a.topic), explain(err))
		return partitions
	}
	for p, reason := range refused[a.topic] {
		a.diags.AddWarning(fmt.Sprintf("Partition %d of topic %q is not led by its first replica", p, a.topic), explain(reason))
	}
	return nil
}
