// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// facts are what the checks of a planned change decide on.
type facts struct {
	live
	wanted placement.Assignment
	// state is the layout that state knows, nil on create.
	state placement.Assignment
	// allowed are the brokers that may hold replicas, nil for all.
	allowed     []int32
	ignoreRacks bool
	// minInSync is the topic's min.insync.replicas, 0 where it is not known; unread says which permission is missing to know it.
	minInSync int
	unread    error
	// sizes are the bytes of one replica of each partition, -1 where not known.
	sizes []int64
	// usable are the usable bytes of the largest volume of each broker, missing where not known.
	usable map[int32]int64
}

// gather asks for what the checks need beyond the layout: little where nothing is copied.
func gather(ctx context.Context, kafka Kafka, l live, wanted, state placement.Assignment, d declaration) (facts, error) {
	f := facts{live: l, wanted: wanted, state: state, allowed: d.allowed, ignoreRacks: d.racks == placement.RacksIgnore, usable: map[int32]int64{}}
	if len(f.fewerReplicas(math.MaxInt)) > 0 {
		var err error
		if f.minInSync, err = minInSync(ctx, kafka, l.topic); errors.Is(err, kafkaapi.ErrNotAuthorized) {
			f.unread = err
		} else if err != nil {
			return f, err
		}
	}
	f.sizes = make([]int64, len(l.targets))
	for p := range f.sizes {
		f.sizes[p] = -1
	}
	sources, destinations := f.copying()
	if len(destinations) > 0 {
		f.measure(kafka.DescribeLogDirs(ctx, l.alive(union(sources, destinations)), kafkaapi.TopicPartitions{l.topic: numbers(len(l.targets))}))
	}
	return f, nil
}

// copying are the brokers that lead partitions of which replicas are copied, and those that receive them.
func (f facts) copying() (sources, destinations []int32) {
	for p := range f.targets {
		added := addedTo(f.present, f.wanted, p)
		if len(added) == 0 {
			continue
		}
		destinations = union(destinations, added)
		if f.leaders[p] >= 0 {
			sources = union(sources, []int32{f.leaders[p]})
		}
	}
	return sources, destinations
}

// measure takes sizes and free space from the brokers' answers. What a broker does not say stays unknown.
func (f *facts) measure(all []kafkaapi.BrokerLogDirs) {
	for _, broker := range all {
		for _, dir := range broker.Dirs {
			if dir.Err != nil {
				continue
			}
			if dir.UsableBytes >= 0 {
				f.usable[broker.Broker] = max(f.usable[broker.Broker], dir.UsableBytes)
			}
			for p, size := range dir.Sizes[f.topic] {
				if int(p) < len(f.sizes) {
					f.sizes[p] = max(f.sizes[p], size)
				}
			}
		}
	}
}

// minInSync reads the topic's min.insync.replicas.
func minInSync(ctx context.Context, kafka Kafka, topic string) (int, error) {
	answer := kafka.ListConfigs(ctx, []kafkaapi.Entity{kafkaapi.Topic(topic)}, kafkaapi.ListConfigsOptions{Keys: []string{"min.insync.replicas"}})[0]
	for _, c := range answer.Configs {
		if c.Name == "min.insync.replicas" {
			if n, err := strconv.Atoi(c.Value); err == nil {
				return n, nil
			}
		}
	}
	return 0, answer.Err
}

// fewerReplicas are the changed partitions, ascending, that are to have less than so many replicas, and less than now.
func (f facts) fewerReplicas(than int) []int {
	return slices.DeleteFunc(f.changed(), func(p int) bool {
		n, before := len(f.wanted[p]), len(listAt(f.targets, p))
		return n >= than || before > 0 && n >= before
	})
}

// changed are the partitions, ascending, whose lists the plan changes or adds.
func (f facts) changed() []int {
	var all []int
	for p, list := range f.wanted {
		if p >= len(f.targets) || !slices.Equal(f.targets[p], list) {
			all = append(all, p)
		}
	}
	return all
}

func listAt(a placement.Assignment, p int) []int32 {
	if p < len(a) {
		return a[p]
	}
	return nil
}

// addedTo are the replicas that partition p has in after and not in before.
func addedTo(before, after placement.Assignment, p int) []int32 {
	return slices.DeleteFunc(slices.Clone(listAt(after, p)), func(id int32) bool { return slices.Contains(listAt(before, p), id) })
}

// union gives the ids of both, sorted and each once.
func union(a, b []int32) []int32 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
