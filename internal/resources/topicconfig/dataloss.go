// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"slices"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/dataloss"
)

const (
	cleanupPolicy  = "cleanup.policy"
	retentionMs    = "retention.ms"
	retentionBytes = "retention.bytes"
)

// retentionKeys decide what brokers keep of a topic.
var retentionKeys = []string{cleanupPolicy, retentionMs, retentionBytes}

func touchesRetention(change configset.Change) bool {
	return slices.ContainsFunc(change.Keys(), func(key string) bool { return slices.Contains(retentionKeys, key) })
}

// losses says what of a topic's data a change lets the brokers delete, one sentence for each key, from the values in force
// before and after. Retention counts only where the topic deletes by it. Of hidden keys no value is shown.
func losses(was, will map[string]string, hidden []string) []string {
	var found []string
	if !dataloss.Deletes(was[cleanupPolicy]) && dataloss.Deletes(will[cleanupPolicy]) {
		found = append(found, dataloss.Difference(cleanupPolicy, was, will, hidden)+": old records are deleted from now on")
	}
	if dataloss.Deletes(will[cleanupPolicy]) {
		for _, key := range []string{retentionMs, retentionBytes} {
			if dataloss.Limit(will[key]) < dataloss.Limit(was[key]) {
				found = append(found, dataloss.Difference(key, was, will, hidden))
			}
		}
	}
	return found
}

// effective gives the values in force after a change: what it sets, and for what it resets the next layer of the synonyms, or
// [dataloss.NotRead].
func effective(configs []kafkaapi.Config, change configset.Change) map[string]string {
	values := map[string]string{}
	for _, config := range configs {
		values[config.Name] = config.Value
		if slices.Contains(change.Delete, config.Name) {
			values[config.Name] = dataloss.NotRead
			if value, ok := dataloss.Below(config, kafkaapi.SourceDynamicTopic); ok {
				values[config.Name] = value
			}
		}
	}
	for key, value := range change.Set {
		values[key] = strings.TrimSpace(value)
	}
	return values
}
