// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// scripted answers reads by a script, for the order of events that brokers do not show on demand. It is no Kafka: writes fail the test.
type scripted struct {
	Kafka
	// at gives the list of partition 0 and what it moves, by the number of the reading.
	at       func(reading int) ([]int32, *kafkaapi.Reassignment)
	readings int
}

func (s *scripted) DescribeTopics(context.Context, []string) []kafkaapi.TopicDescription {
	s.readings++
	list, _ := s.at(s.readings)
	return []kafkaapi.TopicDescription{{Name: "orders", ID: "id", Partitions: []kafkaapi.PartitionDescription{{Replicas: list, InSyncReplicas: list, Leader: list[0]}}}}
}

func (s *scripted) ListReassignments(context.Context, kafkaapi.TopicPartitions) (map[string]map[int32]kafkaapi.Reassignment, error) {
	if _, move := s.at(s.readings); move != nil {
		return map[string]map[int32]kafkaapi.Reassignment{"orders": {0: *move}}, nil
	}
	return nil, nil
}

func (s *scripted) RegisteredBrokers(context.Context) ([]kafkaapi.RegisteredBroker, error) {
	return nil, nil
}

// The list of moves is empty before the brokers show the final replicas. Old and new ones together are not taken for a
// layout at rest, by no reading that decides anything.
func TestSettled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kafka := &scripted{at: func(reading int) ([]int32, *kafkaapi.Reassignment) {
			if reading < 2 {
				return []int32{1, 3, 2}, nil // the move 1,2 -> 1,3 has just ended
			}
			return []int32{1, 3}, nil
		}}
		l, err := readSettled(t.Context(), kafka, "orders", placement.Assignment{{1, 2}})
		if err != nil || !l.targets.Equal(placement.Assignment{{1, 3}}) {
			t.Errorf("%v, %v", l.targets, err)
		}
		// What is expected needs one reading.
		kafka.readings = 5
		if _, err := readSettled(t.Context(), kafka, "orders", placement.Assignment{{1, 3}}); err != nil || kafka.readings != 6 {
			t.Errorf("%d readings, %v", kafka.readings-5, err)
		}
	})
}

func waiting(kafka Kafka) *applying {
	return &applying{kafka: kafka, mover: reassign.New(kafka, reassign.Settings{}, nil), topic: "orders", before: placement.Assignment{{1, 2}}, wanted: placement.Assignment{{2, 1}}, wait: true, elects: true, diags: &diag.Diagnostics{}}
}

// The end of the time says what was waited for, and keeps its cause.
func TestWaitRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kafka := &scripted{at: func(int) ([]int32, *kafkaapi.Reassignment) {
			return []int32{2, 1, 3}, &kafkaapi.Reassignment{Replicas: []int32{2, 1, 3}, Adding: []int32{3}}
		}}
		l, err := readLive(t.Context(), kafka, "orders")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		err = waiting(kafka).awaitOthers(ctx, &l)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(explain(err), "somebody else is still moving partitions [0]") {
			t.Errorf("It says %v", err)
		}
	})
}

// Replicas that are not in sync after the bounded wait are a warning.
func TestNotInSyncIsAWarning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kafka := &scripted{at: func(int) ([]int32, *kafkaapi.Reassignment) { return []int32{2}, nil }}
		l, err := readLive(t.Context(), kafka, "orders")
		if err != nil {
			t.Fatal(err)
		}
		a := waiting(kafka)
		a.awaitInSync(t.Context(), &l, []int32{0})
		if a.diags.WarningsCount() != 1 || a.diags.HasError() {
			t.Errorf("It says %v", *a.diags)
		}
		a.awaitInSync(t.Context(), &l, nil)
		if a.diags.WarningsCount() != 1 {
			t.Error("Partitions that were not touched are judged")
		}
	})
}
