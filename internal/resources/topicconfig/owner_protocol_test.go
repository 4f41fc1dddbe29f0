// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 16: two resources for one topic are a plan error that names it, whether they exist, are created, or one of each.
func TestTwoOwners(t *testing.T) {
	b := newBench(t, nil)
	config := b.declare(configs{"segment.ms": "3600000"})
	b.tf.Apply(b.resource, config)
	existing := [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}}
	for _, exists := range existing {
		for _, second := range []values{config, b.declare(configs{"segment.ms": "7200000"})} {
			w := b.tf.Walk()
			one, two := b.tf.Resource(typeName), b.tf.Resource(typeName)
			if exists[0] {
				one = b.resource.Copy()
			}
			if exists[1] {
				two = b.resource.Copy()
			}
			w.Plan(one, config).Diagnostics.NoErrors(t)
			got := w.Plan(two, second).Diagnostics.One(t)
			if got.Summary != fmt.Sprintf("Two resources own the configs of topic %q", b.topic) || !strings.Contains(got.Detail, "destroy = false") {
				t.Errorf("%v: %s", exists, got)
			}
		}
	}
}

// Acceptance line 16: a resource that was renamed without a moved block is a create and a destroy of one topic, in either order or at
// once; the topic ends with the declared set, and the destroy says that it reset nothing.
func TestRenamedWithoutMoved(t *testing.T) {
	for _, order := range []string{"create, destroy", "destroy, create", "at once"} {
		t.Run(order, func(t *testing.T) {
			b := newBench(t, nil)
			b.tf.Apply(b.resource, b.declare(configs{"segment.ms": "3600000", "flush.ms": "5000"}))
			renamed := b.tf.Resource(typeName)
			next := configs{"segment.ms": "3600000", "segment.bytes": "1048576"}
			plan := b.tf.Walk()
			destroy, create := plan.Plan(b.resource, nil), plan.Plan(renamed, b.declare(next))
			destroy.Diagnostics.NoErrors(t)
			create.Diagnostics.NoErrors(t)
			if said := create.Diagnostics.String(); !strings.Contains(said, "change their resource") || !strings.Contains(said, "moved block") {
				t.Errorf("The plan does not name the moved block:\n%s", said)
			}
			apply := b.tf.Walk()
			steps := map[string]func() acctest.Diagnostics{
				"create":  func() acctest.Diagnostics { return apply.Apply(create, nil) },
				"destroy": func() acctest.Diagnostics { return apply.Apply(destroy, nil) },
			}
			if order == "at once" {
				var wg sync.WaitGroup
				for _, step := range steps {
					wg.Go(func() {
						if errs := step().Errors(); len(errs) > 0 {
							t.Errorf("%s", errs)
						}
					})
				}
				wg.Wait()
			} else {
				for step := range strings.SplitSeq(order, ", ") {
					said := steps[step]()
					said.NoErrors(t)
					if order == "create, destroy" && step == "destroy" && !strings.Contains(said.OneWarning(t).Detail, "moved block") {
						t.Errorf("The destroy says %s", said)
					}
				}
			}
			b.has(next)
			b.tf.Empty(renamed, b.declare(next))
		})
	}
}

// A destroy that is planned after the create of another owner resets nothing, also where apply does it first.
func TestRenamedResourceHandsOver(t *testing.T) {
	b := newBench(t, nil)
	set := configs{"segment.ms": "3600000", "flush.ms": "5000"}
	b.tf.Apply(b.resource, b.declare(set))
	renamed := b.tf.Resource(typeName)
	plan := b.tf.Walk()
	create := plan.Plan(renamed, b.declare(set))
	create.Diagnostics.NoErrors(t)
	destroy := plan.Plan(b.resource, nil)
	if said := destroy.Diagnostics.OneWarning(t); !strings.Contains(said.Detail, "moved block") {
		t.Errorf("The destroy says %s", said.Detail)
	}
	b.rec.Reset()
	apply := b.tf.Walk()
	if said := apply.Apply(destroy, nil).OneWarning(t); !strings.Contains(said.Summary, "left as they are") {
		t.Errorf("The destroy says %s", said.Summary)
	}
	apply.Apply(create, nil).NoErrors(t)
	if writes := b.rec.Writes(); len(writes) != 0 {
		t.Errorf("%d writes: %s", len(writes), b.rec)
	}
	b.has(set)
}

