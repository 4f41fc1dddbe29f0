// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// Search is what FindLeftOvers goes by.
type Search struct {
	Topic string
	// Moving tells of a partition whether it is being moved, by whomever.
	Moving func(partition int32) bool
	// Noted is what the last apply noted in private state.
	Noted reassign.Throttle
	// BytesPerSecond is the rate that is configured now, 0 for none.
	BytesPerSecond int64
}

// FindLeftOvers looks for what earlier runs left on a topic that exists and on the brokers that its entries lead to: entries of partitions
// that do not move, those that were noted, and rates that were noted or are just as configured. Warnings name rates that entries lead to
// and that stay. Without anything left it costs one request, which it shares with others.
func FindLeftOvers(ctx context.Context, kafka ConfigReader, s Search) (left reassign.Throttle, warnings []string, err error) {
	found := readLists(ctx, kafka, []string{s.Topic}, nil)[s.Topic]
	switch {
	case errors.Is(found.err, kafkaapi.ErrNotAuthorized) && s.Noted.Empty(), errors.Is(found.err, errNoKeys), errors.Is(found.err, kafkaapi.ErrUnknownTopic):
		return reassign.Throttle{}, nil, nil
	case found.err != nil:
		return reassign.Throttle{}, nil, fmt.Errorf("the throttle entries of topic %q: %w", s.Topic, found.err)
	}
	atRest := leftEntries(found.lists, s.Moving)
	noted := entries{s.Noted.Leader[s.Topic], s.Noted.Follower[s.Topic]}
	there := found.lists.explicit()
	mine := atRest.with(there.without(there.without(noted)))
	left = reassign.Throttle{Noted: s.Noted.Noted}
	if !mine.empty() {
		left.Leader = map[string][]reassign.Replica{s.Topic: mine[leader]}
		left.Follower = map[string][]reassign.Replica{s.Topic: mine[follower]}
	}
	warnings = findRates(ctx, kafka, s, atRest.brokers(), &left)
	return left, warnings, nil
}

// findRates looks at the brokers that entries at rest lead to, and at those whose rates were noted.
func findRates(ctx context.Context, kafka ConfigReader, s Search, led []int32, left *reassign.Throttle) (warnings []string) {
	noted := map[int32][sides]int64{}
	for _, id := range led {
		noted[id] = [sides]int64{}
	}
	for side, rates := range []map[int32]int64{s.Noted.LeaderRate, s.Noted.FollowerRate} {
		for id, value := range rates {
			of := noted[id]
			of[side] = value
			noted[id] = of
		}
	}
	ids := keysOf(noted)
	found, errs := make([]rates, len(ids)), make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() { found[i], errs[i] = readRates(ctx, kafka, id) })
	}
	all.Wait()
	for i, id := range ids {
		if errs[i] != nil {
			warnings = append(warnings, fmt.Sprintf("Whether broker %d has a replication throttle rate of an earlier apply is not known: %v. To remove one by hand: %s", id, errs[i], removeRates(id)))
			continue
		}
		for side, r := range found[i] {
			value, ours := r.leftBehind(s.BytesPerSecond, noted[id][side])
			switch {
			case ours && side == leader:
				left.LeaderRate = withRate(left.LeaderRate, id, value)
			case ours:
				left.FollowerRate = withRate(left.FollowerRate, id, value)
			case r.set:
				warnings = append(warnings, fmt.Sprintf("Broker %d has a %s of %s. It stays, as it is neither known to be of an earlier apply nor the configured one. To remove it once no moves need it: %s",
					id, rateKeys[side], Speed(r.own), removeRates(id, rateKeys[side])))
			}
		}
	}
	return warnings
}
