// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// C-91: a topic that is deleted in mid-move needs no throttle any more; another job's moves still do.
func TestThrottleOfATopicThatIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := kafkaapi.Layout{TopicDescription: kafkaapi.TopicDescription{Err: fmt.Errorf("no: %w", kafkaapi.ErrUnknownTopic)}}
		orders := after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight(), 10: gone})
		others := after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight(), 100: rest(1, 3)})
		kafka := &scripted{at: func(topic string, reading int) kafkaapi.Layout {
			if topic == "orders" {
				return orders(topic, reading)
			}
			return others(topic, reading)
		}}
		n := &noting{}
		e := New(kafka, Settings{}, n)
		done := make(chan error)
		go func() {
			_, err := e.Run(t.Context(), Job{Topic: "others", TopicID: "id", Moves: swap()})
			done <- err
		}()
		_, err := e.Run(t.Context(), Job{Topic: "orders", TopicID: "id", Moves: swap()})
		var lost *GoneError
		if !errors.As(err, &lost) {
			t.Errorf("It ends with %v", err)
		}
		if err := <-done; err != nil {
			t.Errorf("The other topic: %v", err)
		}
		if !slices.Contains(n.notes, "release all but others-0") {
			t.Errorf("The throttle was asked: %q", n.notes)
		}
		if last := n.notes[len(n.notes)-1]; last != "release all but " {
			t.Errorf("At the end: %q", last)
		}
		idle(t, e)
	})
}