// Acceptance line 16: another topic is a replacement. The warnings of both halves are in the plan; the former topic is reset, the new
// one gets the set, in either order.
func TestReplacedByAnotherTopic(t *testing.T) {
	for name, createFirst := range map[string]bool{"destroy first": false, "create before destroy": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			other := benchOn(t, b.cluster, configs{"flush.ms": "5000"})
			b.tf.Apply(b.resource, b.declare(configs{"cleanup.policy": "compact"}))
			p := b.tf.Plan(b.resource, declare(other.topic, configs{"segment.ms": "3600000"}))
			if p.Action != acctest.Replace || len(p.Diagnostics.Warnings()) != 2 {
				t.Fatalf("The plan is a %s and says:\n%s", p.Action, p.Diagnostics)
			}
			said := p.Diagnostics.String()
			for _, word := range []string{"may delete data", fmt.Sprintf("Undeclared configs of topic %q", other.topic)} {
				if !strings.Contains(said, word) {
					t.Errorf("%q is not in\n%s", word, said)
				}
			}
			w := b.tf.Walk()
			halves := []func() acctest.Diagnostics{func() acctest.Diagnostics { return w.Destroy(p) }, func() acctest.Diagnostics { return w.Make(p, nil) }}
			if createFirst {
				halves[0], halves[1] = halves[1], halves[0]
			}
			for _, half := range halves {
				half().NoErrors(t)
			}
			b.has(configs{})
			other.has(configs{"segment.ms": "3600000"})
			b.tf.Empty(b.resource, declare(other.topic, configs{"segment.ms": "3600000"}))
		})
	}
}

// Acceptance line 16: a replacement that is forced on a resource whose topic stays is one owner; the topic ends with the declared set in
// either order, and another resource of the same configuration is a second owner all the same.
func TestForcedReplacement(t *testing.T) {
	for name, createFirst := range map[string]bool{"destroy first": false, "create before destroy": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			config := b.declare(configs{"segment.ms": "3600000"})
			b.tf.Apply(b.resource, config)
			p := b.tf.Walk().Replace(b.resource, config)
			p.Diagnostics.NoErrors(t)
			apply := b.tf.Walk()
			if createFirst {
				apply.Make(p, nil).NoErrors(t)
				if got := apply.Destroy(p).OneWarning(t); !strings.Contains(got.Summary, "left as they are") {
					t.Errorf("%s", got)
				}
			} else {
				apply.Apply(p, nil).NoErrors(t)
			}
			b.has(configs{"segment.ms": "3600000"})
			b.tf.Empty(b.resource, config)

			w := b.tf.Walk()
			w.Replace(b.resource, config).Diagnostics.NoErrors(t)
			w.Plan(b.tf.Resource(typeName), config).Diagnostics.One(t)
		})
	}
}

// Acceptance line 16; C-13: a saved plan that is applied after the topic changed does what it showed. A key that someone added since
// is for the next plan to show.
func TestSavedPlanAfterTheTopicChanged(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(configs{"segment.ms": "3600000", "flush.ms": "5000"}))
	next := configs{"segment.ms": "7200000"}
	p := b.tf.Plan(b.resource, b.declare(next))
	planned(t, p, acctest.Update, next)
	b.outside(map[string]any{"segment.ms": "1800000", "flush.ms": nil, "segment.bytes": "1048576"})
	b.tf.ApplyPlan(p).None(t)
	b.wrote(map[string]any{"segment.ms": "7200000", "flush.ms": nil})
	b.has(configs{"segment.ms": "7200000", "segment.bytes": "1048576"})
	planned(t, b.tf.Plan(b.resource, b.declare(next)), acctest.Update, next)
	b.inState(configs{"segment.ms": "7200000", "segment.bytes": "1048576"})
}

// Many resources of a run write side by side, each to its own topic, and each topic has its set.
func TestManyTopicsSideBySide(t *testing.T) {
	t.Parallel()
	cluster := testbed.Shared(t)
	tf := terraform(t, cluster.BootstrapServers()...)
	const n = 8
	benches := make([]bench, n)
	plan := tf.Walk()
	saved := make([]*acctest.Plan, n)
	for i := range benches {
		benches[i] = benchOn(t, cluster, nil)
		benches[i].resource = tf.Resource(typeName)
		saved[i] = plan.Plan(benches[i].resource, benches[i].declare(configs{"segment.ms": fmt.Sprint(3600000 + i)}))
		saved[i].Diagnostics.None(t)
	}
	apply := tf.Walk()
	var wg sync.WaitGroup
	for _, p := range saved {
		wg.Go(func() {
			if diags := apply.Apply(p, nil); len(diags) > 0 {
				t.Errorf("%s", diags)
			}
		})
	}
	wg.Wait()
	for i, b := range benches {
		b.has(configs{"segment.ms": fmt.Sprint(3600000 + i)})
	}
}
