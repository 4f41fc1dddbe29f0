// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// welcome prepares jobs that have just come: the sizes that the order of moves goes by, and what earlier runs left behind.
func (l *loop) welcome(parent context.Context) {
	var fresh []*running
	of, leaders := kafkaapi.TopicPartitions{}, map[int32]bool{}
	for _, r := range l.jobs {
		if r.welcomed || r.seen.Name == "" {
			continue
		}
		fresh = append(fresh, r)
		for _, t := range r.moves {
			if len(t.Adding()) > 0 && t.seen.Leader >= 0 {
				of[r.Topic] = append(of[r.Topic], t.Partition)
				leaders[t.seen.Leader] = true
			}
		}
	}
	var m measured
	if len(of) > 0 {
		ctx, cancel := context.WithTimeout(parent, readTime)
		defer cancel()
		m = measure(ctx, l.kafka, slices.Sorted(maps.Keys(leaders)), of)
	}
	if parent.Err() != nil {
		return // cut short: the next round asks again
	}
	for _, r := range fresh {
		for _, t := range r.moves {
			if size, known := m.sizes[replicaOf{t.Topic, t.Partition, t.seen.Leader}]; known {
				t.size = size
			}
		}
		if l.throttler != nil && !r.LeftOver.Empty() {
			l.throttler.TakeOver(r.LeftOver)
			l.moved = true
		}
		r.welcomed = true
	}
}

// submit throttles and starts the moves whose turn it is, and throttles those that were in flight before their job.
func (l *loop) submit(r *round) {
	batch := l.roomFor(r.reads, l.due())
	l.cover(r.writes, batch)
	batch = slices.DeleteFunc(batch, func(b due) bool { return b.transit.stage != waiting || b.job.ctx.Err() != nil })
	if len(batch) == 0 || r.reads.Err() != nil {
		return
	}
	byTopic := map[string]map[int32][]int32{}
	for _, b := range batch {
		if byTopic[b.job.Topic] == nil {
			byTopic[b.job.Topic] = map[int32][]int32{}
		}
		byTopic[b.job.Topic][b.transit.Partition] = b.transit.To
	}
	refusals := alter(r.writes, l.kafka, byTopic)
	now := time.Now()
	for _, b := range batch {
		if err := refusals[b.job.Topic][b.transit.Partition]; err != nil {
			var spoken *kafkaapi.Error
			b.transit.stage, b.transit.refusal, b.transit.doubted = refused, err, !errors.As(err, &spoken)
			l.moved = true
			continue
		}
		b.transit.submitted(now)
	}
	l.pause = firstPoll
}

// alter sends one request for the moves of all topics and gives the refusals. A nil list cancels.
func alter(ctx context.Context, kafka Kafka, byTopic map[string]map[int32][]int32) map[string]map[int32]error {
	var alterations []kafkaapi.TopicAlteration
	for _, topic := range slices.Sorted(maps.Keys(byTopic)) {
		alterations = append(alterations, kafkaapi.TopicAlteration{Topic: topic, Reassign: byTopic[topic]})
	}
	refusals := map[string]map[int32]error{}
	if len(alterations) == 0 {
		return refusals
	}
	for _, result := range kafka.AlterTopics(ctx, alterations, false) {
		refusals[result.Topic] = result.Refused
	}
	return refusals
}

// due is a move whose turn it is.
type due struct {
	job     *running
	transit *transit
}

// due are the moves that the limit lets go now, those that copy nothing, and all of jobs that do not wait.
func (l *loop) due() []due {
	var waits, all []due
	var candidates, busy []copying
	for _, t := range l.left {
		busy = append(busy, copyingOf(t))
	}
	for _, r := range l.jobs {
		for _, t := range r.moves {
			switch {
			case t.stage == inFlight:
				busy = append(busy, copyingOf(t))
			case t.stage != waiting || !r.welcomed || r.ctx.Err() != nil:
			case r.Detach:
				all = append(all, due{r, t})
				busy = append(busy, copyingOf(t))
			default:
				waits = append(waits, due{r, t})
				candidates = append(candidates, copyingOf(t))
			}
		}
	}
	for _, i := range schedule(candidates, busy, l.settings.MaxMovesPerBroker) {
		all = append(all, waits[i])
	}
	return all
}

func copyingOf(t *transit) copying {
	return copying{
		topic: t.Topic, partition: t.Partition, size: t.size, load: loadOf(t.Move, t.seen.Leader),
		underReplicated: len(difference(t.seen.Replicas, t.seen.InSyncReplicas)) > 0,
	}
}

// flying are all moves in flight, those of jobs that are over too.
func (l *loop) flying() []*transit {
	all := slices.Clone(l.left)
	for _, r := range l.jobs {
		all = append(all, r.in(inFlight)...)
	}
	return all
}
