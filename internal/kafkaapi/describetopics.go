// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

// DescribeTopics says of each topic which partitions it has (Metadata 3, never creating a topic), in the order asked.
func (c *Client) DescribeTopics(ctx context.Context, names []string) []TopicDescription {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return undescribed(names, err)
	}
	defer end()
	if len(names) == 1 {
		d, err := c.descriptions.do(ctx, names[0])
		if err != nil {
			d = TopicDescription{Name: names[0], Err: err}
		}
		return []TopicDescription{d}
	}
	return c.describeTopics(ctx, names)
}

// newDescriptions lets calls for single topics that come side by side share requests.
func (c *Client) newDescriptions() *coalescer[string, TopicDescription] {
	return &coalescer[string, TopicDescription]{
		lanes: lanesPerKind, start: c.background.Go,
		fit: func(waiting []string) int { return min(len(waiting), maxNames) },
		ask: func(ctx context.Context, names []string) []TopicDescription {
			ctx, end, err := c.begin(ctx)
			if err != nil {
				return undescribed(names, err)
			}
			defer end()
			return c.describeTopics(ctx, names)
		},
	}
}

func undescribed(names []string, err error) []TopicDescription {
	all := make([]TopicDescription, len(names))
	for i, name := range names {
		all[i] = TopicDescription{Name: name, Err: err}
	}
	return all
}

// describeTopics asks for each distinct name once. An empty list would ask for all topics and is answered here.
func (c *Client) describeTopics(ctx context.Context, names []string) []TopicDescription {
	distinct := slices.Clone(names)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	found := make(map[string]TopicDescription, len(distinct))
	for part := range slices.Chunk(distinct, maxNames) {
		for _, d := range c.describeSome(ctx, part) {
			found[d.Name] = d
		}
	}
	all := make([]TopicDescription, 0, len(names))
	for _, name := range names {
		all = append(all, found[name])
	}
	return all
}

// maxNames per Metadata request; an answer for one topic is small beside that of its configs.
const maxNames = 1000

// describeSome sends one request, and again for the topics that were told to wait.
func (c *Client) describeSome(ctx context.Context, names []string) []TopicDescription {
	retry := c.newRetries()
	var done []TopicDescription
	for {
		answer, _, err := ask(ctx, c, metadataQuestion(names))
		var again []string
		var waiting []TopicDescription
		for _, d := range topicsOf(answer, names, err) {
			var refused *Error
			if errors.As(d.Err, &refused) && retriable(refused.Code) && retry.left() {
				again = append(again, d.Name)
				waiting = append(waiting, d)
				continue
			}
			done = append(done, d)
		}
		if len(again) == 0 {
			return done
		}
		if retry.wait(ctx) != nil {
			return append(done, waiting...)
		}
		names = again
	}
}

func metadataQuestion(names []string) question[*sarama.MetadataResponse] {
	return question[*sarama.MetadataResponse]{
		name: "Metadata", entities: len(names),
		send: func(b *sarama.Broker) (*sarama.MetadataResponse, error) {
			request := sarama.NewMetadataRequest(sarama.MaxVersion, names)
			request.AllowAutoTopicCreation = false
			return b.GetMetadata(request)
		},
		throttle: func(r *sarama.MetadataResponse) time.Duration {
			return time.Duration(r.ThrottleTimeMs) * time.Millisecond
		},
	}
}

// topicsOf converts an answer of Metadata: one result for each name, whatever the answer holds; or the error for all.
func topicsOf(answer *sarama.MetadataResponse, names []string, err error) []TopicDescription {
	byName := map[string]*sarama.TopicMetadata{}
	if answer != nil {
		for _, t := range answer.Topics {
			if t != nil {
				byName[t.Name] = t
			}
		}
	}
	all := make([]TopicDescription, 0, len(names))
	for _, name := range names {
		t, d := byName[name], TopicDescription{Name: name}
		switch {
		case err != nil:
			d.Err = err
		case t == nil:
			d.Err = omitted("Metadata", Topic(name))
		case t.Err != sarama.ErrNoError:
			d.Err = newError(opMetadata, Topic(name), int16(t.Err), "", nil)
		default:
			d.ID, d.Internal, d.Partitions = topicID(t.Uuid), t.IsInternal, partitions(t.Partitions)
		}
		all = append(all, d)
	}
	return all
}

// topicID is empty for the zero id, which stands for none.
func topicID(id sarama.Uuid) string {
	if id == (sarama.Uuid{}) {
		return ""
	}
	return id.String()
}

func partitions(all []*sarama.PartitionMetadata) []PartitionDescription {
	described := make([]PartitionDescription, 0, len(all))
	for _, p := range all {
		if p != nil {
			described = append(described, PartitionDescription{
				Partition: p.ID, Leader: p.Leader, Replicas: slices.Clone(p.Replicas), InSyncReplicas: slices.Clone(p.Isr),
			})
		}
	}
	slices.SortFunc(described, func(a, b PartitionDescription) int { return cmp.Compare(a.Partition, b.Partition) })
	return described
}
