// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const (
	cleanupPolicy  = "cleanup.policy"
	retentionMs    = "retention.ms"
	retentionBytes = "retention.bytes"
)

func touchesRetention(change configset.Change) bool {
	keys := change.Keys()
	return slices.Contains(keys, cleanupPolicy) || slices.Contains(keys, retentionMs) || slices.Contains(keys, retentionBytes)
}

// losses says what of a topic's data a change lets the brokers delete, one sentence for each key, from the values in force
// before and after. Retention counts only where the topic deletes by it. Of hidden keys no value is shown.
func losses(was, will map[string]string, hidden []string) []string {
	var found []string
	if !deletes(was[cleanupPolicy]) && deletes(will[cleanupPolicy]) {
		found = append(found, difference(cleanupPolicy, was, will, hidden)+": old records are deleted from now on")
	}
	if deletes(will[cleanupPolicy]) {
		for _, key := range []string{retentionMs, retentionBytes} {
			if limit(will[key]) < limit(was[key]) {
				found = append(found, difference(key, was, will, hidden))
			}
		}
	}
	return found
}

func difference(key string, was, will map[string]string, hidden []string) string {
	if slices.Contains(hidden, key) {
		return fmt.Sprintf("%s: %s -> %s", key, configset.Redacted, configset.Redacted)
	}
	return fmt.Sprintf("%s: %s -> %s", key, was[key], will[key])
}

// effective gives the values in force after a change: what it sets, and for what it resets the next layer of the synonyms, or
// [notRead].
func effective(configs []kafkaapi.Config, change configset.Change) map[string]string {
	values := map[string]string{}
	for _, config := range configs {
		values[config.Name] = config.Value
		if slices.Contains(change.Delete, config.Name) {
			values[config.Name] = notRead
			if value, ok := inherited(config); ok {
				values[config.Name] = value
			}
		}
	}
	for key, value := range change.Set {
		values[key] = strings.TrimSpace(value)
	}
	return values
}

func deletes(policy string) bool {
	for item := range strings.SplitSeq(policy, ",") {
		if strings.TrimSpace(item) == "delete" {
			return true
		}
	}
	return false
}

// limit orders retention values: negative ones mean no limit. One that could not be read may be lower than any other. A text that
// is no number is the broker's to refuse.
func limit(text string) int64 {
	if text == notRead {
		return math.MinInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 {
		return math.MaxInt64
	}
	return n
}
