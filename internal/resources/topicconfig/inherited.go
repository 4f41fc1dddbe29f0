// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/dataloss"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// inheritedRetention is the retention.ms of topics that have none of their own, as a broker that leads the topic has it, or [dataloss.NotRead].
func (j judge) inheritedRetention(ctx context.Context, topic string) string {
	description := j.kafka.DescribeTopics(ctx, []string{topic})[0]
	err := description.Err
	for _, partition := range description.Partitions {
		if partition.Leader < 0 {
			continue
		}
		var value string
		if value, err = j.retentionAt(ctx, partition.Leader); err != nil {
			break
		}
		if value != dataloss.NotRead {
			return value
		}
	}
	if err != nil {
		tflog.Debug(ctx, "the inherited retention is not known", map[string]any{"topic": topic, "error": err.Error()})
	}
	return dataloss.NotRead
}

// retentionAt is what a broker keeps where topics say nothing, or [dataloss.NotRead]. It is asked once per run: a thousand topics are
// destroyed with three questions.
func (j judge) retentionAt(ctx context.Context, broker int32) (string, error) {
	return entityconfig.Settle(ctx, j.run, fmt.Sprintf("retention at broker %d", broker), func() (string, error) {
		answer := j.kafka.ListConfigs(ctx, []kafkaapi.Entity{kafkaapi.BrokerEntity(broker)}, kafkaapi.ListConfigsOptions{Keys: dataloss.RetentionSettings})[0]
		value, ok := dataloss.RetentionOf(answer.Configs)
		if !ok {
			value = dataloss.NotRead
		}
		return value, answer.Err
	})
}
