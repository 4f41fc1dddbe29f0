// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// covering is one call of Cover.
type covering struct {
	*Throttler
	// moves are those that are not given back yet.
	moves []reassign.Moving
	lists map[string]foundLists
	// resumed are brokers of moves that a killed run began under a throttle.
	resumed map[int32]bool
	// kept are brokers that had their rates already.
	kept     map[int32]bool
	failed   map[string]map[int32]error
	warnings []string
}

// Cover throttles moves: one request per hundred topics for the entries, then one per broker for the rates, side by side. See
// reassign.Throttler.
func (t *Throttler) Cover(ctx context.Context, moves []reassign.Moving) (failed map[string]map[int32]error, warnings []string) {
	c := &covering{Throttler: t, moves: slices.Clone(moves), resumed: map[int32]bool{}, kept: map[int32]bool{}, failed: map[string]map[int32]error{}}
	c.drop(func(m reassign.Moving) bool { return len(m.Adding()) == 0 || t.configured == 0 && !m.InFlight })
	if len(c.moves) == 0 {
		return nil, nil
	}
	c.read(ctx)
	c.adopt()
	if t.configured > 0 {
		c.setEntries(ctx)
		c.setRates(ctx)
		c.verify(ctx)
	}
	return c.failed, c.warnings
}

func (c *covering) drop(which func(reassign.Moving) bool) {
	c.moves = slices.DeleteFunc(c.moves, which)
}

// fail gives moves back.
func (c *covering) fail(err error, which func(reassign.Moving) bool) {
	c.drop(func(m reassign.Moving) bool {
		if !which(m) {
			return false
		}
		if c.failed[m.Topic] == nil {
			c.failed[m.Topic] = map[int32]error{}
		}
		c.failed[m.Topic][m.Partition] = err
		return true
	})
}

func (c *covering) failTopic(name string, err error) {
	if isAbsent(err) {
		c.goOnWithout(err, func(m reassign.Moving) bool { return m.Topic == name })
		return
	}
	c.fail(&UnusableError{On: kafkaapi.Topic(name), Err: err}, func(m reassign.Moving) bool { return m.Topic == name })
}

func (c *covering) failBroker(id int32, err error) {
	if isAbsent(err) {
		c.goOnWithout(err, func(m reassign.Moving) bool { return involves(m, id) })
		return
	}
	c.fail(&UnusableError{On: kafkaapi.BrokerEntity(id), Err: err}, func(m reassign.Moving) bool { return involves(m, id) })
}

// goOnWithout leaves moves unthrottled: a platform that has no throttle limits its copies by means of its own. One warning a run says so.
func (c *covering) goOnWithout(err error, which func(reassign.Moving) bool) {
	c.drop(which)
	if !c.toldAbsent {
		c.toldAbsent = true
		c.warnings = append(c.warnings, fmt.Sprintf("Moves are not throttled, whatever throttle_bytes_per_second says: %v. "+
			"Limit the copying by the means of the platform, and remove throttle_bytes_per_second from the provider block.", err))
	}
}

func involves(m reassign.Moving, broker int32) bool {
	return slices.Contains(entriesOf(m.Move).brokers(), broker)
}

// read asks for the lists of the topics.
func (c *covering) read(ctx context.Context) {
	var names []string
	for _, m := range c.moves {
		names = append(names, m.Topic)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	c.lists = readLists(ctx, c.kafka, names, nil)
	for _, name := range names {
		if err := c.lists[name].err; err != nil && c.configured > 0 {
			c.failTopic(name, err)
		}
	}
}

// adopt makes the entries that are there of the moves' partitions our own: whoever set them, nobody needs them when the moves have ended.
func (c *covering) adopt() {
	for _, m := range c.moves {
		there := c.lists[m.Topic].lists.explicit().where(func(r reassign.Replica) bool { return r.Partition == m.Partition })
		if there.empty() {
			continue
		}
		on := c.topic(m.Topic)
		on.own(there)
		if m.InFlight && !on.noted {
			for _, id := range there.brokers() {
				c.resumed[id] = true
			}
		}
	}
}

// setEntries merges the entries of the moves into the lists, and takes those of ended moves out on the way.
func (c *covering) setEntries(ctx context.Context) {
	add := map[string]entries{}
	for _, m := range c.moves {
		add[m.Topic] = add[m.Topic].with(entriesOf(m.Move))
	}
	var alterations []kafkaapi.Alteration
	for _, name := range slices.Sorted(maps.Keys(add)) {
		on, lists := c.topic(name), c.lists[name].lists
		on.own(explicitOf(lists, add[name]))
		if a, changes := lists.change(name, add[name], on.stale); changes {
			alterations = append(alterations, a)
		}
	}
	for _, answer := range c.alter(ctx, alterations) {
		if answer.Err != nil {
			c.failTopic(answer.Entity.Name, answer.Err)
			continue
		}
		on := c.topic(answer.Entity.Name)
		on.ours, on.stale = on.ours.without(on.stale), entries{}
	}
}

// explicitOf are those of the entries that come into being: under a "*" none does.
func explicitOf(lists topicLists, add entries) entries {
	for side := range add {
		if lists[side].all {
			add[side] = nil
		}
	}
	return add
}

func (t *Throttler) alter(ctx context.Context, alterations []kafkaapi.Alteration) []kafkaapi.AlterResult {
	if len(alterations) == 0 {
		return nil
	}
	return t.kafka.AlterConfigs(ctx, alterations, false)
}
