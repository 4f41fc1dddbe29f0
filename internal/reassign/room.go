// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// roomFor leaves out the moves for which a destination has no room at the moment, and refuses those for which it will not come to have
// any, as nothing of the run that could end touches that broker.
func (l *loop) roomFor(ctx context.Context, batch []due) []due {
	destinations := map[int32]bool{}
	for _, b := range batch {
		for _, id := range b.transit.Adding() {
			if !b.job.AnyDisk {
				destinations[id] = true
			}
		}
	}
	if len(destinations) == 0 {
		return batch
	}
	coming, arriving, touched := l.coming()
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	m := measure(ctx, l.kafka, slices.Sorted(maps.Keys(destinations)), arriving)
	for at, size := range m.sizes {
		coming[at.broker] -= size // has arrived
	}
	return slices.DeleteFunc(batch, func(b due) bool {
		adding := b.transit.Adding()
		if len(adding) == 0 || b.job.AnyDisk {
			return false
		}
		reason := noRoom(m.disks, coming, adding, max(b.transit.size, 0))
		if reason == "" {
			coming.add(adding, b.transit.size)
			for _, id := range adding {
				touched[id] = true
			}
			return false
		}
		if !slices.ContainsFunc(adding, func(id int32) bool { return touched[id] }) {
			b.transit.stage, b.transit.refusal = refused, fmt.Errorf("%s; nothing was submitted for it. Make room, or add disk_space to skip_checks", reason)
			l.moved = true
		}
		return true
	})
}

// coming are the bytes of all copies in flight, the partitions they belong to, and the brokers that moves in flight touch.
func (l *loop) coming() (incoming, kafkaapi.TopicPartitions, map[int32]bool) {
	bytes, of, touched := incoming{}, kafkaapi.TopicPartitions{}, map[int32]bool{}
	for _, t := range l.flying() {
		if adding := t.Adding(); len(adding) > 0 {
			bytes.add(adding, t.size)
			of[t.Topic] = append(of[t.Topic], t.Partition)
		}
		for _, id := range slices.Concat(t.From, t.To) {
			touched[id] = true
		}
	}
	return bytes, of, touched
}
