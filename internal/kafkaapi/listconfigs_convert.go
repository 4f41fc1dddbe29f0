// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"fmt"

	"github.com/IBM/sarama"
)

// errOmitted is an answer that says nothing of an entity that was asked for.
var errOmitted = errors.New("the answer leaves it out")

func omitted(request string, e Entity) error {
	return fmt.Errorf("%s of %s: %w", request, e, errOmitted)
}

// configsOf converts an answer of DescribeConfigs: one result for each entity that was asked for, whatever the answer holds.
func configsOf(answer *sarama.DescribeConfigsResponse, asked []Entity) []EntityConfigs {
	byEntity := make(map[Entity]*sarama.ResourceResponse, len(answer.Resources))
	for _, r := range answer.Resources {
		if r != nil {
			byEntity[Entity{Type: EntityType(r.Type), Name: r.Name}] = r
		}
	}
	found := make([]EntityConfigs, 0, len(asked))
	for _, e := range asked {
		r := byEntity[e]
		switch {
		case r == nil:
			found = append(found, EntityConfigs{Entity: e, Err: omitted("DescribeConfigs", e)})
		case r.ErrorCode != codeNone:
			found = append(found, EntityConfigs{Entity: e, Err: newError(opListConfigs, e, r.ErrorCode, r.ErrorMsg, nil)})
		default:
			found = append(found, EntityConfigs{Entity: e, Configs: configs(r.Configs, e, answer.Version)})
		}
	}
	return found
}

func configs(entries []*sarama.ConfigEntry, e Entity, version int16) []Config {
	all := make([]Config, 0, len(entries))
	for _, entry := range entries {
		if entry == nil {
			continue
		}
		cfg := Config{
			Name: entry.Name, Value: entry.Value, Source: Source(entry.Source), Type: ValueType(entry.Type),
			Sensitive: entry.Sensitive, ReadOnly: entry.ReadOnly,
		}
		if version == 0 {
			cfg.Source = sourceByDefault(entry.Default, e)
		}
		if entry.Sensitive {
			cfg.Value = ""
		}
		if entry.Documentation != nil {
			cfg.Documentation = *entry.Documentation
		}
		for _, s := range entry.Synonyms {
			if s != nil {
				cfg.Synonyms = append(cfg.Synonyms, Synonym{Name: s.ConfigName, Value: s.ConfigValue, Source: Source(s.Source)})
			}
		}
		cfg.Stored = stored(cfg, e)
		all = append(all, cfg)
	}
	return all
}

// stored is the text of the entity's own layer, which comes first where there is one. Brokers tell it among the synonyms, verbatim.
func stored(c Config, e Entity) string {
	if !e.Own(c) || c.Sensitive || len(c.Synonyms) == 0 || c.Synonyms[0].Source != c.Source {
		return c.Value
	}
	return c.Synonyms[0].Value
}

// sourceByDefault reads the is_default flag of DescribeConfigs v0, which is the highest version only of 0.11 and 1.0: there it
// tells exactly whether a topic holds a key itself, and of a broker whether its file holds it.
func sourceByDefault(isDefault bool, e Entity) Source {
	switch {
	case isDefault:
		return SourceDefault
	case e.Type == EntityTopic:
		return SourceDynamicTopic
	default:
		return SourceStaticBroker
	}
}
