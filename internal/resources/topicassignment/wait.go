// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	// electionTime is how long an elected leader is given to show.
	electionTime = 5 * time.Second
	// restTime is how long a partition may be at rest with another list than the one that the brokers accepted.
	restTime = 30 * time.Second
)

// poll reads the layout until it is as wanted, and leaves the last one in l.
func (a applying) poll(ctx context.Context, l *live, done func(live) (bool, error)) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = firstPoll, lastPoll
	for {
		if is, err := done(*l); is || err != nil {
			return err
		}
		if err := pause(ctx, pauses.NextBackOff()); err != nil {
			return err
		}
		next, err := readAgain(ctx, a.kafka, *l)
		switch {
		case errors.Is(err, kafkaapi.ErrUnknownTopic):
			return fmt.Errorf("topic %q was deleted meanwhile: %w", a.topic, err)
		case err != nil:
			return err
		case l.id != "" && next.id != l.id:
			return fmt.Errorf("topic %q was deleted and made again meanwhile: its id was %s and is %s", a.topic, l.id, next.id)
		}
		*l = next
		tflog.Debug(ctx, "waiting for a layout", map[string]any{"topic": a.topic, "moving": len(l.moving)})
	}
}

// pollSettled is poll for the end of moves: the lists count once two readings agree.
func (a applying) pollSettled(ctx context.Context, l *live, done func(live) bool) error {
	var before *live
	return a.poll(ctx, l, func(l live) (bool, error) {
		if !done(l) {
			before = nil
			return false, nil
		}
		agree := before != nil && before.same(l)
		before = &l
		return agree, nil
	})
}

// awaitMoved waits until none of the partitions is listed as moving and their replicas are the wanted ones in order, in two polls: the
// list is empty some milliseconds before the replicas are right.
func (a applying) awaitMoved(ctx context.Context, l *live, touched []int32) error {
	if len(touched) == 0 {
		return nil
	}
	left := func(l live) []int32 {
		return slices.DeleteFunc(unfinished(l, a.wanted), func(p int32) bool { return !slices.Contains(touched, p) })
	}
	seen, lastGood := 0, time.Now()
	err := a.poll(ctx, l, func(l live) (bool, error) {
		open := left(l)
		atRest := without(open, l.moving)
		if len(atRest) == 0 {
			lastGood = time.Now()
		}
		switch {
		case len(open) == 0:
			seen++
			return seen == 2, nil
		case time.Since(lastGood) > restTime:
			return false, a.strayed(l, atRest[0])
		}
		seen = 0
		return false, nil
	})
	return interrupted(err, fmt.Sprintf("partitions %s are still being moved, and go on; the next apply takes the moves over", idList(left(*l))))
}

// strayed says that a partition came to rest with another list than the one that was accepted.
func (a applying) strayed(l live, p int32) error {
	has, wants := l.present[p], a.wanted[p]
	if len(has) == len(wants) && !slices.ContainsFunc(has, func(id int32) bool { return !slices.Contains(wants, id) }) {
		return fmt.Errorf("partition %d has the replicas %s, not %s: the brokers accepted the order and do not keep it", p, idList(has), idList(wants))
	}
	return fmt.Errorf("partition %d is at rest with the replicas %s, not %s: somebody else moved or cancelled it meanwhile", p, idList(has), idList(wants))
}

// awaitInSync warns of moved replicas that are not in sync some time after their move.
func (a applying) awaitInSync(ctx context.Context, l *live, touched []int32) {
	ctx, cancel := context.WithTimeout(ctx, syncTime)
	defer cancel()
	lagging := func(l live) []int32 { return notInSync(l, a.wanted, touched) }
	if err := a.poll(ctx, l, func(l live) (bool, error) { return len(lagging(l)) == 0, nil }); err != nil {
		a.diags.AddWarning(fmt.Sprintf("Replicas of topic %q are not in sync", a.topic),
			fmt.Sprintf("The layout is as declared, but not all replicas of partitions %s are in sync yet. Look at the brokers if it stays so.", idList(lagging(*l))))
	}
}

// elect makes the first replica leader of the partitions that another one leads. It gives the elections that are owed, with an
// *electionError where the request as a whole failed.
func (a applying) elect(ctx context.Context, l *live, partitions []int32) (owed []int32, err error) {
	partitions = misled(*l, partitions)
	if len(partitions) == 0 {
		return nil, nil
	}
	refused, err := a.kafka.ElectPreferredLeaders(ctx, kafkaapi.TopicPartitions{a.topic: partitions})
	if err != nil {
		return partitions, &electionError{err}
	}
	for _, p := range partitions {
		if reason := refused[a.topic][p]; reason != nil {
			a.diags.AddWarning(fmt.Sprintf("Partition %d of topic %q is not led by its first replica", p, a.topic), explain(reason)+
				" The data is where it should be; Kafka gives the first replica the lead when it can.")
		}
	}
	elected := without(partitions, refused[a.topic])
	ctx, cancel := context.WithTimeout(ctx, electionTime)
	defer cancel()
	if err := a.poll(ctx, l, func(l live) (bool, error) { return len(misled(l, elected)) == 0, nil }); err != nil {
		tflog.Info(ctx, "elected leaders do not show yet", map[string]any{"topic": a.topic, "error": err.Error()})
	}
	return nil, nil
}
