// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// bring leads the topic from l to the wanted layout: it takes back its own moves elsewhere, waits for those of others, adds partitions,
// has the executor move, and has leaders elected, those of owed too. It gives the layout that it saw last, also with an error, and the
// elections that are still owed.
func (a *applying) bring(ctx context.Context, l live, owed []int32) (_ live, left []int32, err error) {
	cancelled, err := a.cancelOwn(ctx, &l)
	owed = a.toElect(union(owed, cancelled))
	if err != nil {
		return l, owed, err
	}
	if err := a.awaitOthers(ctx, &l); err != nil {
		return l, owed, err
	}
	if err := a.addPartitions(ctx, &l); err != nil {
		return l, owed, err
	}
	moved, err := a.move(ctx, &l)
	touched := union(owed, moved)
	var halted *haltedError
	switch {
	case errors.As(err, &halted):
		return l, misled(l, a.toElect(touched)), err
	case !a.wait && len(moved) > 0:
		next, readErr := readAgain(ctx, a.kafka, l)
		if readErr == nil {
			l = next
		}
		return l, a.toElect(touched), errors.Join(readErr, err)
	}
	a.awaitInSync(ctx, &l, touched)
	left, electErr := a.elect(ctx, &l, a.toElect(touched))
	return l, left, errors.Join(electErr, err)
}

func (a *applying) toElect(partitions []int32) []int32 {
	if !a.elects {
		return nil
	}
	return partitions
}

// cancelOwn takes back moves of an earlier apply that the new plan contradicts: those to the lists in state. Overwriting them in
// flight gets stuck on Kafka 4.3 and 4.4. It gives the partitions, whose order, and so whose leader, may be another one.
func (a *applying) cancelOwn(ctx context.Context, l *live) ([]int32, error) {
	own := l.own(a.wanted, a.before)
	if len(own) == 0 {
		return nil, nil
	}
	cancel := map[int32][]int32{}
	for _, p := range own {
		cancel[p] = nil
	}
	for _, err := range a.submit(ctx, cancel) {
		if !errors.Is(err, kafkaapi.ErrNoReassignment) { // it has ended meanwhile
			return own, err
		}
	}
	err := a.pollSettled(ctx, l, func(l live) bool { return len(without(own, l.moving)) == len(own) })
	return own, interrupted(err, "moves of an earlier apply, of partitions "+idList(own)+", were cancelled; nothing else was begun")
}

// awaitOthers waits until nobody moves partitions to other lists than wanted.
func (a *applying) awaitOthers(ctx context.Context, l *live) error {
	foreign := l.elsewhere(a.wanted)
	if len(foreign) == 0 {
		return nil
	}
	err := a.pollSettled(ctx, l, func(l live) bool { return len(l.elsewhere(a.wanted)) == 0 })
	return interrupted(err, "somebody else is still moving partitions "+idList(foreign))
}

// addPartitions grows the topic; never while it moves, as new partitions would get the replica count of the move.
func (a *applying) addPartitions(ctx context.Context, l *live) error {
	if len(a.wanted) <= len(l.targets) {
		return nil
	}
	if len(l.moving) > 0 {
		err := a.pollSettled(ctx, l, func(l live) bool { return len(l.moving) == 0 })
		if err != nil {
			return interrupted(err, "partitions "+idList(slices.Sorted(maps.Keys(l.moving)))+" are still being moved, and partitions are added only to a topic at rest")
		}
	}
	if err := grow(ctx, a.kafka, *l, a.wanted, false); err != nil {
		return err
	}
	err := a.poll(ctx, l, func(l live) (bool, error) { return len(l.targets) >= len(a.wanted), nil })
	return interrupted(err, "the brokers do not show the new partitions yet")
}

// submit starts moves, or takes those back whose list is nil, and gives the partitions that were refused.
func (a *applying) submit(ctx context.Context, lists map[int32][]int32) map[int32]error {
	if len(lists) == 0 {
		return nil
	}
	return a.kafka.AlterTopics(ctx, []kafkaapi.TopicAlteration{{Topic: a.topic, Reassign: lists}}, false)[0].Refused
}
