// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"slices"
)

const (
	// Layouts are fetched ahead sooner than configs and in larger chunks, as Metadata of 5000 topics takes a broker 20 ms, and so does their
	// list of moves; but not for ten of them, which would have ten resources ask for the names of all topics of an enormous cluster.
	layoutThreshold = 11
	layoutChunk     = 500
	layoutLimit     = 5000
)

// Layout is a topic's description with the moves of its partitions.
type Layout struct {
	TopicDescription
	// Moving are the partitions that are being moved.
	Moving map[int32]Reassignment
	// MovesErr is why it is not known what moves: ErrNotAuthorized names DESCRIBE on Cluster, ErrUnsupported is Kafka before 2.4.
	MovesErr error
	// Throttled are the topic's own throttled-replica lists, by key.
	Throttled map[string]string
	// ThrottledErr is why they are not known: ErrNotAuthorized names DESCRIBE_CONFIGS on the topic.
	ThrottledErr error
}

// ReadLayout describes a topic and its moves for a refresh. Calls that come side by side share requests, and in a large run the answer
// may have been fetched shortly before it was asked for, never before the run or before a change of the run.
func (c *Client) ReadLayout(ctx context.Context, topic string) Layout {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return Layout{TopicDescription: TopicDescription{Name: topic, Err: err}}
	}
	defer end()
	if layout, ok := c.layoutsAhead.take(ctx, topic); ok {
		return layout
	}
	layout, err := c.layouts.do(ctx, topic)
	if err != nil {
		return Layout{TopicDescription: TopicDescription{Name: topic, Err: err}}
	}
	return layout
}

func (c *Client) newLayouts() *coalescer[string, Layout] {
	return &coalescer[string, Layout]{
		lanes: 1, start: c.background.Go,
		fit: func(waiting []string) int { return min(len(waiting), layoutChunk) },
		ask: c.layoutsOf,
	}
}

func (c *Client) newLayoutsAhead() *ahead[Layout] {
	a := newAhead[Layout](layoutThreshold, layoutChunk, layoutLimit)
	a.start, a.names = c.background.Go, c.ownTopicNames
	a.fetch = func(ctx context.Context, names []string) map[string]Layout {
		found := make(map[string]Layout, len(names))
		for _, layout := range c.layoutsOf(ctx, names) {
			if layout.Err == nil && layout.MovesErr == nil && (layout.ThrottledErr == nil || errors.Is(layout.ThrottledErr, ErrNotAuthorized)) {
				found[layout.Name] = layout
			}
		}
		return found
	}
	return a
}

// layoutsOf asks for the topics, then for the moves of all their partitions, and then for throttle entries: those of a move that ends
// meanwhile are none that were left over. It gives them in the order of the names.
func (c *Client) layoutsOf(ctx context.Context, names []string) []Layout {
	all := make([]Layout, len(names))
	of := TopicPartitions{}
	for i, d := range c.DescribeTopics(ctx, names) {
		all[i].TopicDescription = d
		for _, p := range d.Partitions {
			of[d.Name] = append(of[d.Name], p.Partition)
		}
	}
	moving, err := c.ListReassignments(ctx, of)
	for i := range all {
		all[i].Moving, all[i].MovesErr = moving[all[i].Name], err
	}
	c.addThrottled(ctx, all)
	return all
}

// addThrottled asks for the throttled-replica lists of the topics that there are, a hundred in a request.
func (c *Client) addThrottled(ctx context.Context, all []Layout) {
	var topics []Entity
	var places []int
	for i, l := range all {
		if l.Err == nil {
			topics, places = append(topics, Topic(l.Name)), append(places, i)
		}
	}
	for i, answer := range c.ListConfigs(ctx, topics, ListConfigsOptions{Keys: ThrottledReplicasKeys()}) {
		l := &all[places[i]]
		if l.ThrottledErr = answer.Err; answer.Err != nil {
			continue
		}
		for _, config := range answer.Configs {
			if answer.Entity.Own(config) && slices.Contains(ThrottledReplicasKeys(), config.Name) {
				if l.Throttled == nil {
					l.Throttled = map[string]string{}
				}
				l.Throttled[config.Name] = config.Value
			}
		}
	}
}

// ThrottledReplicasKeys are the configs of a topic that name its throttled replicas, those that are sent by leaders and those that are
// fetched by followers (KIP-73).
func ThrottledReplicasKeys() []string {
	return []string{"leader.replication.throttled.replicas", "follower.replication.throttled.replicas"}
}
