// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"fmt"
	"slices"

	"github.com/IBM/sarama"
)

// nameNeverMeant is a topic that is only ever asked about, with validate_only.
const nameNeverMeant = "terraform-provider-kafka.validation"

// TopicConfigNames gives the names of all configs that a topic of this cluster may carry, sorted, without needing a topic: the
// effective configs in the answer to a CreateTopics with validate_only (v5, KIP-525, Kafka 2.4; ErrUnsupported before).
func (c *Client) TopicConfigNames(ctx context.Context) ([]string, error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	err = nil
	w := creator{client: c, validateOnly: true, retry: c.newRetries()}
	topic := creation{NewTopic: NewTopic{Name: nameNeverMeant}, partitions: -1, replicas: -1, err: &err}
	answer, _, askErr := ask(ctx, c, w.question([]creation{topic}))
	if askErr != nil {
		return nil, askErr
	}
	if err := creationError(topic, answer); err != nil {
		return nil, err
	}
	return topicConfigNames(answer)
}

func topicConfigNames(answer *sarama.CreateTopicsResponse) ([]string, error) {
	result := answer.TopicResults[nameNeverMeant]
	if result == nil || len(result.Configs) == 0 {
		return nil, fmt.Errorf("configs of new topics: %w", ErrUnsupported)
	}
	names := make([]string, 0, len(result.Configs))
	for name := range result.Configs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}
