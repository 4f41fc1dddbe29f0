// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// elsewhere finds the brokers whose rates moves of others need at the moment, each with one topic that is being moved under a throttle.
// Nothing in Kafka lists all moves that the client library can ask for, so the topics that carry throttle entries are looked for, and then
// their moves listed. ours are moves of this run.
func elsewhere(ctx context.Context, kafka Kafka, ours []reassign.Moving) (map[int32]string, error) {
	names, err := kafka.TopicNames(ctx)
	if err != nil {
		return nil, fmt.Errorf("the names of topics: %w", err)
	}
	carriers := map[string]foundLists{}
	for name, found := range readLists(ctx, kafka, names, nil) {
		switch {
		case errors.Is(found.err, kafkaapi.ErrUnknownTopic), errors.Is(found.err, errNoKeys):
		case found.err != nil, found.lists.carries():
			carriers[name] = found
		}
	}
	of, err := partitionsOf(ctx, kafka, carriers)
	if err != nil {
		return nil, err
	}
	moves, err := kafka.ListReassignments(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("the moves of others: %w", err)
	}
	for _, m := range ours {
		delete(moves[m.Topic], m.Partition)
	}
	return neededBy(carriers, moves), nil
}

// carries tells whether anything of the topic is throttled when it moves.
func (l topicLists) carries() bool { return l.anyAll() || !l.explicit().empty() }

func (l topicLists) anyAll() bool { return l[leader].all || l[follower].all }

// partitionsOf are the partitions to ask after: those that have entries, and all of topics with a "*" or whose lists could not be read.
func partitionsOf(ctx context.Context, kafka Kafka, carriers map[string]foundLists) (kafkaapi.TopicPartitions, error) {
	of := kafkaapi.TopicPartitions{}
	var whole []string
	for _, name := range keysOf(carriers) {
		found := carriers[name]
		if found.err != nil || found.lists.anyAll() {
			whole = append(whole, name)
			continue
		}
		for _, side := range found.lists.explicit() {
			for _, r := range side {
				if !slices.Contains(of[name], r.Partition) {
					of[name] = append(of[name], r.Partition)
				}
			}
		}
	}
	if len(whole) == 0 {
		return of, nil
	}
	for _, d := range kafka.DescribeTopics(ctx, whole) {
		if d.Err != nil && !errors.Is(d.Err, kafkaapi.ErrUnknownTopic) {
			return nil, fmt.Errorf("topic %q: %w", d.Name, d.Err)
		}
		for _, p := range d.Partitions {
			of[d.Name] = append(of[d.Name], p.Partition)
		}
	}
	return of, nil
}

// neededBy are the brokers on which a moving partition is throttled, each with its topic. Where the lists are not known, every broker of the
// move counts.
func neededBy(carriers map[string]foundLists, moves map[string]map[int32]kafkaapi.Reassignment) map[int32]string {
	needed := map[int32]string{}
	for _, name := range keysOf(moves) {
		found := carriers[name]
		for partition, move := range moves[name] {
			ids := found.lists.explicit().where(func(r reassign.Replica) bool { return r.Partition == partition }).brokers()
			if found.err != nil || found.lists.anyAll() {
				ids = move.Replicas
			}
			for _, id := range ids {
				if needed[id] == "" {
					needed[id] = name
				}
			}
		}
	}
	return needed
}
