// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

// maxMoves per AlterPartitionReassignments request. Each partition is one record of the metadata log.
const maxMoves = 500

// topicPartition is one partition of one topic.
type topicPartition struct {
	topic     string
	partition int32
}

// reassign starts moves and gives the errors of the partitions that were not accepted.
func (c *Client) reassign(ctx context.Context, moves map[string]map[int32][]int32) map[string]map[int32]error {
	if len(moves) == 0 {
		return nil
	}
	m := mover{client: c, moves: moves, refused: map[topicPartition]error{}}
	var todo []topicPartition
	for _, topic := range slices.Sorted(maps.Keys(moves)) {
		for _, partition := range slices.Sorted(maps.Keys(moves[topic])) {
			todo = append(todo, topicPartition{topic, partition})
		}
	}
	ctx, end, err := c.begin(ctx)
	if err != nil {
		m.refuse(todo, err)
		return m.byTopic()
	}
	defer end()
	for part := range slices.Chunk(todo, maxMoves) {
		m.retry, m.lost = c.newRetries(), 0
		m.run(ctx, part)
	}
	return m.byTopic()
}

// mover carries moves to the controller.
type mover struct {
	client  *Client
	moves   map[string]map[int32][]int32
	retry   *retries
	lost    int
	refused map[topicPartition]error
}

func (m *mover) refuse(todo []topicPartition, err error) {
	for _, tp := range todo {
		m.refused[tp] = err
	}
}

func (m *mover) byTopic() map[string]map[int32]error {
	all := map[string]map[int32]error{}
	for tp, err := range m.refused {
		if all[tp.topic] == nil {
			all[tp.topic] = map[int32]error{}
		}
		all[tp.topic][tp.partition] = err
	}
	return all
}

// run sends what is left to send until every partition has its outcome. A move may be sent again after its answer was lost: the
// same target once more changes nothing.
func (m *mover) run(ctx context.Context, todo []topicPartition) {
	for {
		answer, _, err := ask(ctx, m.client, m.question(todo))
		var lost *lostError
		switch {
		case err == nil:
			todo = m.settle(todo, answer)
		case errors.As(err, &lost):
			m.lost++
			m.refuse(todo, lost.BrokerError)
			if m.lost >= maxTries || !m.retry.left() {
				return
			}
		default:
			m.refuse(todo, err)
			return
		}
		if len(todo) == 0 || m.retry.wait(ctx) != nil {
			return
		}
	}
}

func (m *mover) question(todo []topicPartition) question[*sarama.AlterPartitionReassignmentsResponse] {
	return question[*sarama.AlterPartitionReassignmentsResponse]{
		name: "AlterPartitionReassignments", target: target{kind: toController}, entities: len(todo), write: true,
		send: func(b *sarama.Broker) (*sarama.AlterPartitionReassignmentsResponse, error) {
			request := &sarama.AlterPartitionReassignmentsRequest{TimeoutMs: millis(m.client.opts.RequestTimeout * 3 / 4)}
			for _, tp := range todo {
				request.AddBlock(tp.topic, tp.partition, m.moves[tp.topic][tp.partition])
			}
			return b.AlterPartitionReassignments(request)
		},
		throttle: func(r *sarama.AlterPartitionReassignmentsResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	}
}

// settle takes in the answers and gives the partitions to send again; each has its present error in place.
func (m *mover) settle(todo []topicPartition, answer *sarama.AlterPartitionReassignmentsResponse) (again []topicPartition) {
	codes := reassignmentCodes(answer)
	for _, tp := range todo {
		r, ok := codes[tp]
		if answer.ErrorCode != sarama.ErrNoError {
			r, ok = codeAndMessage{int16(answer.ErrorCode), textOf(answer.ErrorMessage)}, true
		}
		switch {
		case !ok:
			m.refused[tp] = omitted("AlterPartitionReassignments", Topic(tp.topic))
		case r.code == codeNone || r.code == codeNoReassignmentInProgress && m.moves[tp.topic][tp.partition] == nil && m.lost > 0:
			// A cancel that found nothing left after its first answer was lost has done its work.
			delete(m.refused, tp)
		default:
			m.refused[tp] = newError(opReassign, Topic(tp.topic), r.code, r.message, nil)
			if retriable(r.code) && m.retry.left() {
				m.client.doubt()
				again = append(again, tp)
			}
		}
	}
	return again
}

type codeAndMessage struct {
	code    int16
	message string
}

// reassignmentCodes reads the per-partition answers, which the library keeps in unexported fields (sarama 1.61): without this the
// broker's words would be lost. A test fails if the fields are renamed.
func reassignmentCodes(answer *sarama.AlterPartitionReassignmentsResponse) map[topicPartition]codeAndMessage {
	all := map[topicPartition]codeAndMessage{}
	for topic, partitions := range answer.Errors {
		for partition, block := range partitions {
			v := reflect.ValueOf(block)
			if v.IsNil() {
				continue
			}
			code, message := v.Elem().FieldByName("errorCode"), v.Elem().FieldByName("errorMessage")
			if !code.IsValid() || !message.IsValid() {
				panic(fmt.Sprintf("sarama's %s has no errorCode and errorMessage any more", v.Type()))
			}
			read := codeAndMessage{code: int16(code.Int())}
			if !message.IsNil() {
				read.message = message.Elem().String()
			}
			all[topicPartition{topic, partition}] = read
		}
	}
	return all
}

func textOf(message *string) string {
	if message == nil {
		return ""
	}
	return *message
}

func millis(d time.Duration) int32 { return int32(d.Milliseconds()) }
