// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/IBM/sarama"
)

// send sends the alterations as one request and gives the answer for each entity that the broker named, nil for a success.
func (w *alterer) send(ctx context.Context, todo []alteration) (map[Entity]error, error) {
	answer, _, err := ask(ctx, w.client, w.incremental(todo))
	if errors.Is(err, ErrUnsupported) {
		return w.sendComplete(ctx, todo)
	}
	if err != nil {
		return nil, err
	}
	answers := outcomes(answer.Resources, todo)
	for _, a := range todo {
		// What offers the request and then does not know it, entity type by entity type.
		if errors.Is(answers[a.Entity], ErrUnsupported) {
			return w.sendComplete(ctx, todo)
		}
	}
	return answers, nil
}

// incremental is IncrementalAlterConfigs: SET for what changes and DELETE, with no value, for what goes.
func (w *alterer) incremental(todo []alteration) question[*sarama.IncrementalAlterConfigsResponse] {
	return question[*sarama.IncrementalAlterConfigsResponse]{
		name: "IncrementalAlterConfigs", target: w.target, entities: len(todo), write: !w.validateOnly, spread: w.spread,
		send: func(b *sarama.Broker) (*sarama.IncrementalAlterConfigsResponse, error) {
			request := &sarama.IncrementalAlterConfigsRequest{Version: 1, ValidateOnly: w.validateOnly}
			for _, a := range todo {
				entries := make(map[string]sarama.IncrementalAlterConfigsEntry, len(a.Set)+len(a.Delete))
				for k, v := range a.Set {
					entries[k] = sarama.IncrementalAlterConfigsEntry{Operation: sarama.IncrementalAlterConfigsOperationSet, Value: &v}
				}
				for _, k := range a.Delete {
					entries[k] = sarama.IncrementalAlterConfigsEntry{Operation: sarama.IncrementalAlterConfigsOperationDelete}
				}
				request.Resources = append(request.Resources, &sarama.IncrementalAlterConfigsResource{
					Type: sarama.ConfigResourceType(a.Entity.Type), Name: a.Entity.Name, ConfigEntries: entries,
				})
			}
			return b.IncrementalAlterConfigs(request)
		},
		throttle: func(r *sarama.IncrementalAlterConfigsResponse) time.Duration { return r.ThrottleTime },
	}
}

// complete is AlterConfigs: the given sets become the entities' whole sets.
func (w *alterer) complete(sets map[Entity]map[string]string) question[*sarama.AlterConfigsResponse] {
	return question[*sarama.AlterConfigsResponse]{
		name: "AlterConfigs", target: w.target, entities: len(sets), write: !w.validateOnly,
		send: func(b *sarama.Broker) (*sarama.AlterConfigsResponse, error) {
			request := &sarama.AlterConfigsRequest{Version: 2, ValidateOnly: w.validateOnly}
			for e, set := range sets {
				entries := make(map[string]*string, len(set))
				for k, v := range set {
					entries[k] = &v
				}
				request.Resources = append(request.Resources, &sarama.AlterConfigsResource{
					Type: sarama.ConfigResourceType(e.Type), Name: e.Name, ConfigEntries: entries,
				})
			}
			return b.AlterConfigs(request)
		},
		throttle: func(r *sarama.AlterConfigsResponse) time.Duration { return r.ThrottleTime },
	}
}

// outcomes converts the answers of both requests; an entity that the answer leaves out is left out here.
func outcomes(resources []*sarama.AlterConfigsResourceResponse, asked []alteration) map[Entity]error {
	keys := make(map[Entity][]string, len(asked))
	for _, a := range asked {
		keys[a.Entity] = a.keys()
	}
	answers := make(map[Entity]error, len(asked))
	for _, r := range resources {
		if r == nil {
			continue
		}
		e := Entity{Type: EntityType(r.Type), Name: r.Name}
		if r.ErrorCode == codeNone {
			answers[e] = nil
			continue
		}
		answers[e] = newError(opAlterConfigs, e, r.ErrorCode, r.ErrorMsg, keys[e])
	}
	return answers
}

func keysOf(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
