// SPDX-License-Identifier: MPL-2.0

package dataloss_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/dataloss"
)

func TestBelow(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		layers []kafkaapi.Synonym
		want   string
		ok     bool
	}{
		"none":          {},
		"its own alone": {layers: []kafkaapi.Synonym{{Name: "retention.ms", Value: "1", Source: kafkaapi.SourceDynamicTopic}}},
		"the first below its own": {
			layers: []kafkaapi.Synonym{
				{Name: "retention.ms", Value: "1", Source: kafkaapi.SourceDynamicTopic},
				{Name: "log.retention.ms", Value: "2", Source: kafkaapi.SourceDynamicDefaultBroker},
				{Name: "log.retention.ms", Value: "3", Source: kafkaapi.SourceStaticBroker},
			},
			want: "2", ok: true,
		},
		"hours":    {layers: []kafkaapi.Synonym{{Name: "log.retention.hours", Value: "168", Source: kafkaapi.SourceStaticBroker}}, want: "604800000", ok: true},
		"minutes":  {layers: []kafkaapi.Synonym{{Name: "log.retention.minutes", Value: "5", Source: kafkaapi.SourceStaticBroker}}, want: "300000", ok: true},
		"no limit": {layers: []kafkaapi.Synonym{{Name: "log.retention.hours", Value: "-1", Source: kafkaapi.SourceStaticBroker}}, want: "-1", ok: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, ok := dataloss.Below(kafkaapi.Config{Synonyms: test.layers}, kafkaapi.SourceDynamicTopic); got != test.want || ok != test.ok {
				t.Errorf("below is %q, %t, expected %q, %t", got, ok, test.want, test.ok)
			}
		})
	}
}

func TestRetentionOf(t *testing.T) {
	t.Parallel()
	configs := func(ms, minutes, hours string) []kafkaapi.Config {
		return []kafkaapi.Config{
			{Name: "log.retention.hours", Value: hours}, {Name: "log.retention.minutes", Value: minutes}, {Name: "log.retention.ms", Value: ms},
		}
	}
	for name, test := range map[string]struct {
		broker []kafkaapi.Config
		want   string
	}{
		"milliseconds win":   {broker: configs("1", "2", "3"), want: "1"},
		"minutes come next":  {broker: configs("", "2", "3"), want: "120000"},
		"hours are the last": {broker: configs("", "", "168"), want: "604800000"},
		"nothing told":       {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, ok := dataloss.RetentionOf(test.broker); got != test.want || ok != (test.want != "") {
				t.Errorf("retention is %q, %t, expected %q", got, ok, test.want)
			}
		})
	}
}
