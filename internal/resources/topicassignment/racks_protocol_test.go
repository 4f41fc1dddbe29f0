// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance 7; C-56: a broker that is taken out gives its replicas to others, and nothing else moves. One that is added changes nothing.
func TestBrokerTakenOutAndAdded(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {5, 1, 3}, {1, 3, 2}})
	r := b.imported(topic)
	before := listsOf(t, r.State()["assignment"])
	config := values{"topic": topic, "placement": among(1, 3, 4, 5)} // without 2
	p := b.tf.Plan(r, config)
	after := listsOf(t, p.After["assignment"])
	want := map[int32][]int32{}
	for partition, list := range before {
		if slices.Contains(list, 2) {
			want[int32(partition)] = after[partition]
			if kept := slices.DeleteFunc(slices.Clone(list), func(id int32) bool { return id == 2 }); lost(kept, after[partition]) > 0 {
				t.Errorf("Partition %d: %v -> %v moves more than broker 2's replica", partition, list, after[partition])
			}
		} else if !slices.Equal(list, after[partition]) {
			t.Errorf("Partition %d had nothing on broker 2, and %v -> %v", partition, list, after[partition])
		}
	}
	mentions(t, warned(t, p.Diagnostics, "What the new layout"), "3 replicas are copied", "broker 2: 0 B in")
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.sends(want)
	b.has(topic, after)
	// More brokers: what satisfies the declaration stays, with one update that sends nothing.
	b.rec.Reset()
	p = b.tf.Plan(r, values{"topic": topic, "placement": among(1, 2, 3, 4, 5)})
	p.Diagnostics.None(t)
	planned(t, p, acctest.Update, after)
	b.tf.ApplyPlan(p).None(t)
	b.quiet()
}

// lost counts the ids of a that b does not have.
func lost(a, b []int32) int {
	return len(slices.DeleteFunc(slices.Clone(a), func(id int32) bool { return slices.Contains(b, id) }))
}

// rackCase is what a cluster of four brokers should make of its racks.
type rackCase struct {
	racks    map[int]string
	replicas int
	spread   int // racks of each partition
	says     []string
}

// Acceptance 8; C-52, C-53, C-55: no racks at all, brokers without one, two racks: a layout that makes the best of it, and a warning that
// names the brokers without a rack. The brokers of one cluster change their racks.
func TestRacksOfAllKinds(t *testing.T) {
	none := testbed.NoRack
	cluster := testbed.Own(t, testbed.Options{Brokers: 4, SeparateControllers: true, Racks: []string{none, none, none, none}})
	t.Run("none has one", func(t *testing.T) {
		rackCase{nil, 3, 1, []string{"Brokers [1, 2, 3, 4] have no broker.rack", "no broker has one"}}.check(benchOn(t, cluster))
	})
	some := map[int]string{1: "x", 2: "y", 3: "z"}
	setRacks(t, cluster, some)
	t.Run("some without rack", func(t *testing.T) {
		rackCase{some, 3, 3, []string{"Brokers [4] have no broker.rack", "the racks seen are x, y, z", `racks = "ignore"`}}.check(benchOn(t, cluster))
	})
	setRacks(t, cluster, map[int]string{2: "x", 3: "y", 4: "y"})
	t.Run("two racks", func(t *testing.T) {
		rackCase{map[int]string{1: "x", 2: "x", 3: "y", 4: "y"}, 3, 2, nil}.check(benchOn(t, cluster))
	})
	t.Run("a broker joins", func(t *testing.T) { joined(benchOn(t, cluster)) })
}

func (c rackCase) check(b bench) {
	t := b.t
	t.Helper()
	topic := b.topic(lists{{1}, {2}, {3}, {4}})
	r := b.imported(topic)
	config := computed(topic, 4, c.replicas)
	p := b.tf.Plan(r, config)
	got := listsOf(t, p.After["assignment"])
	for partition, list := range got {
		racks := map[string]bool{}
		for _, id := range list {
			racks[c.racks[int(id)]] = true
		}
		if len(list) != c.replicas || len(racks) < c.spread {
			t.Errorf("Partition %d: %v over %d racks", partition, list, len(racks))
		}
	}
	if c.says == nil {
		if len(p.Diagnostics.Warnings()) != 1 {
			t.Errorf("More said than the cost:\n%s", p.Diagnostics)
		}
	} else {
		mentions(t, warned(t, p.Diagnostics, "Replicas of topic"), c.says...)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, got)
	silent := b.tf.Plan(r, config.With("replication_factor", 1).With("placement", values{"racks": "ignore"}))
	for _, d := range silent.Diagnostics {
		if d.Summary == "Replicas of topic \""+topic+"\" are placed without knowing all racks" {
			t.Errorf("racks = \"ignore\" does not silence it: %s", d)
		}
	}
}

// joined is acceptance 16: a broker that joined since the plan changes nothing: what was shown is applied, on a computed layout too.
func joined(b bench) {
	t := b.t
	t.Helper()
	topic := b.topic(lists{{1}, {2}, {3}})
	r := b.imported(topic)
	p := b.tf.Plan(r, values{"topic": topic, "replication_factor": 2})
	p.Diagnostics.NoErrors(t)
	want := listsOf(t, p.After["assignment"])
	if _, err := b.cluster.AddBroker(t.Context(), "z"); err != nil {
		t.Fatal(err)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, want)
	inState(t, r, want, false)
}

// setRacks has brokers stand in other racks.
func setRacks(t testing.TB, cluster *testbed.Cluster, racks map[int]string) {
	t.Helper()
	if err := cluster.SetRacks(context.Background(), racks); err != nil {
		t.Fatalf("Change the racks of brokers: %v", err)
	}
}

// placement.racks = "spread" also moves what is on fewer racks than possible; without it that stays.
func TestSpreadWrittenOut(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 4}, {2, 3}})
	r := b.imported(topic)
	b.tf.Empty(r, computed(topic, 2, 2))
	b.tf.Apply(r, computed(topic, 2, 2).With("placement", values{"racks": "spread"}))
	got := listsOf(t, r.State()["assignment"])
	b.spread(got, 2, 2)
	b.has(topic, got)
	if !slices.Equal(got[1], []int32{2, 3}) {
		t.Errorf("A partition that was spread well became %v", got[1])
	}
}
