// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// Kafka is what the engine needs of a cluster; *kafkaapi.Client has it.
type Kafka interface {
	Cluster(ctx context.Context) (kafkaapi.Cluster, error)
	ReadConfigs(ctx context.Context, entity kafkaapi.Entity, opts kafkaapi.ListConfigsOptions) kafkaapi.EntityConfigs
	ListConfigs(ctx context.Context, entities []kafkaapi.Entity, opts kafkaapi.ListConfigsOptions) []kafkaapi.EntityConfigs
	AlterConfigs(ctx context.Context, alterations []kafkaapi.Alteration, validateOnly bool) []kafkaapi.AlterResult
}

// list gives one entity's configs.
func (e *Engine) list(ctx context.Context, entity kafkaapi.Entity, opts kafkaapi.ListConfigsOptions) ([]kafkaapi.Config, error) {
	answer := e.Kafka.ListConfigs(ctx, []kafkaapi.Entity{entity}, opts)[0]
	return answer.Configs, answer.Err
}

// alter sends one entity's change, or with validateOnly only asks for it.
func (e *Engine) alter(ctx context.Context, entity kafkaapi.Entity, change configset.Change, keep map[string]string, validateOnly bool) error {
	alteration := kafkaapi.Alteration{Entity: entity, Set: change.Set, Delete: change.Delete, Keep: keep}
	return e.Kafka.AlterConfigs(ctx, []kafkaapi.Alteration{alteration}, validateOnly)[0].Err
}

// entries says in configset's terms what a broker described.
func entries(entity kafkaapi.Entity, configs []kafkaapi.Config) []configset.Entry {
	all := make([]configset.Entry, 0, len(configs))
	for _, c := range configs {
		all = append(all, configset.Entry{
			Name: c.Name, Value: c.Stored, Hidden: c.Sensitive, Own: entity.Own(c), Type: configset.Type(c.Type),
		})
	}
	return all
}

// own gives the entity's own entries by name.
func own(entity kafkaapi.Entity, configs []kafkaapi.Config) map[string]configset.Entry {
	return configset.Own(entries(entity, configs))
}
