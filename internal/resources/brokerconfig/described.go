// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// described is what the live brokers say of their configs, in order of their ids.
type described []kafkaapi.EntityConfigs

// describe asks every live broker for its own view. A broker that goes away meanwhile is left out.
func (j judge) describe(ctx context.Context) (described, error) {
	cluster, err := j.kafka.Cluster(ctx)
	if err != nil {
		return nil, err
	}
	entities := make([]kafkaapi.Entity, 0, len(cluster.Brokers))
	for _, broker := range cluster.Brokers {
		entities = append(entities, kafkaapi.BrokerEntity(broker.ID))
	}
	var answers described
	for _, answer := range j.kafka.ListConfigs(ctx, entities, kafkaapi.ListConfigsOptions{Synonyms: true}) {
		switch {
		case answer.Err == nil:
			answers = append(answers, answer)
		case !errors.Is(answer.Err, kafkaapi.ErrBrokerUnavailable):
			return nil, answer.Err
		}
	}
	return answers, nil
}

// types are the value types of all names that any broker knows. What is on a broker without a type is not known to it: brokers
// store every key.
func (d described) types() map[string]configset.Type {
	types := map[string]configset.Type{}
	for _, broker := range d {
		for _, c := range broker.Configs {
			if known := !broker.Entity.Own(c) || c.Type != kafkaapi.TypeUnknown; known {
				types[c.Name] = configset.Type(c.Type)
			}
		}
	}
	return types
}

func (d described) names() []string { return slices.Sorted(maps.Keys(d.types())) }

// find gives a config as one broker describes it.
func find(configs []kafkaapi.Config, name string) (kafkaapi.Config, bool) {
	i := slices.IndexFunc(configs, func(c kafkaapi.Config) bool { return c.Name == name })
	if i < 0 {
		return kafkaapi.Config{}, false
	}
	return configs[i], true
}
