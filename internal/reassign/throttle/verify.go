// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/poll"
)

// Brokers show a write within milliseconds, some of Kafka 3.9 and 4.0 half a second late.
const (
	firstPause = 2 * time.Millisecond
	lastPause  = 250 * time.Millisecond
	// showTime is how long a broker is given to show what was accepted.
	showTime = 15 * time.Second
)

// verify reads back, at every broker that is to hold to it, the entries of its moves and its rates.
func (c *covering) verify(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, showTime)
	defer cancel()
	ids := involved(c.moves)
	errs := make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		b := c.broker(id)
		if b.isSilent() {
			continue
		}
		wanted := map[string]entries{}
		for _, m := range c.moves {
			if involves(m, id) {
				wanted[m.Topic] = wanted[m.Topic].with(entriesOf(m.Move))
			}
		}
		want, kept := b.ours, c.kept[id]
		all.Go(func() {
			if errs[i] = awaitEntries(ctx, c.kafka, id, wanted); errs[i] == nil {
				errs[i] = awaitRates(ctx, c.kafka, id, want, kept)
			}
		})
	}
	all.Wait()
	for i, id := range ids {
		switch {
		case errors.Is(errs[i], kafkaapi.ErrBrokerUnavailable):
			c.skip(id, errs[i])
		case errs[i] != nil:
			c.failBroker(id, errs[i])
		}
	}
}

// awaitEntries polls a broker until it shows the entries.
func awaitEntries(ctx context.Context, kafka ConfigReader, id int32, wanted map[string]entries) error {
	names := keysOf(wanted)
	return await(ctx, fmt.Sprintf("broker %d to show the throttled replicas that were set", id), func() (bool, error) {
		var left []string
		for name, found := range readLists(ctx, kafka, names, &id) {
			switch {
			case errors.Is(found.err, kafkaapi.ErrUnknownTopic): // a new topic that it has not heard of, or one that was deleted: the submit tells
				left = append(left, name)
			case found.err != nil:
				return false, found.err
			case !found.lists.cover(wanted[name]):
				left = append(left, name)
			}
		}
		names = left
		return len(left) == 0, nil
	})
}

// awaitRates polls a broker until it shows the rates that are to be there; those that are 0 are none of ours. Where they were there already
// and are gone, another run has just taken them for its own: they are set again.
func awaitRates(ctx context.Context, kafka Kafka, id int32, wanted [sides]int64, kept bool) error {
	if wanted == [sides]int64{} {
		return nil
	}
	return await(ctx, fmt.Sprintf("broker %d to show the rates that were set", id), func() (bool, error) {
		found, err := readRates(ctx, kafka, id)
		if err != nil {
			return false, err
		}
		missing := kafkaapi.Alteration{Entity: kafkaapi.BrokerEntity(id), Set: map[string]string{}}
		for side, value := range wanted {
			// Kafka before 2.6 hides the values of these keys, and shows that they are set.
			if value != 0 && (!found[side].set || found[side].own >= 0 && found[side].own != value) {
				missing.Set[rateKeys[side]] = strconv.FormatInt(value, 10)
			}
		}
		if kept && len(missing.Set) > 0 {
			kept = false
			err = kafka.AlterConfigs(ctx, []kafkaapi.Alteration{missing}, false)[0].Err
		}
		return len(missing.Set) == 0, err
	})
}

// awaitRatesGone polls a broker until it does not show rates of its own that were deleted: brokers tell of their own configs with a delay.
func awaitRatesGone(ctx context.Context, kafka ConfigReader, id int32, keys []string) {
	ctx, cancel := context.WithTimeout(ctx, goneTime)
	defer cancel()
	err := await(ctx, fmt.Sprintf("broker %d to show that its rates are gone", id), func() (bool, error) {
		found, err := readRates(ctx, kafka, id)
		for side, key := range rateKeys {
			if found[side].set && slices.Contains(keys, key) {
				return false, err
			}
		}
		return true, err
	})
	if err != nil {
		tflog.Info(ctx, "removed throttle rates still show", map[string]any{"broker": id, "error": err.Error()})
	}
}

// await says what was waited for where the time is over.
func await(ctx context.Context, what string, done func() (bool, error)) error {
	err := poll.Until(ctx, firstPause, lastPause, done)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("waiting for %s: %w", what, context.Cause(ctx))
	}
	return err
}

// awaitGone polls the live brokers until none of them shows entries that were removed, so that a plan right after does not see them.
func awaitGone(ctx context.Context, kafka Kafka, removed map[string]entries) error {
	cluster, err := kafka.Cluster(ctx)
	if err != nil {
		return err
	}
	errs := make([]error, len(cluster.Brokers))
	var all sync.WaitGroup
	for i, b := range cluster.Brokers {
		all.Go(func() {
			errs[i] = await(ctx, fmt.Sprintf("broker %d to show that throttled replicas are gone", b.ID), func() (bool, error) {
				for name, found := range readLists(ctx, kafka, keysOf(removed), &b.ID) {
					if found.err == nil && found.lists.explicit().shares(removed[name]) {
						return false, nil
					}
				}
				return true, nil
			})
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
