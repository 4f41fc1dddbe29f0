// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/IBM/sarama"
	"pgregory.net/rapid"
)

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// maybe draws nil now and then.
func maybe[T any](draw func(*rapid.T) *T) *rapid.Generator[*T] {
	return rapid.Custom(func(t *rapid.T) *T {
		if rapid.IntRange(0, 4).Draw(t, "nil") == 0 {
			return nil
		}
		return draw(t)
	})
}

var (
	anyName   = rapid.SampledFrom([]string{"", "orders", "payments", "1", "x\x00y", "ä"})
	anyCode   = rapid.SampledFrom([]int16{0, 0, 0, -1, 3, 29, 42, 136, 999, -32768})
	anyType   = rapid.SampledFrom([]sarama.ConfigResourceType{2, 4, 8, 16, 32, 0, -1, 127})
	anyText   = rapid.StringN(0, 20, 40)
	anyEntity = rapid.Custom(func(t *rapid.T) Entity {
		return Entity{Type: EntityType(anyType.Draw(t, "type")), Name: anyName.Draw(t, "name")}
	})
	anyEntry = maybe(func(t *rapid.T) *sarama.ConfigEntry {
		e := &sarama.ConfigEntry{
			Name: anyName.Draw(t, "key"), Value: anyText.Draw(t, "value"), Source: sarama.ConfigSource(rapid.Int8().Draw(t, "source")),
			Type: sarama.ConfigType(rapid.Int8().Draw(t, "config type")), Sensitive: rapid.Bool().Draw(t, "sensitive"),
			Default: rapid.Bool().Draw(t, "default"), ReadOnly: rapid.Bool().Draw(t, "read only"),
		}
		if rapid.Bool().Draw(t, "documented") {
			e.Documentation = &e.Value
		}
		if rapid.Bool().Draw(t, "synonym") {
			e.Synonyms = []*sarama.ConfigSynonym{nil, {ConfigName: "s"}}
		}
		return e
	})
)

func TestConfigsOfAnyAnswer(t *testing.T) {
	// C-121: whatever a broker answers, each entity gets one result, and nothing panics.
	rapid.Check(t, func(t *rapid.T) {
		answer := &sarama.DescribeConfigsResponse{
			Version: rapid.Int16Range(0, 5).Draw(t, "version"),
			Resources: rapid.SliceOfN(maybe(func(t *rapid.T) *sarama.ResourceResponse {
				return &sarama.ResourceResponse{
					ErrorCode: anyCode.Draw(t, "code"), ErrorMsg: anyText.Draw(t, "message"), Type: anyType.Draw(t, "type"),
					Name: anyName.Draw(t, "name"), Configs: rapid.SliceOfN(anyEntry, 0, 4).Draw(t, "configs"),
				}
			}), 0, 6).Draw(t, "resources"),
		}
		asked := rapid.SliceOfNDistinct(anyEntity, 0, 5, rapid.ID[Entity]).Draw(t, "asked")
		found := configsOf(answer, asked)
		if len(found) != len(asked) {
			t.Fatalf("%d results for %d entities", len(found), len(asked))
		}
		for i, f := range found {
			if f.Entity != asked[i] || f.Err != nil && f.Configs != nil {
				t.Fatalf("result %d is %+v", i, f)
			}
			if f.Err != nil && f.Err.Error() == "" {
				t.Fatal("an error without words")
			}
			for _, c := range f.Configs {
				if c.Sensitive && c.Value != "" {
					t.Fatalf("a hidden value is shown: %+v", c)
				}
			}
		}
	})
}

func TestTopicsOfAnyAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topic := maybe(func(t *rapid.T) *sarama.TopicMetadata {
			return &sarama.TopicMetadata{
				Err: sarama.KError(anyCode.Draw(t, "code")), Name: anyName.Draw(t, "name"),
				Partitions: rapid.SliceOfN(maybe(func(t *rapid.T) *sarama.PartitionMetadata {
					return &sarama.PartitionMetadata{
						ID: rapid.Int32().Draw(t, "id"), Leader: rapid.Int32().Draw(t, "leader"),
						Replicas: rapid.SliceOfN(rapid.Int32(), 0, 3).Draw(t, "replicas"),
					}
				}), 0, 4).Draw(t, "partitions"),
			}
		})
		answer := maybe(func(t *rapid.T) *sarama.MetadataResponse {
			return &sarama.MetadataResponse{Topics: rapid.SliceOfN(topic, 0, 5).Draw(t, "topics")}
		}).Draw(t, "answer")
		names := rapid.SliceOfNDistinct(anyName, 0, 4, rapid.ID[string]).Draw(t, "names")
		found := topicsOf(answer, names, nil)
		if len(found) != len(names) {
			t.Fatalf("%d results for %d names", len(found), len(names))
		}
		for i, d := range found {
			if d.Name != names[i] || !slices.IsSortedFunc(d.Partitions, func(a, b PartitionDescription) int {
				return cmp.Compare(a.Partition, b.Partition)
			}) {
				t.Fatalf("result %d is %+v", i, d)
			}
		}
	})
}

func TestOutcomesOfAnyAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources := rapid.SliceOfN(maybe(func(t *rapid.T) *sarama.AlterConfigsResourceResponse {
			return &sarama.AlterConfigsResourceResponse{
				ErrorCode: anyCode.Draw(t, "code"), ErrorMsg: anyText.Draw(t, "message"), Type: anyType.Draw(t, "type"), Name: anyName.Draw(t, "name"),
			}
		}), 0, 6).Draw(t, "resources")
		var todo []alteration
		for _, e := range rapid.SliceOfNDistinct(anyEntity, 0, 4, rapid.ID[Entity]).Draw(t, "asked") {
			todo = append(todo, alteration{Alteration{Entity: e, Set: map[string]string{"k": "v"}}, new(error)})
		}
		w := alterer{client: &Client{opts: Options{}}, retry: &retries{}}
		if again := w.settle(todo, outcomes(resources, todo)); len(again) > len(todo) {
			t.Fatalf("%d of %d are to be sent again", len(again), len(todo))
		}
		for _, a := range todo {
			named := slices.ContainsFunc(resources, func(r *sarama.AlterConfigsResourceResponse) bool {
				return r != nil && Entity{EntityType(r.Type), r.Name} == a.Entity
			})
			if !named && !errors.Is(*a.err, errOmitted) {
				t.Fatalf("%s was left out, and its error is %v", a.Entity, *a.err)
			}
		}
	})
}

func TestClusterOfAnyAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := rapid.SliceOfN(maybe(func(t *rapid.T) *sarama.DescribeClusterBroker {
			return &sarama.DescribeClusterBroker{
				BrokerID: rapid.Int32Range(-1, 5).Draw(t, "id"), Host: anyName.Draw(t, "host"), Port: rapid.Int32().Draw(t, "port"),
				IsFenced: rapid.Bool().Draw(t, "fenced"), Rack: maybe(func(*rapid.T) *string { return new(string) }).Draw(t, "rack"),
			}
		}), 0, 5).Draw(t, "brokers")
		cluster, err := clusterOf(&sarama.DescribeClusterResponse{Brokers: brokers})
		if (err == nil) != (len(cluster.Brokers) > 0) {
			t.Fatalf("%d brokers and %v", len(cluster.Brokers), err)
		}
		metadata := &sarama.MetadataResponse{Brokers: []*sarama.Broker{nil, sarama.NewBroker("")}}
		if _, err := clusterOfMetadata(metadata); err != nil {
			t.Fatal(err)
		}
	})
}

func TestIsDefaultOfTheOldestBrokers(t *testing.T) {
	// DescribeConfigs v0 is the highest only of 0.11 and 1.0, and its flag tells what a topic itself holds.
	entries := []*sarama.ConfigEntry{{Name: "a", Default: true}, {Name: "b"}}
	for e, want := range map[Entity]Source{Topic("t"): SourceDynamicTopic, BrokerEntity(1): SourceStaticBroker} {
		got := configs(entries, e, 0)
		if got[0].Source != SourceDefault || got[1].Source != want {
			t.Errorf("%s: %+v", e, got)
		}
	}
}
