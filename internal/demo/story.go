// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// What the configuration in examples/demo declares, by the topic's name without its prefix.
var declared = configs{
	"orders":   {"cleanup.policy": "compact", "min.insync.replicas": "2"},
	"payments": {"max.message.bytes": "2097152", "min.insync.replicas": "2", "retention.ms": "604800000"},
	"audit":    {"compression.type": "zstd", "retention.ms": "31536000000"},
}

// madeByHand is how the topics are before Terraform knows them.
var madeByHand = configs{
	"orders":   {},
	"payments": {"retention.ms": "604800000"},
	"audit":    {"compression.type": "zstd", "segment.ms": "3600000"},
}

// edit is a change of one config behind Terraform's back.
type edit struct{ topic, key, value string }

// edits: one value that Terraform declared, one key that it did not.
var edits = []edit{
	{"payments", "retention.ms", "3600000"},
	{"orders", "segment.bytes", "1048576"},
}

// refused is a value that no broker takes.
var refused = edit{"payments", "retention.ms", "sixty"}

// story has the steps on running brokers.
func (d *demo) story() []step {
	return []step{
		{"Three topics exist, made by hand", d.makeTopics},
		{"The plan says what Terraform would do, and what it would take away", d.planAdoption},
		{"Apply makes the declared configs the whole set", func(ctx context.Context) error { return d.apply(ctx, d.named(declared)) }},
		{"A second plan shows no changes", d.planNothing},
		{"Somebody changes two topics behind Terraform's back", d.drift},
		{"The plan shows the drift, and nothing else", d.planRepair},
		{"Apply repairs it", d.repair},
		{"The brokers refuse a bad value in the plan, before anything is written", d.planRefused},
	}
}

// named gives the topics their full names.
func (d *demo) named(topics configs) configs {
	named := configs{}
	for topic, set := range topics {
		named[d.prefix+topic] = set
	}
	return named
}

func (d *demo) makeTopics(ctx context.Context) error {
	for _, topic := range slices.Sorted(maps.Keys(madeByHand)) {
		d.say("    %s  {%s}", d.prefix+topic, listing(madeByHand[topic]))
	}
	return d.outsider.create(ctx, d.named(madeByHand))
}

func (d *demo) planAdoption(ctx context.Context) error {
	output, err := d.plan(ctx, planChanges)
	if err != nil {
		return err
	}
	want := map[string]change{}
	for topic, set := range declared {
		want[address(topic)] = change{action: "create", after: set}
	}
	return errors.Join(
		d.wantChanges(ctx, want),
		quotes(output, fmt.Sprintf("Undeclared configs of topic %q will be reset", d.prefix+"audit"), `segment.ms = "3600000"`),
	)
}

func (d *demo) planNothing(ctx context.Context) error {
	_, err := d.plan(ctx, planEmpty)
	return err
}

func (d *demo) drift(ctx context.Context) error {
	after := edited(declared, edits...)
	for _, e := range edits {
		d.say("    %s  %s = %s", d.prefix+e.topic, e.key, e.value)
		if err := d.outsider.set(ctx, d.prefix+e.topic, e.key, e.value); err != nil {
			return err
		}
	}
	return d.outsider.awaitShown(ctx, d.named(after))
}

func (d *demo) planRepair(ctx context.Context) error {
	if _, err := d.plan(ctx, planChanges); err != nil {
		return err
	}
	want := map[string]change{}
	for topic, set := range edited(declared, edits...) {
		if !maps.Equal(set, declared[topic]) {
			want[address(topic)] = change{action: "update", before: set, after: declared[topic]}
		}
	}
	return d.wantChanges(ctx, want)
}

func (d *demo) repair(ctx context.Context) error {
	if err := d.apply(ctx, d.named(declared)); err != nil {
		return err
	}
	d.say("")
	return d.planNothing(ctx)
}

// planRefused wants the very words that the brokers give another client for the same value.
func (d *demo) planRefused(ctx context.Context) error {
	words, err := d.outsider.refusal(ctx, d.prefix+refused.topic, refused.key, refused.value)
	if err != nil {
		return err
	}
	if words == "" {
		return fmt.Errorf("the brokers would take %s = %s", refused.key, refused.value)
	}
	output, err := d.plan(ctx, planRefused, "payments_retention_ms="+refused.value)
	if err != nil {
		return err
	}
	if err := quotes(output, words, address(refused.topic)); err != nil {
		return err
	}
	return d.check(ctx, d.named(declared))
}

// wantChanges wants the saved plan to do exactly this.
func (d *demo) wantChanges(ctx context.Context, want map[string]change) error {
	got, err := d.cli.changes(ctx, planFile)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("the plan does %+v, expected is %+v", got, want)
	}
	return nil
}

func address(topic string) string { return "kafka_topic_config." + topic }

// edited gives the sets as they are after the edits.
func edited(topics configs, edits ...edit) configs {
	after := configs{}
	for topic, set := range topics {
		after[topic] = maps.Clone(set)
	}
	for _, e := range edits {
		after[e.topic][e.key] = e.value
	}
	return after
}
