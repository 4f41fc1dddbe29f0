// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// layered is a config with its layers, the topmost first.
func layered(name string, layers ...kafkaapi.Synonym) kafkaapi.Config {
	c := kafkaapi.Config{Name: name, Source: kafkaapi.SourceDefault, Synonyms: layers}
	if len(layers) > 0 && layers[0].Name == name {
		c.Value, c.Source = layers[0].Value, layers[0].Source
	}
	return c
}

func layer(name, value string, source kafkaapi.Source) kafkaapi.Synonym {
	return kafkaapi.Synonym{Name: name, Value: value, Source: source}
}

func TestLosses(t *testing.T) {
	t.Parallel()
	const own, whole, static = kafkaapi.SourceDynamicBroker, kafkaapi.SourceDynamicDefaultBroker, kafkaapi.SourceDefault
	hours := layer("log.retention.hours", "168", static)
	others := []kafkaapi.Config{
		layered("log.cleanup.policy", layer("log.cleanup.policy", "compact", static)), layered("log.retention.bytes", layer("log.retention.bytes", "-1", static)),
		{Name: "log.retention.minutes"}, {Name: "log.retention.hours", Value: "168"},
	}
	broker := func(id int32, retention kafkaapi.Config) kafkaapi.EntityConfigs {
		return kafkaapi.EntityConfigs{Entity: kafkaapi.BrokerEntity(id), Configs: append([]kafkaapi.Config{retention}, others...)}
	}
	bare := broker(1, layered(retentionMs, hours))
	inherits := broker(2, layered(retentionMs, layer(retentionMs, "900000000", whole), hours))
	has := broker(3, layered(retentionMs, layer(retentionMs, "1000000000", own), layer(retentionMs, "900000000", whole), hours))
	alone := broker(4, layered(retentionMs, layer(retentionMs, "1000000000", own)))
	set := func(key, value string) configset.Change { return configset.Change{Set: map[string]string{key: value}} }
	reset := configset.Change{Delete: []string{retentionMs}}

	for name, test := range map[string]struct {
		entity  kafkaapi.Entity
		change  configset.Change
		brokers described
		hidden  []string
		want    []string
	}{
		"another key":                     {bare.Entity, set("log.segment.bytes", "1"), described{bare}, nil, nil},
		"below the hours of the default":  {bare.Entity, set(retentionMs, " 1000 "), described{bare}, nil, []string{"log.retention.ms: 604800000 -> 1000"}},
		"raised":                          {bare.Entity, set(retentionMs, "604800001"), described{bare}, nil, nil},
		"the same in another unit":        {bare.Entity, set(retentionMs, "604800000"), described{bare}, nil, nil},
		"no limit any more":               {bare.Entity, set(retentionMs, "-1"), described{bare}, nil, nil},
		"a size at last":                  {bare.Entity, set(retentionBytes, "9"), described{bare}, nil, []string{"log.retention.bytes: -1 -> 9"}},
		"deletion joins compaction":       {bare.Entity, set(cleanupPolicy, "compact,delete"), described{bare}, nil, []string{"log.cleanup.policy: compact -> compact,delete"}},
		"of a broker that another is not": {has.Entity, set(retentionMs, "999999999"), described{bare, inherits, has}, nil, []string{"log.retention.ms: 1000000000 -> 999999999"}},
		"reset to the cluster default":    {has.Entity, reset, described{has}, nil, []string{"log.retention.ms: 1000000000 -> 900000000"}},
		"reset to what is not told":       {alone.Entity, reset, described{alone}, nil, []string{"log.retention.ms: 1000000000 -> the inherited value, which could not be read"}},
		"reset of what is not there":      {inherits.Entity, reset, described{inherits}, nil, nil},
		"hidden":                          {bare.Entity, set(retentionMs, "1000"), described{bare}, []string{retentionMs}, []string{"log.retention.ms: (sensitive value) -> (sensitive value)"}},
		"no number":                       {bare.Entity, set(retentionMs, "week"), described{bare}, nil, nil},
		"the default, where no broker has its own": {
			kafkaapi.ClusterDefault(), set(retentionMs, "1000"), described{bare, inherits, has}, nil,
			[]string{"log.retention.ms: 604800000 -> 1000 (broker 1)", "log.retention.ms: 900000000 -> 1000 (broker 2)"},
		},
		"the default's difference once": {
			kafkaapi.ClusterDefault(), set(retentionBytes, "5"), described{bare, inherits, has}, nil,
			[]string{"log.retention.bytes: -1 -> 5 (broker 1, broker 2, broker 3)"},
		},
		"the default, hidden by every broker": {kafkaapi.ClusterDefault(), set(retentionMs, "1000"), described{has, alone}, nil, nil},
		"the default, reset":                  {kafkaapi.ClusterDefault(), reset, described{bare, inherits, has}, nil, []string{"log.retention.ms: 900000000 -> 604800000 (broker 2)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := losses(entityconfig.Planned{Entity: test.entity, Change: test.change, Hidden: test.hidden}, test.brokers)
			if !slices.Equal(got, test.want) {
				t.Errorf("losses are %q, expected %q", got, test.want)
			}
		})
	}
}
