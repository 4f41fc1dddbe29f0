// SPDX-License-Identifier: MPL-2.0

package dataloss

import (
	"strconv"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// Below is what a config falls back to when one of its layers is taken away, from the layers that the broker described with it. ok is
// false where it described no other: of a topic's retention.ms it leaves out a default that is given in hours.
func Below(config kafkaapi.Config, layer kafkaapi.Source) (value string, ok bool) {
	for _, below := range config.Synonyms {
		if below.Source != layer {
			return inMilliseconds(below.Name, below.Value), true
		}
	}
	return "", false
}

// RetentionSettings are the broker's own settings of a topic's retention.ms, first wins.
var RetentionSettings = []string{"log.retention.ms", "log.retention.minutes", "log.retention.hours"}

// RetentionOf finds a broker's retention in milliseconds among its configs. Those that are not set have no value.
func RetentionOf(broker []kafkaapi.Config) (value string, ok bool) {
	values := map[string]string{}
	for _, config := range broker {
		values[config.Name] = config.Value
	}
	for _, setting := range RetentionSettings {
		if value := values[setting]; value != "" {
			return inMilliseconds(setting, value), true
		}
	}
	return "", false
}

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
