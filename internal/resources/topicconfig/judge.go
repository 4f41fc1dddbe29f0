// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/dataloss"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// Kafka is what only topics need of a cluster.
type Kafka interface {
	ListConfigs(ctx context.Context, entities []kafkaapi.Entity, opts kafkaapi.ListConfigsOptions) []kafkaapi.EntityConfigs
	ReadConfigs(ctx context.Context, entity kafkaapi.Entity, opts kafkaapi.ListConfigsOptions) kafkaapi.EntityConfigs
	CreateTopics(ctx context.Context, topics []kafkaapi.NewTopic, validateOnly bool) []error
	DescribeTopics(ctx context.Context, names []string) []kafkaapi.TopicDescription
	TopicConfigNames(ctx context.Context) ([]string, error)
}

// judge asks the brokers about topics.
type judge struct {
	kafka Kafka
	run   *entityconfig.Run
}

// Kept: the cluster sets no config of a topic itself.
func (judge) Kept(context.Context, kafkaapi.Entity) ([]string, error) { return nil, nil }

// Validates: every platform seen so far honours validate_only for topics.
func (judge) Validates(context.Context, kafkaapi.Entity, map[string]string) (bool, diag.Diagnostics, error) {
	return true, nil, nil
}

// Lost: an unknown topic is gone.
func (judge) Lost(_ context.Context, _ kafkaapi.Entity, err error) entityconfig.Loss {
	if errors.Is(err, kafkaapi.ErrUnknownTopic) {
		return entityconfig.Gone
	}
	return entityconfig.NotLost
}

// Hint suggests the name that was meant where brokers do not know one.
func (j judge) Hint(ctx context.Context, entity kafkaapi.Entity, key string) string {
	known := j.knownNames(ctx, entity)
	if slices.Contains(known, key) {
		return ""
	}
	if nearest, ok := configset.Nearest(key, known); ok {
		return fmt.Sprintf(" Did you mean %q?", nearest)
	}
	return ""
}

// Confirm: what brokers show of a topic's configs is in force.
func (judge) Confirm(context.Context, kafkaapi.Entity, configset.Change) diag.Diagnostics { return nil }

// knownNames are the names that a broker describes for the topic, or for any where there is no such topic.
func (j judge) knownNames(ctx context.Context, entity kafkaapi.Entity) []string {
	if answer := j.kafka.ListConfigs(ctx, []kafkaapi.Entity{entity}, kafkaapi.ListConfigsOptions{})[0]; answer.Err == nil {
		names := make([]string, 0, len(answer.Configs))
		for _, c := range answer.Configs {
			names = append(names, c.Name)
		}
		return names
	}
	names, err := j.kafka.TopicConfigNames(ctx)
	if err != nil {
		tflog.Debug(ctx, "no names of topic configs to suggest from", map[string]any{"error": err.Error()})
	}
	return names
}

// ValidateAbsent has the brokers check the configs as those of a new topic (CreateTopics with validate_only). Partition count,
// replication factor, permission and the rest are for whoever creates the topic to settle.
func (j judge) ValidateAbsent(ctx context.Context, entity kafkaapi.Entity, configs map[string]string) error {
	err := j.kafka.CreateTopics(ctx, []kafkaapi.NewTopic{{Name: entity.Name, Configs: configs}}, true)[0]
	var refusal *kafkaapi.Error
	if errors.As(err, &refusal) && refusal.CodeName == "INVALID_CONFIG" {
		return err
	}
	if err != nil {
		tflog.Debug(ctx, "the configs of a topic that does not exist yet were not checked", map[string]any{"topic": entity.Name})
	}
	return nil
}

// InspectsFirst: it only warns.
func (judge) InspectsFirst() bool { return false }

// Inspect tells of data that a change may delete, and of an in-sync minimum that producers could never reach.
func (j judge) Inspect(ctx context.Context, planned entityconfig.Planned) diag.Diagnostics {
	diags := j.dataLoss(ctx, planned)
	if text, ok := planned.Change.Set[minInSyncReplicas]; ok {
		diags.Append(j.tooFewReplicas(ctx, planned.Entity.Name, strings.TrimSpace(text))...)
	}
	return diags
}

const minInSyncReplicas = "min.insync.replicas"

func (j judge) dataLoss(ctx context.Context, planned entityconfig.Planned) diag.Diagnostics {
	if !touchesRetention(planned.Change) {
		return nil
	}
	wanted := kafkaapi.ListConfigsOptions{Synonyms: true, Keys: retentionKeys}
	answer := j.kafka.ReadConfigs(ctx, planned.Entity, wanted)
	if answer.Err != nil {
		if errors.Is(answer.Err, kafkaapi.ErrUnknownTopic) {
			return nil
		}
		return diag.Diagnostics{diag.NewWarningDiagnostic(fmt.Sprintf("Topic %q may lose data", planned.Entity.Name),
			"The change touches retention or clean-up, and the values in force could not be read to compare: "+entityconfig.Reason(answer.Err, planned.Secrets))}
	}
	was, will := effective(answer.Configs, configset.Change{}), effective(answer.Configs, planned.Change)
	if will[retentionMs] == dataloss.NotRead {
		will[retentionMs] = j.inheritedRetention(ctx, planned.Entity.Name)
	}
	losses := losses(was, will, planned.Hidden)
	if len(losses) == 0 {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(
		fmt.Sprintf("The change of topic %q may delete data", planned.Entity.Name),
		configset.Scrub("Brokers delete what the new values no longer keep:\n\n  "+strings.Join(losses, "\n  "), planned.Secrets)+
			"\n\nDeleted records do not come back when the values are restored.")}
}

// tooFewReplicas warns where no produce request with acks=all could succeed.
func (j judge) tooFewReplicas(ctx context.Context, topic, minimum string) diag.Diagnostics {
	wanted, err := strconv.Atoi(minimum)
	if err != nil || wanted <= 1 {
		return nil // what is no number the brokers refuse in their own words, and every partition has one replica
	}
	description := j.kafka.DescribeTopics(ctx, []string{topic})[0]
	if description.Err != nil {
		tflog.Debug(ctx, "replica count not known", map[string]any{"topic": topic, "error": description.Err.Error()})
		return nil
	}
	for _, partition := range description.Partitions {
		if replicas := len(partition.Replicas); replicas < wanted {
			return diag.Diagnostics{diag.NewWarningDiagnostic(
				fmt.Sprintf("min.insync.replicas of topic %q is above its replica count", topic),
				fmt.Sprintf("min.insync.replicas = %d, but partition %d has %d replica(s), so producers with acks=all will be refused with NOT_ENOUGH_REPLICAS. "+
					"Raise the replication factor first, or lower min.insync.replicas.", wanted, partition.Partition, replicas))}
		}
	}
	return nil
}
