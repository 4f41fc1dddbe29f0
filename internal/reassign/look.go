// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// look reads the layouts of all topics of the run: two requests for all of them.
func (l *loop) look(ctx context.Context) {
	names := l.topics()
	of := kafkaapi.TopicPartitions{}
	read := make(map[string]kafkaapi.Layout, len(names))
	for _, d := range l.kafka.DescribeTopics(ctx, names) {
		for _, p := range d.Partitions {
			of[d.Name] = append(of[d.Name], p.Partition)
		}
		read[d.Name] = kafkaapi.Layout{TopicDescription: d}
	}
	moving, err := l.kafka.ListReassignments(ctx, of)
	for name, layout := range read {
		layout.Moving, layout.MovesErr = moving[name], err
		read[name] = layout
	}
	l.layouts = read
}

// topics are those that somebody wants to know of, each once.
func (l *loop) topics() []string {
	var names []string
	for _, r := range l.jobs {
		names = append(names, r.Topic)
	}
	for _, t := range l.left {
		names = append(names, t.Topic)
	}
	for _, w := range l.watchers {
		names = append(names, w.topic)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// failUnread ends jobs of which the cluster refuses to tell anything, and all of them where it has told nothing for too long.
func (l *loop) failUnread(ctx context.Context, now time.Time) {
	ended := map[*running]error{}
	ok := false
	l.unread++
	for _, r := range l.jobs {
		layout := l.layouts[r.Topic]
		err := errors.Join(layout.Err, layout.MovesErr)
		switch {
		case err == nil:
			ok = true
		case errors.Is(layout.Err, kafkaapi.ErrUnknownTopic):
			ended[r] = &GoneError{Topic: r.Topic, err: layout.Err}
			ok = true
		case errors.Is(err, kafkaapi.ErrNotAuthorized), errors.Is(err, kafkaapi.ErrUnsupported), errors.Is(err, kafkaapi.ErrWrongCluster),
			now.Sub(l.read) > unreadTime && l.unread >= unreadLooks:
			ended[r] = err
		}
	}
	if ok {
		l.read, l.unread = now, 0
	}
	l.giveUp(ctx, ended)
}
