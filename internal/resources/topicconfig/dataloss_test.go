// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

func TestLosses(t *testing.T) {
	t.Parallel()
	own := func(name, value, inherited string) kafkaapi.Config {
		return kafkaapi.Config{Name: name, Value: value, Synonyms: []kafkaapi.Synonym{
			{Name: name, Value: value, Source: kafkaapi.SourceDynamicTopic}, {Name: name, Value: inherited, Source: kafkaapi.SourceDefault},
		}}
	}
	atDefault := func(name, value string) kafkaapi.Config { return kafkaapi.Config{Name: name, Value: value} }
	aloneWith := func(name, value string) kafkaapi.Config {
		return kafkaapi.Config{Name: name, Value: value, Synonyms: []kafkaapi.Synonym{{Name: name, Value: value, Source: kafkaapi.SourceDynamicTopic}}}
	}
	deletes := []kafkaapi.Config{atDefault("cleanup.policy", "delete"), own("retention.ms", "2000", "1000"), atDefault("retention.bytes", "-1")}
	compacts := []kafkaapi.Config{own("cleanup.policy", "compact", "delete"), own("retention.ms", "2000", "1000"), atDefault("retention.bytes", "-1")}
	for name, test := range map[string]struct {
		before []kafkaapi.Config
		change configset.Change
		hidden []string
		want   []string
	}{
		"nothing changes":   {before: deletes},
		"retention falls":   {before: deletes, change: configset.Change{Set: map[string]string{"retention.ms": " 500 "}}, want: []string{"retention.ms: 2000 -> 500"}},
		"retention rises":   {before: deletes, change: configset.Change{Set: map[string]string{"retention.ms": "5000"}}},
		"no limit any more": {before: deletes, change: configset.Change{Set: map[string]string{"retention.ms": "-1"}}},
		"a limit at last":   {before: deletes, change: configset.Change{Set: map[string]string{"retention.bytes": "9"}}, want: []string{"retention.bytes: -1 -> 9"}},
		"a reset inherits":  {before: deletes, change: configset.Change{Delete: []string{"retention.ms"}}, want: []string{"retention.ms: 2000 -> 1000"}},
		"a reset inherits what is not told": {
			before: []kafkaapi.Config{atDefault("cleanup.policy", "delete"), aloneWith("retention.ms", "2000")},
			change: configset.Change{Delete: []string{"retention.ms"}},
			want:   []string{"retention.ms: 2000 -> the inherited value, which could not be read"},
		},
		"a compacted topic does not delete by retention": {before: compacts, change: configset.Change{Set: map[string]string{"retention.ms": "500"}}},
		"compaction ends": {
			before: compacts, change: configset.Change{Delete: []string{"cleanup.policy"}},
			want: []string{"cleanup.policy: compact -> delete: old records are deleted from now on"},
		},
		"deletion joins compaction": {
			before: compacts, change: configset.Change{Set: map[string]string{"cleanup.policy": "compact , delete"}},
			want: []string{"cleanup.policy: compact -> compact , delete: old records are deleted from now on"},
		},
		"no number is the brokers' to refuse": {before: deletes, change: configset.Change{Set: map[string]string{"retention.ms": "sixty"}}},
		"a hidden key shows neither value": {
			before: deletes, change: configset.Change{Set: map[string]string{"retention.ms": "500"}}, hidden: []string{"retention.ms"},
			want: []string{"retention.ms: (sensitive value) -> (sensitive value)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := losses(effective(test.before, configset.Change{}), effective(test.before, test.change), test.hidden); !slices.Equal(got, test.want) {
				t.Errorf("losses are %q, expected %q", got, test.want)
			}
		})
	}
}

func TestInherited(t *testing.T) {
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
			if got, ok := inherited(kafkaapi.Config{Synonyms: test.layers}); got != test.want || ok != test.ok {
				t.Errorf("inherited is %q, %t, expected %q, %t", got, ok, test.want, test.ok)
			}
		})
	}
}

func TestRetentionOfBroker(t *testing.T) {
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
			if got, ok := retentionOf(test.broker); got != test.want || ok != (test.want != "") {
				t.Errorf("retention is %q, %t, expected %q", got, ok, test.want)
			}
		})
	}
}
