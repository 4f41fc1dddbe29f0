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
