// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// validateGrowth has the brokers check the partitions that the plan adds. Not while the topic moves, as the length of the lists that
// Kafka wants is then that of the move; and not without the permission, which the plan may lack.
func validateGrowth(ctx context.Context, kafka Kafka, l live, wanted placement.Assignment) error {
	if len(l.moving) > 0 {
		return nil
	}
	err := grow(ctx, kafka, l, wanted, true)
	if errors.Is(err, kafkaapi.ErrNotAuthorized) {
		return nil
	}
	return err
}

// grow adds the partitions that the topic lacks, with lists of the length that Kafka takes.
func grow(ctx context.Context, kafka Kafka, l live, wanted placement.Assignment, validateOnly bool) error {
	var first error
	for _, length := range growthLengths(l.present) {
		request := growth(l, wanted, length)
		if request == nil {
			return nil
		}
		err := kafka.AlterTopics(ctx, []kafkaapi.TopicAlteration{*request}, validateOnly)[0].Err
		if err == nil || !errors.Is(err, kafkaapi.ErrInvalidLayout) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}
