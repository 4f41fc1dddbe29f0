// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"slices"
	"testing"
)

func names(found EntityConfigs) []string {
	var all []string
	for _, c := range found.Configs {
		all = append(all, c.Name)
	}
	slices.Sort(all)
	return all
}

func TestListConfigsByKeys(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	broker := int32(1)
	for name, test := range map[string]struct {
		entity Entity
		opts   ListConfigsOptions
		want   []string
	}{
		"keys of a topic":               {Topic(topic), ListConfigsOptions{Keys: []string{"retention.ms", "segment.ms"}}, []string{"retention.ms", "segment.ms"}},
		"a key twice":                   {Topic(topic), ListConfigsOptions{Keys: []string{"retention.ms", "retention.ms"}}, []string{"retention.ms"}},
		"a key that topics do not have": {Topic(topic), ListConfigsOptions{Keys: []string{"no.such.key"}}, nil},
		"at a broker, with synonyms":    {Topic(topic), ListConfigsOptions{Keys: []string{"cleanup.policy"}, At: &broker, Synonyms: true}, []string{"cleanup.policy"}},
		"keys of a broker":              {BrokerEntity(broker), ListConfigsOptions{Keys: []string{"log.retention.ms"}}, []string{"log.retention.ms"}},
	} {
		found := client.ListConfigs(ctx, []Entity{test.entity}, test.opts)[0]
		if found.Err != nil || !slices.Equal(names(found), test.want) {
			t.Errorf("%s: got %v, %v; want %v", name, names(found), found.Err, test.want)
		}
	}
}

// One request describes each entity once, so that questions about the same one have to be joined.
func TestKeysOfOneEntityAreJoined(t *testing.T) {
	ctx := testContext(t)
	client, cluster := sharedClient(t)
	topic, other := cluster.UniqueTopic(t, 1, 1), cluster.UniqueTopic(t, 1, 1)
	ask := func(wanted ...listing) []EntityConfigs { return client.listMany(ctx, wanted, ListConfigsOptions{}) }

	found := ask(listing{Topic(topic), []string{"retention.ms"}}, listing{Topic(other), []string{"segment.ms"}}, listing{Topic(topic), []string{"cleanup.policy"}})
	both := []string{"cleanup.policy", "retention.ms"}
	if got := names(found[0]); !slices.Equal(got, both) {
		t.Errorf("the first question is answered with %v, want %v", got, both)
	}
	if got := names(found[1]); !slices.Equal(got, []string{"segment.ms"}) {
		t.Errorf("another topic's question is answered with %v", got)
	}
	if got := names(found[2]); !slices.Equal(got, both) {
		t.Errorf("the last question is answered with %v, want %v", got, both)
	}

	for _, wanted := range [][]listing{
		{{Topic(topic), []string{"retention.ms"}}, {Topic(topic), nil}}, {{Topic(topic), nil}, {Topic(topic), []string{"retention.ms"}}},
	} {
		if got := names(ask(wanted...)[0]); len(got) < 30 {
			t.Errorf("beside a question for all configs only %v came", got)
		}
	}
}
