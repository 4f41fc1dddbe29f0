// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance 3; C-66: what no cluster could take is refused by validate, on the list to blame, without a cluster.
func TestInvalidConfigurations(t *testing.T) {
	w := acctest.New(t, values{"bootstrap_servers": []string{"127.0.0.1:1"}}).Start()
	for name, c := range map[string]struct {
		config values
		at     string
		says   []string
	}{
		"duplicate":       {values{"assignment": map[string]any{"0": []any{1, 2, 1}}}, "assignment[0]", []string{"Broker 1 is listed twice"}},
		"empty list":      {values{"assignment": map[string]any{"0": []any{1}, "1": []any{}}}, "assignment[1]", []string{"at least one replica"}},
		"null list":       {values{"assignment": map[string]any{"0": nil}}, "assignment[0]", []string{"at least one replica"}},
		"negative":        {values{"assignment": map[string]any{"0": []any{1, -2}}}, "assignment[0]", []string{"a number from 0 up"}},
		"null broker":     {values{"assignment": map[string]any{"0": []any{nil}}}, "assignment[0]", []string{"a number from 0 up"}},
		"gap":             {values{"assignment": map[string]any{"0": []any{1}, "7": []any{1}}}, "assignment", []string{`no partition "7"`, "0 to 1", "Partition 1 has no list"}},
		"no number":       {values{"assignment": map[string]any{"zero": []any{1}}}, "assignment", []string{"Partition 0 has no list"}},
		"leading zero":    {values{"assignment": map[string]any{"00": []any{1}}}, "assignment", []string{"leading zeros"}},
		"below zero":      {values{"assignment": map[string]any{"-1": []any{1}}}, "assignment", []string{"no partition"}},
		"no partition":    {values{"assignment": map[string]any{}}, "assignment", []string{"at least one partition"}},
		"nothing":         {values{}, "", []string{"at least one of partitions, replication_factor and placement"}},
		"both":            {values{"assignment": map[string]any{"0": []any{1}}, "partitions": 1, "replication_factor": 1}, "assignment", []string{"partitions, replication_factor state", "Delete the lines", "generated has both"}},
		"with placement":  {values{"assignment": map[string]any{"0": []any{1}}, "placement": values{"racks": "ignore"}}, "assignment", []string{"placement"}},
		"racks":           {values{"placement": values{"racks": "some"}}, "placement.racks", []string{"spread", "ignore"}},
		"no brokers":      {values{"placement": values{"brokers": []any{}}}, "placement.brokers", []string{"at least 1"}},
		"null in brokers": {values{"placement": values{"brokers": []any{1, nil}}}, "placement.brokers", []string{"null"}},
		"null check":      {values{"partitions": 1, "skip_checks": []any{nil}}, "skip_checks", []string{"null"}},
		"no partitions":   {values{"partitions": 0}, "partitions", []string{"at least 1"}},
		"no replicas":     {values{"replication_factor": 0}, "replication_factor", []string{"between 1"}},
		"unknown check":   {values{"partitions": 1, "skip_checks": []string{"all"}}, `skip_checks["all"]`, []string{"offline_broker", "internal_topic"}},
		"no topic's name": {values{"topic": "a/b", "partitions": 1}, "topic", []string{"1 to 249"}},
	} {
		t.Run(name, func(t *testing.T) {
			config := c.config
			if config["topic"] == nil {
				config = config.With("topic", "orders")
			}
			e := w.Validate(typeName, config).One(t)
			if e.Path != c.at {
				t.Errorf("It stands at %s, want %s", e.Path, c.at)
			}
			mentions(t, e, c.says...)
		})
	}
	w.Validate(typeName, explicit("orders", lists{{1, 2}, {2, 1}})).None(t)
	w.Validate(typeName, values{"topic": "a.b_C-1", "placement": among(1)}).None(t)
	w.Validate(typeName, values{"topic": acctest.Unknown, "assignment": map[string]any{"0": []any{acctest.Unknown, 1}, "1": acctest.Unknown}}).None(t)
}

