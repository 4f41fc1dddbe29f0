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
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

const (
	// ratesTime is how long brokers are given to take rates back before the entries go: one that hangs must not keep them.
	ratesTime = 10 * time.Second
	// goneTime is how long brokers are given to show that entries are gone.
	goneTime = 5 * time.Second
)

// Release takes back what none of the needed moves needs; see reassign.Throttler.
func (t *Throttler) Release(ctx context.Context, needed []reassign.Moving) (warnings []string) {
	brokers, topics := t.unneeded(needed)
	if len(brokers) > 0 {
		warnings = t.releaseRates(ctx, brokers, needed)
	}
	if len(topics) > 0 {
		warnings = append(warnings, t.releaseEntries(ctx, topics)...)
	}
	return warnings
}

// unneeded are the brokers whose rates, and the topics whose entries, can go, ascending. Entries of ended moves of a topic that goes on
// moving are marked as stale.
func (t *Throttler) unneeded(needed []reassign.Moving) (brokers []int32, topics []string) {
	still := map[string]entries{}
	var busy []int32
	for _, m := range needed {
		e := entriesOf(m.Move)
		still[m.Topic] = still[m.Topic].with(e)
		if t.configured > 0 { // where none is configured any more, what earlier runs have set goes at once
			busy = append(busy, e.brokers()...)
		}
	}
	for _, id := range keysOf(t.brokers) {
		b := t.brokers[id]
		waits := b.stuck && b.isSilent() && len(needed) > 0 // it is tried again, at the latest at the end
		if b.ours != [sides]int64{} && !slices.Contains(busy, id) && !waits {
			brokers = append(brokers, id)
		}
	}
	for _, name := range keysOf(t.topics) {
		on := t.topics[name]
		partitions := still[name]
		on.stale = on.ours.where(func(r reassign.Replica) bool { return !partitions.hasPartition(r.Partition) })
		if !on.ours.empty() && partitions.empty() {
			topics = append(topics, name)
		}
	}
	return brokers, topics
}

