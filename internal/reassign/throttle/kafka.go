// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// Kafka is what a throttle needs of a cluster; *kafkaapi.Client has it.
type Kafka interface {
	ConfigReader
	Cluster(ctx context.Context) (kafkaapi.Cluster, error)
	TopicNames(ctx context.Context) ([]string, error)
	DescribeTopics(ctx context.Context, names []string) []kafkaapi.TopicDescription
	ListReassignments(ctx context.Context, of kafkaapi.TopicPartitions) (map[string]map[int32]kafkaapi.Reassignment, error)
	AlterConfigs(ctx context.Context, alterations []kafkaapi.Alteration, validateOnly bool) []kafkaapi.AlterResult
}

// ConfigReader is what it takes to look at throttles.
type ConfigReader interface {
	ListConfigs(ctx context.Context, entities []kafkaapi.Entity, opts kafkaapi.ListConfigsOptions) []kafkaapi.EntityConfigs
}

// errNoKeys: what the platform describes of a topic has no throttled-replica lists.
var errNoKeys = errors.New("this cluster has no replication throttle: topics have no config named " + listKeys[leader])

// foundLists are a topic's lists, or why they are not known.
type foundLists struct {
	lists topicLists
	err   error
}

// readLists asks for the lists of topics, in requests of many; at is the broker that is to answer, nil for any.
func readLists(ctx context.Context, kafka ConfigReader, topics []string, at *int32) map[string]foundLists {
	asked := make([]kafkaapi.Entity, 0, len(topics))
	for _, name := range topics {
		asked = append(asked, kafkaapi.Topic(name))
	}
	all := make(map[string]foundLists, len(topics))
	for _, answer := range kafka.ListConfigs(ctx, asked, kafkaapi.ListConfigsOptions{Keys: listKeys[:], At: at}) {
		all[answer.Entity.Name] = listsOf(answer)
	}
	return all
}

func listsOf(answer kafkaapi.EntityConfigs) foundLists {
	if answer.Err != nil {
		return foundLists{err: answer.Err}
	}
	own, described := map[string]string{}, 0
	for _, c := range answer.Configs {
		if !slices.Contains(listKeys[:], c.Name) {
			continue
		}
		described++
		if answer.Entity.Own(c) {
			own[c.Name] = c.Value
		}
	}
	if described < int(sides) {
		return foundLists{err: errNoKeys}
	}
	lists, err := parseLists(own)
	return foundLists{lists: lists, err: err}
}

// readRates asks a broker for its rates.
func readRates(ctx context.Context, kafka ConfigReader, broker int32) (rates, error) {
	entity := kafkaapi.BrokerEntity(broker)
	answer := kafka.ListConfigs(ctx, []kafkaapi.Entity{entity}, kafkaapi.ListConfigsOptions{Keys: rateKeys[:], Synonyms: true})[0]
	if answer.Err != nil {
		return rates{}, fmt.Errorf("the rates of broker %d: %w", broker, answer.Err)
	}
	return ratesOf(entity, answer.Configs), nil
}
