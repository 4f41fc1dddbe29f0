// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

// CreateTopics creates topics or, with validateOnly, asks the brokers whether they would; one error per topic, in order.
// Names must be distinct. A topic that turns up after the answer to its creation was lost counts as created.
func (c *Client) CreateTopics(ctx context.Context, topics []NewTopic, validateOnly bool) []error {
	errs := make([]error, len(topics))
	var todo []creation
	seen := map[string]bool{}
	for i, t := range topics {
		if seen[t.Name] {
			errs[i] = errors.New("the topic is named twice in one call")
			continue
		}
		seen[t.Name] = true
		if errs[i] = checkCreation(t); errs[i] == nil {
			todo = append(todo, creation{NewTopic: t, partitions: -1, replicas: -1, err: &errs[i]})
		}
	}
	if len(todo) == 0 {
		return errs
	}
	ctx, end, err := c.begin(ctx)
	if err != nil {
		for _, t := range todo {
			*t.err = err
		}
		return errs
	}
	defer end()
	for part := range slices.Chunk(todo, maxEntities) {
		w := creator{client: c, validateOnly: validateOnly, retry: c.newRetries()}
		w.run(ctx, part)
	}
	return errs
}

// checkCreation refuses what would make the broker drop the connection.
func checkCreation(t NewTopic) error {
	err := checkAlteration(Alteration{Entity: Topic(t.Name), Set: t.Configs}, map[Entity]bool{})
	var refused *Error
	if errors.As(err, &refused) {
		refused.Operation = opCreateTopics
	}
	return err
}

// creation is a NewTopic under way and the place of its outcome.
type creation struct {
	NewTopic
	partitions int32
	replicas   int16
	err        *error
}

// creator carries the creation of some topics to the controller.
type creator struct {
	client       *Client
	validateOnly bool
	retry        *retries
	lost         int
}

// run sends what is left to send until every topic has its outcome.
func (w *creator) run(ctx context.Context, todo []creation) {
	for {
		answer, b, err := ask(ctx, w.client, w.question(todo))
		var lost *lostError
		switch {
		case err == nil:
			todo = w.settle(ctx, b, todo, answer)
		case errors.As(err, &lost):
			w.lost++
			todo = w.readBack(ctx, todo, lost.BrokerError)
			if w.lost >= maxTries || !w.retry.left() {
				return
			}
		default:
			for _, t := range todo {
				*t.err = err
			}
			return
		}
		if len(todo) == 0 || w.retry.wait(ctx) != nil {
			return
		}
	}
}

func (w *creator) question(todo []creation) question[*sarama.CreateTopicsResponse] {
	return question[*sarama.CreateTopicsResponse]{
		name: "CreateTopics", target: target{kind: toController}, entities: len(todo), write: !w.validateOnly,
		send: func(b *sarama.Broker) (*sarama.CreateTopicsResponse, error) {
			details := make(map[string]*sarama.TopicDetail, len(todo))
			for _, t := range todo {
				entries := make(map[string]*string, len(t.Configs))
				for k, v := range t.Configs {
					entries[k] = &v
				}
				details[t.Name] = &sarama.TopicDetail{
					NumPartitions: t.partitions, ReplicationFactor: t.replicas, ConfigEntries: entries,
				}
			}
			// The broker's own patience ends before ours, so that it can say so.
			patience := w.client.opts.RequestTimeout * 3 / 4
			return b.CreateTopics(sarama.NewCreateTopicsRequest(sarama.MaxVersion, details, patience, w.validateOnly))
		},
		throttle: func(r *sarama.CreateTopicsResponse) time.Duration { return r.ThrottleTime },
	}
}

// settle takes in the answers and gives the topics to send again; each has its present error in place.
func (w *creator) settle(ctx context.Context, b Broker, todo []creation, answer *sarama.CreateTopicsResponse) (again []creation) {
	for _, t := range todo {
		err := creationError(t, answer)
		*t.err = err
		var refused *Error
		if !errors.As(err, &refused) {
			continue
		}
		switch refused.Code {
		case codeThrottlingQuotaExceeded:
			w.retry.extend(w.client)
		case codeNotController:
			w.client.doubt()
		case codeTopicAlreadyExists:
			if w.lost > 0 {
				*t.err = nil
			}
		case codeInvalidPartitions, codeInvalidReplicationFactor, codeInvalidRequest:
			if counted, ok := w.counted(ctx, b, t, answer.Version); ok {
				again = append(again, counted)
			}
		}
		if retriable(refused.Code) && w.retry.left() {
			again = append(again, t)
		}
	}
	return again
}

// creationError converts the answer for one topic.
func creationError(t creation, answer *sarama.CreateTopicsResponse) error {
	e := Topic(t.Name)
	r := answer.TopicErrors[t.Name]
	if r == nil {
		return omitted("CreateTopics", e)
	}
	if r.Err == sarama.ErrNoError {
		return nil
	}
	message := ""
	if r.ErrMsg != nil {
		message = *r.ErrMsg
	}
	return newError(opCreateTopics, e, int16(r.Err), message, keysOf(t.Configs))
}

// readBack finds the topics that exist after an answer was lost; the rest is to be sent again and has cause as its error.
func (w *creator) readBack(ctx context.Context, todo []creation, cause error) (left []creation) {
	names := make([]string, 0, len(todo))
	for _, t := range todo {
		names = append(names, t.Name)
	}
	for i, d := range w.client.describeTopics(ctx, names) {
		if d.Err == nil {
			*todo[i].err = nil
			continue
		}
		*todo[i].err = cause
		left = append(left, todo[i])
	}
	return left
}