// releaseRates takes rates back where moves of others do not need them.
func (t *Throttler) releaseRates(ctx context.Context, ids []int32, needed []reassign.Moving) (warnings []string) {
	limit := ratesTime
	if deadline, ok := ctx.Deadline(); ok { // half of the time is for the entries
		limit = min(limit, time.Until(deadline)/2)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	others, err := elsewhere(ctx, t.kafka, needed)
	if err != nil {
		return []string{fmt.Sprintf("The replication throttle rates of brokers %v were left, as it is not known whether moves of others need them: %v. "+
			"The next apply tries again. To remove them by hand: %s", ids, err, removeRates(ids[0]))}
	}
	results, removed := make([]string, len(ids)), make([][sides]int64, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		b := t.brokers[id]
		if topic := others[id]; topic != "" {
			results[i] = fmt.Sprintf("The replication throttle rates of broker %d stay, as a move of topic %q by somebody else needs them. An apply with the same throttle_bytes_per_second takes them "+
				"back when its moves have ended. If they are still there then: %s", id, topic, removeRates(id))
			b.ours = [sides]int64{}
			continue
		}
		all.Go(func() { removed[i], results[i] = releaseRatesOf(ctx, t.kafka, id, b) })
	}
	all.Wait()
	t.giveBack(ctx, ids, removed, needed)
	for i, id := range ids {
		if t.brokers[id].ours == [sides]int64{} {
			delete(t.brokers, id)
		}
		if results[i] != "" {
			warnings = append(warnings, results[i])
		}
	}
	return warnings
}

// giveBack sets rates again that were removed while another run, which relies on them, began to move: it may have read them a moment before.
func (t *Throttler) giveBack(ctx context.Context, ids []int32, removed [][sides]int64, needed []reassign.Moving) {
	if !slices.ContainsFunc(removed, func(r [sides]int64) bool { return r != [sides]int64{} }) {
		return
	}
	others, err := elsewhere(ctx, t.kafka, needed)
	var again []kafkaapi.Alteration
	for i, id := range ids {
		a := kafkaapi.Alteration{Entity: kafkaapi.BrokerEntity(id), Set: map[string]string{}}
		for side, value := range removed[i] {
			if value != 0 && others[id] != "" {
				a.Set[rateKeys[side]] = strconv.FormatInt(value, 10)
			}
		}
		if len(a.Set) > 0 {
			again = append(again, a)
		}
	}
	for _, answer := range t.alter(ctx, again) {
		err = errors.Join(err, answer.Err)
	}
	if err != nil {
		tflog.Warn(ctx, "it is not known whether a run that has just begun needs rates that were removed", map[string]any{"error": err.Error()})
	}
}

// releaseRatesOf takes a broker's rates back unless somebody has changed them meanwhile: then they are somebody's.
func releaseRatesOf(ctx context.Context, kafka Kafka, id int32, b *broker) (removed [sides]int64, warning string) {
	found, err := readRates(ctx, kafka, id)
	a := kafkaapi.Alteration{Entity: kafkaapi.BrokerEntity(id)}
	for side, value := range b.ours {
		switch {
		case err != nil || value == 0 || !found[side].set:
		case found[side].own >= 0 && found[side].own != value:
			warning = fmt.Sprintf("The %s of broker %d is now %s; this run had set %s. It stays, as somebody else changed it. To remove it: %s",
				rateKeys[side], id, Speed(found[side].own), Speed(value), removeRates(id))
		default:
			a.Delete = append(a.Delete, rateKeys[side])
			removed[side] = value
		}
	}
	if err == nil && len(a.Delete) > 0 {
		err = kafka.AlterConfigs(ctx, []kafkaapi.Alteration{a}, false)[0].Err
	}
	if err != nil {
		b.stuck, b.silent = true, time.Now()
		return [sides]int64{}, fmt.Sprintf("The replication throttle rates of broker %d could not be taken back: %v. Without entries that need them they do nothing. An apply that moves replicas "+
			"of this broker takes them back, or do it by hand: %s", id, err, removeRates(id))
	}
	b.ours, b.stuck = [sides]int64{}, false
	if len(a.Delete) > 0 {
		awaitRatesGone(ctx, kafka, id, a.Delete)
	}
	return removed, warning
}

// releaseEntries takes our entries out of the lists as they are now.
func (t *Throttler) releaseEntries(ctx context.Context, names []string) (warnings []string) {
	var alterations []kafkaapi.Alteration
	removed := map[string]entries{}
	for name, found := range readLists(ctx, t.kafka, names, nil) {
		ours := t.topics[name].ours
		if errors.Is(found.err, kafkaapi.ErrUnknownTopic) {
			t.topics[name].released()
			continue
		}
		if found.err != nil {
			warnings = append(warnings, entriesWarning(name, found.err))
			continue
		}
		if a, changes := found.lists.change(name, entries{}, ours); changes {
			alterations = append(alterations, a)
			removed[name] = ours
			continue
		}
		t.topics[name].released()
	}
	for _, answer := range t.alter(ctx, alterations) {
		name := answer.Entity.Name
		if answer.Err != nil && !errors.Is(answer.Err, kafkaapi.ErrUnknownTopic) {
			warnings = append(warnings, entriesWarning(name, answer.Err))
			delete(removed, name)
			continue
		}
		t.topics[name].released()
	}
	if len(removed) > 0 {
		ctx, cancel := context.WithTimeout(ctx, goneTime)
		defer cancel()
		if err := awaitGone(ctx, t.kafka, removed); err != nil {
			tflog.Info(ctx, "removed throttle entries still show", map[string]any{"error": err.Error()})
		}
	}
	slices.Sort(warnings)
	return warnings
}

// released forgets entries that are gone. What brokers could not be reached for stays on account.
func (on *topic) released() { on.ours, on.stale = entries{}, entries{} }

func entriesWarning(topic string, err error) string {
	return fmt.Sprintf("The throttle entries of topic %q could not be removed: %v. The next plan shows them as reassignment_pending, and apply tries again. By hand: %s",
		topic, err, removeEntries(topic))
}