// Acceptance 3; C-46: fewer partitions are a plan error, never a replacement, and cannot be skipped. State, create and both modes.
func TestFewerPartitions(t *testing.T) {
	b := newBench(t)
	layout := lists{{1}, {2}, {3}}
	topic := b.topic(layout)
	r := b.imported(topic)
	skip := []string{"offline_broker", "uneven_replication_factor", "min_insync_replicas", "rack_spread", "disk_space", "foreign_reassignment", "internal_topic"}
	for at, config := range map[string]values{
		"partitions": {"topic": topic, "partitions": 2, "skip_checks": skip},
		"assignment": explicit(topic, lists{{1}, {2}}).With("skip_checks", skip),
	} {
		for _, resource := range []*acctest.Resource{r, b.tf.Resource(typeName)} {
			p := b.tf.Plan(resource, config)
			e := p.Diagnostics.One(t)
			mentions(t, e, topic, "3 partitions", "wants 2", "never recreates")
			if p.Action != "" || e.Path != at && resource.Exists() {
				t.Errorf("The plan is a %q with an error at %s, want %s", p.Action, e.Path, at)
			}
		}
	}
	b.quiet()
	b.has(topic, layout)
}

// Acceptance 3; C-48: unknown brokers and impossible numbers are plan errors that name partition, broker and the brokers that exist.
func TestUnknownBrokers(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	r := b.imported(topic)
	config := explicit(topic, lists{{1}, {99}})
	for _, resource := range []*acctest.Resource{r, b.tf.Resource(typeName)} {
		e := b.tf.Plan(resource, config.With("skip_checks", []string{"offline_broker"})).Diagnostics.One(t)
		if e.Path != "assignment[1]" {
			t.Errorf("It stands at %s", e.Path)
		}
		mentions(t, e, topic, "Broker 99 does not exist", "Partition 1", "[1, 2, 3, 4, 5]")
	}
	for at, config := range map[string]values{
		"replication_factor": {"topic": topic, "replication_factor": 6},
		"placement":          {"topic": topic, "placement": among(98, 99)},
	} {
		e := b.tf.Plan(r, config).Diagnostics.One(t)
		if e.Path != at {
			t.Errorf("It stands at %s, want %s", e.Path, at)
		}
		mentions(t, e, topic, "impossible", "partition 0 needs")
	}
	e := b.tf.Plan(r, computed(topic, 2, 3).With("placement", among(4, 5))).Diagnostics.One(t)
	mentions(t, e, "3 replicas", "only 2 brokers", "4, 5")
	mentions(t, b.tf.Plan(r, computed(topic, 2, 3).With("placement", among(4, 5, 99))).Diagnostics.One(t), "names [99]", "brokers are [1, 2, 3, 4, 5]")
	p := b.tf.Plan(r, computed(topic, 2, 2).With("placement", among(1, 2, 99)))
	p.Diagnostics.NoErrors(t)
	mentions(t, warned(t, p.Diagnostics, "Unknown brokers"), topic, "names [99]", "brokers are [1, 2, 3, 4, 5]")
	e = b.tf.Plan(r, values{"topic": topic, "partitions": 2_000_000}).Diagnostics.One(t)
	mentions(t, e, "2000000 partitions")
	if strings.Contains(e.Detail, "fewer replicas") {
		t.Errorf("It advises what does not help: %s", e)
	}
	b.quiet()
}

// C-49: one topic that cannot be placed leaves the plans of the others alone.
func TestOneImpossibleAmongOthers(t *testing.T) {
	b := newBench(t)
	w := b.tf.Walk()
	for i, config := range []values{computed(b.topic(lists{{1}}), 1, 2), computed(b.topic(lists{{1}}), 1, 9), computed(b.topic(lists{{1}}), 1, 3)} {
		p := w.Plan(b.tf.Resource(typeName), config)
		if failed := len(p.Diagnostics.Errors()) > 0; failed != (i == 1) {
			t.Errorf("Plan %d: %s", i, fmt.Sprint(p.Diagnostics))
		}
	}
}
