// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// notRead stands for an inherited value that no broker told.
const notRead = "the inherited value, which could not be read"

// inherited is what a topic's config falls back to when it is reset, from the layers that the broker described with it. ok is false
// where it described none: of retention.ms it leaves out a default that is given in hours.
func inherited(config kafkaapi.Config) (value string, ok bool) {
	for _, layer := range config.Synonyms {
		if layer.Source != kafkaapi.SourceDynamicTopic {
			return inMilliseconds(layer.Name, layer.Value), true
		}
	}
	return "", false
}

// retentionSettings are the broker's own settings of a topic's retention.ms, first wins.
var retentionSettings = []string{"log.retention.ms", "log.retention.minutes", "log.retention.hours"}

// inMilliseconds is the value as a topic's config has it: a broker takes its retention in three units.
func inMilliseconds(setting, value string) string {
	const perMinute, perHour = 60_000, 3_600_000
	unit := map[string]int64{"log.retention.minutes": perMinute, "log.retention.hours": perHour}[setting]
	n, err := strconv.ParseInt(value, 10, 64)
	if unit == 0 || err != nil || n < 0 {
		return value
	}
	return strconv.FormatInt(n*unit, 10)
}

// inheritedRetention is the retention.ms of topics that have none of their own, as a broker that leads the topic has it, or [notRead].
func (j judge) inheritedRetention(ctx context.Context, topic string) string {
	description := j.kafka.DescribeTopics(ctx, []string{topic})[0]
	err := description.Err
	for _, partition := range description.Partitions {
		if partition.Leader < 0 {
			continue
		}
		answer := j.kafka.ListConfigs(ctx, []kafkaapi.Entity{kafkaapi.BrokerEntity(partition.Leader)}, kafkaapi.ListConfigsOptions{})[0]
		if err = answer.Err; err != nil {
			break
		}
		if value, ok := retentionOf(answer.Configs); ok {
			return value
		}
	}
	if err != nil {
		tflog.Debug(ctx, "the inherited retention is not known", map[string]any{"topic": topic, "error": err.Error()})
	}
	return notRead
}

// retentionOf finds a broker's retention in milliseconds among its configs. Those that are not set have no value.
func retentionOf(broker []kafkaapi.Config) (value string, ok bool) {
	values := map[string]string{}
	for _, config := range broker {
		values[config.Name] = config.Value
	}
	for _, setting := range retentionSettings {
		if value := values[setting]; value != "" {
			return inMilliseconds(setting, value), true
		}
	}
	return "", false
}
