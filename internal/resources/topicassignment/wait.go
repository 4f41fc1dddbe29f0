// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const (
	// syncTime is how long replicas are given to be in sync after their move is done.
	syncTime = 10 * time.Second
	// electionTime is how long an elected leader is given to show.
	electionTime = 5 * time.Second
)

// poll looks at the layout until it is as wanted, and leaves the last one in l. The looks are shared with all other topics of the run.
func (a *applying) poll(ctx context.Context, l *live, done func(live) (bool, error)) error {
	if is, err := done(*l); is || err != nil {
		return err
	}
	return a.mover.Watch(ctx, a.topic, func(layout kafkaapi.Layout) (bool, error) {
		next, err := l.next(layout)
		if err != nil {
			return false, err
		}
		*l = next
		return done(next)
	})
}

// next is the layout as a later look shows it, for as long as the topic is the same.
func (l live) next(layout kafkaapi.Layout) (live, error) {
	switch {
	case errors.Is(layout.Err, kafkaapi.ErrUnknownTopic):
		return l, fmt.Errorf("topic %q was deleted meanwhile: %w", l.topic, layout.Err)
	case layout.Err != nil:
		return l, layout.Err
	case l.id != "" && layout.ID != l.id:
		return l, fmt.Errorf("topic %q was deleted and made again meanwhile: its id was %s and is %s", l.topic, l.id, layout.ID)
	}
	next, err := liveOf(l.topic, layout.TopicDescription)
	if err != nil {
		return l, err
	}
	next.brokers, next.registered = l.brokers, l.registered
	return next, next.listed(layout.Moving, layout.MovesErr)
}

// pollSettled is poll for the end of moves: the lists count once two readings agree.
func (a *applying) pollSettled(ctx context.Context, l *live, done func(live) bool) error {
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

// awaitInSync warns of moved replicas that are not in sync some time after their move.
func (a *applying) awaitInSync(ctx context.Context, l *live, touched []int32) {
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
func (a *applying) elect(ctx context.Context, l *live, partitions []int32) (owed []int32, err error) {
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
