// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// Mover runs reassignments and the polls for them, together with those of all other topics of the run; *reassign.Executor is one.
type Mover interface {
	Run(ctx context.Context, job reassign.Job) (reassign.Outcome, error)
	Watch(ctx context.Context, topic string, done func(kafkaapi.Layout) (bool, error)) error
}

// movesOf are the moves that lead a topic to the wanted lists: those to submit, and those that are in flight there already, whoever
// began them. Partitions that are moving elsewhere are not among them. before is the layout in state, began what an apply that ended
// early noted of its moves in flight.
func movesOf(l live, wanted, before placement.Assignment, began map[int32][]int32) []reassign.Move {
	var moves []reassign.Move
	for p, list := range submissions(l, wanted) {
		moves = append(moves, reassign.Move{Partition: p, From: l.present[p], To: list})
	}
	for _, p := range l.toward(wanted) {
		moves = append(moves, reassign.Move{Partition: p, From: former(l, p, before, began), To: wanted[p], InFlight: true})
	}
	slices.SortFunc(moves, func(a, b reassign.Move) int { return int(a.Partition) - int(b.Partition) })
	return moves
}

// former is the list that a partition had before the move that it is on. Kafka tells the brokers; their order is known where an apply
// noted it, or state has just these brokers.
func former(l live, p int32, before placement.Assignment, began map[int32][]int32) []int32 {
	had := slices.DeleteFunc(slices.Clone(l.present[p]), func(id int32) bool { return slices.Contains(l.moving[p].Adding, id) })
	for _, known := range [][]int32{began[p], listAt(before, int(p))} {
		if slices.Equal(union(known, nil), union(had, nil)) {
			return known
		}
	}
	return had
}

// move has the executor run the moves and take back what earlier applies left of their throttle, and leaves in l what was seen last. It gives the partitions that were touched and are not refused. The error is a
// *haltedError where the job was given up, a *refusedError where the brokers refused partitions, or both.
func (a *applying) move(ctx context.Context, l *live) (touched []int32, err error) {
	moves := movesOf(*l, a.wanted, a.before, a.began)
	left, notes := a.leftOver(ctx, *l)
	if len(moves) == 0 && left.Empty() {
		a.warnOfMoves(notes)
		return nil, nil
	}
	outcome, err := a.mover.Run(ctx, reassign.Job{
		Topic: a.topic, TopicID: l.id, Moves: moves, OnInterruption: a.interruption, Detach: !a.wait, LeftOver: left, Notes: notes,
		AnyDisk: slices.Contains(a.declaration.skip, checkDiskSpace),
	})
	a.warnOfMoves(outcome.Warnings)
	a.held, a.former = outcome.Throttle, formerOf(moves, outcome.InFlight)
	l.sawLast(outcome, a.wanted)
	if err != nil {
		err = &haltedError{why: err, outcome: outcome}
	}
	touched = union(outcome.Done, outcome.InFlight)
	return touched, errors.Join(err, refusal(outcome.Refused))
}

// formerOf are the lists that the moves in flight began with.
func formerOf(moves []reassign.Move, inFlight []int32) map[int32][]int32 {
	lists := map[int32][]int32{}
	for _, m := range moves {
		if slices.Contains(inFlight, m.Partition) {
			lists[m.Partition] = m.From
		}
	}
	return lists
}

// sawLast takes over the layout that the executor saw last. A move that was accepted since is on its way all the same.
func (l *live) sawLast(outcome reassign.Outcome, wanted placement.Assignment) {
	if outcome.Layout.Name != "" {
		next, err := liveOf(l.topic, outcome.Layout.TopicDescription)
		if err == nil && next.listed(outcome.Layout.Moving, outcome.Layout.MovesErr) == nil {
			next.brokers, next.registered = l.brokers, l.registered
			*l = next
		}
	}
	moving := maps.Clone(l.moving)
	for _, p := range outcome.InFlight {
		if _, seen := moving[p]; !seen && int(p) < len(l.targets) {
			moving[p] = kafkaapi.Reassignment{Replicas: wanted[p]}
			l.targets[p] = wanted[p]
		}
	}
	l.moving = moving
}
