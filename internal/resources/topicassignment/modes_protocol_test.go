// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance 16: between explicit and computed, and attributes taken out of the configuration: no diff where the layout satisfies both.
func TestModeSwitches(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	config := computed(topic, 3, 2).With("placement", among(1, 2, 3))
	r := b.applied(config)
	layout := listsOf(t, r.State()["assignment"])
	b.rec.Reset()
	for name, same := range map[string]values{
		"explicit":               explicit(topic, layout),
		"computed":               computed(topic, 3, 2),
		"without partitions":     {"topic": topic, "replication_factor": 2},
		"without replicas":       {"topic": topic, "partitions": 3},
		"a placement alone":      {"topic": topic, "placement": among(1, 2, 3)},
		"racks that are ignored": {"topic": topic, "placement": values{"racks": "ignore"}},
	} {
		p := b.tf.Plan(r, same)
		p.Diagnostics.None(t)
		for _, attribute := range []string{"assignment", "partitions", "replication_factor", "reassignment_pending"} {
			if !mapsEqual(p.After[attribute], p.Before[attribute]) {
				t.Errorf("%s: %s goes from %v to %v", name, attribute, p.Before[attribute], p.After[attribute])
			}
		}
	}
	b.quiet()
	// Explicit for real, changed, and back to computed: it stays as it is.
	changed := lists{layout[0], layout[1], {5, 3}}
	b.tf.Apply(r, explicit(topic, changed))
	b.has(topic, changed)
	b.tf.Empty(r, computed(topic, 3, 2))
	// Drift of a computed layout that satisfies the declaration is no diff, and of an explicit one it is.
	b.reassign(topic, map[int32][]int32{0: {4, 3}})
	changed[0] = []int32{4, 3}
	b.has(topic, changed)
	b.tf.Empty(r, computed(topic, 3, 2))
	planned(t, b.tf.Plan(r, explicit(topic, lists{layout[0], layout[1], {5, 3}})), acctest.Update, lists{layout[0], layout[1], {5, 3}})
}

// Unknown values leave the layout to apply, on create and on update; what is known by then is planned exactly.
func TestUnknownValues(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	for name, c := range map[string]struct{ unknown, known values }{
		"partitions": {values{"topic": topic, "partitions": acctest.Unknown}, values{"topic": topic, "partitions": 2}},
		"one broker": {values{"topic": topic, "assignment": map[string]any{"0": []any{acctest.Unknown}, "1": []any{2}}}, explicit(topic, lists{{1}, {2}})},
		"one list":   {values{"topic": topic, "assignment": map[string]any{"0": acctest.Unknown, "1": []any{2}}}, explicit(topic, lists{{1}, {2}})},
		"assignment": {values{"topic": topic, "assignment": acctest.Unknown}, explicit(topic, lists{{1}, {2}})},
		"placement":  {values{"topic": topic, "placement": acctest.Unknown}, values{"topic": topic, "placement": among(1, 2)}},
		"one of":     {values{"topic": topic, "placement": among(1).With("brokers", []any{1, acctest.Unknown})}, values{"topic": topic, "placement": among(1, 2)}},
		"racks":      {values{"topic": topic, "placement": values{"racks": acctest.Unknown}}, values{"topic": topic, "placement": values{"racks": "spread"}}},
		"topic":      {values{"topic": acctest.Unknown, "partitions": 2}, values{"topic": topic, "partitions": 2}},
		"wait":       {values{"topic": topic, "partitions": 2, "wait_for_completion": acctest.Unknown}, values{"topic": topic, "partitions": 2, "wait_for_completion": false}},
		"skip":       {values{"topic": topic, "partitions": 2, "skip_checks": acctest.Unknown}, values{"topic": topic, "partitions": 2, "skip_checks": []string{"rack_spread"}}},
	} {
		t.Run(name, func(t *testing.T) {
			tf := b.tf.For(t)
			for _, r := range []*acctest.Resource{tf.Resource(typeName), b.imported(topic)} {
				if name == "topic" && r.Exists() {
					continue
				}
				p := tf.Plan(r, c.unknown)
				p.Diagnostics.NoErrors(t)
				tf.Walk().Apply(p, c.known).NoErrors(t)
				inState(t, r, lists{{1}, {2}}, false)
			}
		})
	}
}

// With an address that is not known yet, creates are planned without the cluster.
func TestUnknownAddress(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	r := b.tf.Resource(typeName)
	known := b.tf.Provider
	b.tf.Provider = values{"bootstrap_servers": acctest.Unknown}
	p := b.tf.Plan(r, explicit(topic, lists{{2}}))
	planned(t, p, acctest.Create, lists{{2}})
	p.Diagnostics.None(t)
	b.tf.Provider = known
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, lists{{2}})
}

// C-137: attributes of the provider's own side plan an update that asks and sends nothing.
func TestOwnSideAttributes(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	config := computed(topic, 2, 1)
	r := b.applied(config)
	for name, value := range map[string]any{
		"timeouts": values{"create": "1h", "update": "2h"}, "skip_checks": []string{"disk_space"}, "wait_for_completion": false, "elect_preferred_leaders": false,
		"placement": values{"racks": "ignore"},
	} {
		p := b.tf.Plan(r, config.With(name, value))
		planned(t, p, acctest.Update, lists{{1}, {2}})
		p.Diagnostics.None(t)
		b.rec.Reset()
		b.tf.ApplyPlan(p).None(t)
		if n := len(b.rec.Requests()); n > 0 {
			t.Errorf("%s: %d requests:\n%s", name, n, b.rec)
		}
	}
}

// Two resources that own one topic's layout are refused at plan, whichever comes first; a forced replacement is one.
func TestTwoOwners(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	config := computed(topic, 2, 1)
	first, second := b.applied(config), b.tf.Resource(typeName)
	w := b.tf.Walk()
	w.Plan(first, config).Diagnostics.None(t)
	mentions(t, w.Plan(second, config).Diagnostics.One(t), "Two resources own the layout", topic)
	w = b.tf.Walk()
	w.Plan(second, config).Diagnostics.NoErrors(t)
	mentions(t, w.Plan(first, config).Diagnostics.One(t), "Two resources own the layout", topic)
	b.tf.Walk().Replace(first, config).Diagnostics.NoErrors(t)
	// A new name of the topic replaces the resource, never the topic.
	other := b.topic(lists{{3}, {4}})
	p := b.tf.Plan(first, computed(other, 2, 1))
	p.Diagnostics.NoErrors(t)
	if p.Action != acctest.Replace {
		t.Fatalf("The plan is a %s", p.Action)
	}
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	inState(t, first, lists{{3}, {4}}, false)
	b.quiet()
	b.has(topic, lists{{1}, {2}})
}
