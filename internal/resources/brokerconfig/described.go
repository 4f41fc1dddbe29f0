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

// described is what live brokers say of their configs, in order of their ids.
type described []kafkaapi.EntityConfigs

// describe asks the brokers that an entity's configs concern for their own views: a named broker itself, for the cluster default
// every live one. Of several, one that goes away meanwhile is left out.
func (j judge) describe(ctx context.Context, entity kafkaapi.Entity) (described, error) {
	entities := []kafkaapi.Entity{entity}
	if entity == kafkaapi.ClusterDefault() {
		cluster, err := j.kafka.Cluster(ctx)
		if err != nil {
			return nil, err
		}
		entities = nil
		for _, broker := range cluster.Brokers {
			entities = append(entities, kafkaapi.BrokerEntity(broker.ID))
		}
	}
	var answers described
	var away error
	for _, answer := range j.kafka.ListConfigs(ctx, entities, kafkaapi.ListConfigsOptions{Synonyms: true}) {
		switch {
		case answer.Err == nil:
			answers = append(answers, answer)
		case errors.Is(answer.Err, kafkaapi.ErrBrokerUnavailable):
			away = answer.Err
		default:
			return nil, answer.Err
		}
	}
	if len(answers) == 0 {
		return nil, away
	}
	return answers, nil
}

// types are the value types of all names that any of the brokers knows; a secret's is PASSWORD.
func (d described) types() map[string]configset.Type {
	types := map[string]configset.Type{}
	for _, broker := range d {
		for _, c := range broker.Configs {
			if t, known := typeOf(c); known {
				types[c.Name] = t
			}
		}
	}
	return types
}

// typeOf tells whether a broker knows the name of a config that it describes. Brokers store every name, and hide the value of one
// that they do not know, as they do with secrets. Before Kafka 2.6 they tell no types, so that there the two look the same.
func typeOf(c kafkaapi.Config) (t configset.Type, known bool) {
	isSet := c.Source == kafkaapi.SourceDynamicBroker || c.Source == kafkaapi.SourceDynamicDefaultBroker
	switch {
	case c.Type != kafkaapi.TypeUnknown:
		return configset.Type(c.Type), true
	case !c.Sensitive:
		return configset.Unknown, true
	case isSet || slices.Contains(configset.ThrottleKeysOfBrokers(), c.Name):
		return configset.Unknown, false
	default:
		return configset.Password, true
	}
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
