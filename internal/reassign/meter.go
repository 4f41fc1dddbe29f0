// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// beatTime is how often brokers are asked how far the copies are, and the progress is told.
const beatTime = 10 * time.Second

// meter asks brokers for sizes beside the loop, as one that hangs takes its time, and tells the progress.
type meter struct {
	every time.Duration
	next  time.Time
	// running gives the measurement that is under way, nil where none is; cancel ends it.
	running chan measured
	cancel  context.CancelFunc
	last    measured
	// retired is the progress of jobs that are over, told the last one that was told.
	retired, told progress
	toldAt        time.Time
}

func newMeter(now time.Time, every time.Duration) meter {
	return meter{every: every, next: now.Add(every), toldAt: now}
}

// stop ends what is under way and returns when it has.
func (m *meter) stop() {
	if m.running != nil {
		m.cancel()
		<-m.running
	}
}

// beat starts a measurement where one is due.
func (m *meter) beat(ctx context.Context, l *loop, now time.Time) {
	flying := l.flying()
	if now.Before(m.next) || m.running != nil || len(flying) == 0 {
		return
	}
	m.next = now.Add(m.every)
	brokers, of := map[int32]bool{}, kafkaapi.TopicPartitions{}
	for _, t := range flying {
		of[t.Topic] = append(of[t.Topic], t.Partition)
		for _, id := range t.Adding() {
			brokers[id] = true
		}
		if t.seen.Leader >= 0 {
			brokers[t.seen.Leader] = true
		}
	}
	result := make(chan measured, 1)
	ctx, cancel := context.WithTimeout(ctx, m.every*4/5)
	m.running, m.cancel = result, cancel
	go func() {
		defer cancel()
		alive := aliveBrokers(ctx, l.kafka)
		taken := measure(ctx, l.kafka, slices.Sorted(maps.Keys(brokers)), of)
		taken.alive = alive
		result <- taken
	}()
}

// takeIn looks at a measurement that has come, has every move judge it, and tells the progress.
func (m *meter) takeIn(l *loop, now time.Time) {
	if m.running == nil {
		return
	}
	select {
	case taken := <-m.running:
		m.running, m.cancel = nil, nil
		taken.at = now
		m.last = taken
	default:
		return
	}
	for _, t := range l.flying() {
		t.watch.measure(t, m.last)
		if size, known := m.last.sizes[replicaOf{t.Topic, t.Partition, t.seen.Leader}]; known {
			t.size = max(t.size, size)
		}
	}
	m.tell(l, now)
}

// tell logs the progress of all topics, and of each at a finer level.
func (m *meter) tell(l *loop, now time.Time) {
	if len(l.jobs) == 0 {
		return
	}
	ctx := l.jobs[0].ctx
	all := m.retired
	for _, r := range l.jobs {
		var one progress
		for _, t := range r.moves {
			all.add(t, m.last)
			one.add(t, m.last)
		}
		tflog.Debug(ctx, one.text(0, 0), map[string]any{"topic": r.Topic, "partitions_done": one.done, "partitions": one.partitions, "bytes_done": one.copied, "bytes_left": one.bytes - one.copied})
	}
	perSecond, left := speed(m.told, all, now.Sub(m.toldAt))
	tflog.Info(ctx, all.text(perSecond, left), map[string]any{
		"partitions_done": all.done, "partitions": all.partitions, "bytes_done": all.copied, "bytes_left": all.bytes - all.copied,
		"bytes_per_second": perSecond, "eta_seconds": int64(left.Seconds()),
	})
	m.told, m.toldAt = all, now
}

// retire keeps what a job that is over has done.
func (m *meter) retire(r *running) {
	for _, t := range r.moves {
		if t.stage == finished {
			m.retired.add(t, m.last)
		}
	}
}
