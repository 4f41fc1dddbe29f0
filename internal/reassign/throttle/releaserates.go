// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// ratesTime is how long brokers are given to take rates back before the entries go: one that hangs must not keep them.
const ratesTime = 10 * time.Second

// releaseRates takes rates back where moves of others do not need them.
func (t *Throttler) releaseRates(ctx context.Context, ids []int32, needed []reassign.Moving) (warnings []string, err error) {
	limit := ratesTime
	if deadline, ok := ctx.Deadline(); ok { // half of the time is for the entries
		limit = min(limit, time.Until(deadline)/2)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	others, err := elsewhere(ctx, t.kafka, needed)
	if err != nil {
		return nil, err
	}
	results, removed := make([]string, len(ids)), make([][sides]int64, len(ids))
	handed := map[string][]int32{}
	var all sync.WaitGroup
	for i, id := range ids {
		b := t.brokers[id]
		if topic := others[id]; topic != "" {
			handed[topic] = append(handed[topic], id)
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
	for _, topic := range keysOf(handed) {
		warnings = append(warnings, fmt.Sprintf("The replication throttle rates of brokers %s stay, as moves by somebody else need them, among them one of topic %q. An apply with the same "+
			"throttle_bytes_per_second takes them back when its moves have ended. If they are still there then: %s", idsText(handed[topic]), topic, removeRates(handed[topic][0])))
	}
	return warnings, nil
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
	var changed []string
	for side, value := range b.ours {
		switch {
		case err != nil || value == 0 || !found[side].set:
		case found[side].own >= 0 && found[side].own != value:
			changed = append(changed, fmt.Sprintf("The %s of broker %d is now %s; this run had set %s. It stays, as somebody else changed it, perhaps another run. To remove it once no moves need it: %s",
				rateKeys[side], id, Speed(found[side].own), Speed(value), removeRates(id, rateKeys[side])))
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
			"of this broker takes them back, or do it by hand: %s", id, err, removeRates(id, keysWith(b.ours)...))
	}
	b.ours, b.stuck = [sides]int64{}, false
	if len(a.Delete) > 0 {
		awaitRatesGone(ctx, kafka, id, a.Delete)
	}
	return removed, strings.Join(changed, "\n") // each ends with a command of its own
}
