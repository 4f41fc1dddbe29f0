// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/dataloss"
)

// inheritedRetention is the retention.ms of topics that have none of their own, as a broker that leads the topic has it, or [dataloss.NotRead].
func (j judge) inheritedRetention(ctx context.Context, topic string) string {
	description := j.kafka.DescribeTopics(ctx, []string{topic})[0]
	err := description.Err
	for _, partition := range description.Partitions {
		if partition.Leader < 0 {
			continue
		}
		answer := j.kafka.ListConfigs(ctx, []kafkaapi.Entity{kafkaapi.BrokerEntity(partition.Leader)}, kafkaapi.ListConfigsOptions{Keys: dataloss.RetentionSettings})[0]
		if err = answer.Err; err != nil {
			break
		}
		if value, ok := dataloss.RetentionOf(answer.Configs); ok {
			return value
		}
	}
	if err != nil {
		tflog.Debug(ctx, "the inherited retention is not known", map[string]any{"topic": topic, "error": err.Error()})
	}
	return dataloss.NotRead
}
