// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// goneTime is how long brokers are given to show that what was removed is gone.
const goneTime = 5 * time.Second

// Release takes back what none of the needed moves needs; see reassign.Throttler.
func (t *Throttler) Release(ctx context.Context, needed []reassign.Moving) (warnings []string) {
	brokers, topics := t.unneeded(needed)
	if len(brokers) > 0 {
		var err error
		if warnings, err = t.releaseRates(ctx, brokers, needed); err != nil {
			// The entries stay with the rates: the next plan shows them, and apply tries both again.
			return []string{fmt.Sprintf("The replication throttle of brokers %s was left, rates and entries, as it is not known whether moves of others need it: %v. The next plan shows it as "+
				"reassignment_pending, and apply tries again. To remove rates by hand: %s", idsText(brokers), err, removeRates(brokers[0], keysWith(t.brokers[brokers[0]].ours)...))}
		}
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
