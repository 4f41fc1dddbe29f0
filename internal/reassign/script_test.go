// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// scripted gives readings and answers by a script: orders of events, lost answers and silent brokers that real ones do not show on
// demand. It moves nothing by itself; what moves do on Kafka is tested on Kafka.
type scripted struct {
	mu sync.Mutex
	// at gives the layout of a topic, by the number of the reading, from 1.
	at func(topic string, reading int) kafkaapi.Layout
	// answer gives the refusals of a submission, nil for none.
	answer func(ctx context.Context, sent map[int32][]int32) map[int32]error
	// listing is the error of ListReassignments, by the number of the reading.
	listing func(reading int) error
	dirs    func(ctx context.Context, broker int32) kafkaapi.BrokerLogDirs

	described, listed, asked int
	partitions               []int
	submitted                []map[string]map[int32][]int32
}

func (s *scripted) DescribeTopics(_ context.Context, names []string) []kafkaapi.TopicDescription {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.described++
	var all []kafkaapi.TopicDescription
	for _, name := range names {
		all = append(all, s.at(name, s.described).TopicDescription)
	}
	return all
}

func (s *scripted) ListReassignments(_ context.Context, of kafkaapi.TopicPartitions) (map[string]map[int32]kafkaapi.Reassignment, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed++
	n := 0
	moves := map[string]map[int32]kafkaapi.Reassignment{}
	for name, partitions := range of {
		n += len(partitions)
		moves[name] = s.at(name, s.described).Moving
	}
	s.partitions = append(s.partitions, n)
	if s.listing != nil {
		if err := s.listing(s.described); err != nil {
			return nil, err
		}
	}
	return moves, nil
}

func (s *scripted) RegisteredBrokers(context.Context) ([]kafkaapi.RegisteredBroker, error) {
	return nil, kafkaapi.ErrUnsupported
}

func (s *scripted) Cluster(context.Context) (kafkaapi.Cluster, error) {
	var c kafkaapi.Cluster
	for id := range int32(6) {
		c.Brokers = append(c.Brokers, kafkaapi.Broker{ID: id})
	}
	return c, nil
}

func (s *scripted) DescribeLogDirs(ctx context.Context, brokers []int32, _ kafkaapi.TopicPartitions) []kafkaapi.BrokerLogDirs {
	s.mu.Lock()
	s.asked++
	s.mu.Unlock()
	var all []kafkaapi.BrokerLogDirs
	for _, id := range brokers {
		answer := kafkaapi.BrokerLogDirs{Broker: id}
		if s.dirs != nil {
			answer = s.dirs(ctx, id)
		}
		all = append(all, answer)
	}
	return all
}

func (s *scripted) AlterTopics(ctx context.Context, alterations []kafkaapi.TopicAlteration, _ bool) []kafkaapi.TopicResult {
	sent := map[string]map[int32][]int32{}
	var results []kafkaapi.TopicResult
	for _, a := range alterations {
		sent[a.Topic] = maps.Clone(a.Reassign)
		result := kafkaapi.TopicResult{Topic: a.Topic}
		if s.answer != nil {
			result.Refused = s.answer(ctx, a.Reassign)
		}
		results = append(results, result)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.submitted = append(s.submitted, sent)
	return results
}

// rest is partition 0 at rest.
func rest(list ...int32) kafkaapi.Layout { return layoutOf(list, list, list[0], nil) }

// flight is partition 0 on its way from [1, 2] to [1, 3].
func flight() kafkaapi.Layout {
	return layoutOf([]int32{1, 3, 2}, []int32{1, 2}, 1, &kafkaapi.Reassignment{Replicas: []int32{1, 3, 2}, Adding: []int32{3}, Removing: []int32{2}})
}

// swap is the move of partition 0 from [1, 2] to [1, 3].
func swap() []Move { return []Move{{Partition: 0, From: []int32{1, 2}, To: []int32{1, 3}}} }

// after gives the layouts in their order, each from its reading on.
func after(layouts map[int]kafkaapi.Layout) func(string, int) kafkaapi.Layout {
	return func(topic string, reading int) kafkaapi.Layout {
		var now kafkaapi.Layout
		for _, from := range slices.Sorted(maps.Keys(layouts)) {
			if reading >= from {
				now = layouts[from]
			}
		}
		now.Name = topic
		return now
	}
}

// idle fails the test if the executor is left with a goroutine or a job. In a synctest bubble the test itself fails for goroutines.
func idle(t *testing.T, e *Executor) {
	t.Helper()
	time.Sleep(time.Minute)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.looping || e.current != nil || len(e.joining)+len(e.asking) > 0 {
		t.Error("The executor still runs")
	}
}
