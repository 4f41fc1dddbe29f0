// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// Interruption is what becomes of a job's moves in flight at an interrupt, a timeout or a stall.
type Interruption string

const (
	// Continue leaves moves in flight to Kafka, their throttle in place; no further ones are submitted.
	Continue Interruption = "continue"
	// Cancel takes moves in flight back and puts the former lists, order included, in place again. Partitions that finished stay.
	Cancel Interruption = "cancel"
)

// Move is one partition on its way from one list of replicas to another.
type Move struct {
	Partition int32
	// From is the list before the move, To the wanted one, preferred leader first.
	From, To []int32
	// InFlight: Kafka is moving the partition to To already, by an earlier run or somebody else; it is taken over, not submitted.
	InFlight bool
}

// Adding are the brokers, in the order of To, that get a copy by the move.
func (m Move) Adding() []int32 { return difference(m.To, m.From) }

// Removing are the brokers, in the order of From, that lose their copy by the move.
func (m Move) Removing() []int32 { return difference(m.From, m.To) }

// Job is what one resource wants of one topic: moves of partitions that exist, none twice.
type Job struct {
	Topic string
	// TopicID tells the topic from one of the same name that is made meanwhile; empty before Kafka 2.8.
	TopicID string
	Moves   []Move
	// OnInterruption is Continue where empty.
	OnInterruption Interruption
	// Detach: everything is submitted at once, and Run returns when it is accepted. Throttles stay in place.
	Detach bool
	// LeftOver is the throttle that earlier runs left on the topic, as FindLeftOvers gave it; it is taken back at the end.
	LeftOver Throttle
	// Notes are warnings of what was found beside the moves. As many topics find the same, each is given once in a run.
	Notes []string
	// AnyDisk submits moves although their destination lacks the space.
	AnyDisk bool
}

// Outcome is how a job ended, also beside an error. Each partition of the job is in one of the lists; all are ascending.
type Outcome struct {
	// Done have their list, in order.
	Done []int32
	// InFlight are still being moved to their list.
	InFlight []int32
	// Waiting were not submitted.
	Waiting []int32
	// Restored were cancelled and have their former list again, in order.
	Restored []int32
	// Refused were not accepted, each with the broker's reason.
	Refused map[int32]error
	// Kept says of moves that were to be cancelled why they are in flight all the same, or do not have their former list.
	Kept map[int32]string
	// Throttle is what this run set, or took over, and has not taken back: what moves in flight need, or what could not be removed.
	Throttle Throttle
	// Warnings are what a person should know of the job beside its end, such as brokers that are not throttled. Each is given once in a run.
	Warnings []string
	// Layout is the topic as the executor saw it last; its Name is empty where it never did.
	Layout kafkaapi.Layout
}

func difference(of, without []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(of), func(id int32) bool { return slices.Contains(without, id) })
}
