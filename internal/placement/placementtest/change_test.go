// SPDX-License-Identifier: MPL-2.0

package placementtest_test

import (
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	check "github.com/kafka-layout/terraform-provider-kafka/internal/placement/placementtest"
	"pgregory.net/rapid"
)

// change is a drawn case: any layout, brokers that left among its replicas, and any target.
type change struct {
	topic   string
	current placement.Assignment
	target  placement.Target
}

func (c change) run(t failer) placement.Assignment {
	t.Helper()
	got, err := placement.Change(c.topic, c.current, c.target)
	return must(t, got, err)
}

func (c change) wish() check.Wish {
	return check.Wish{Replicas: c.target.ReplicationFactor, Racks: racksOf(c.target.Brokers), Spread: c.target.Racks == placement.RacksSpread}
}

func changeGen(brokers, partitions int, modes ...placement.RackMode) *rapid.Generator[change] {
	return rapid.Custom(func(t *rapid.T) change {
		cluster := brokersGen(1, brokers).Draw(t, "cluster")
		ids := append(idsOf(cluster), 100, 101) // two brokers that are gone
		n := rapid.IntRange(1, partitions).Draw(t, "current partitions")
		return change{
			topic:   topicGen().Draw(t, "topic"),
			current: layoutGen(ids, n, 4).Draw(t, "current"),
			target: placement.Target{
				Partitions:        n + rapid.IntRange(0, 2).Draw(t, "more partitions"),
				ReplicationFactor: rapid.IntRange(1, len(cluster)).Draw(t, "rf"),
				Brokers:           cluster, Allowed: idsOf(cluster),
				Racks: rapid.SampledFrom(modes).Draw(t, "racks"),
			},
		}
	})
}

var allModes = []placement.RackMode{placement.RacksPrefer, placement.RacksSpread, placement.RacksIgnore}

func TestChangeIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changeGen(10, 30, allModes...).Draw(t, "change")
		before := c.current.Clone()
		got := c.run(t)
		racks := racksOf(c.target.Brokers)
		none(t, "form", check.Malformed(got, racks, c.target.Partitions, c.target.ReplicationFactor))
		if c.target.Racks == placement.RacksSpread {
			none(t, "racks", check.TooFewRacks(got, racks))
		}
		if !placement.Satisfied(got, c.target) {
			t.Fatalf("not satisfied: %v", got)
		}
		if !c.run(t).Equal(got) {
			t.Fatalf("same input, another output")
		}
		if !c.current.Equal(before) {
			t.Fatalf("input changed: %v, was %v", c.current, before)
		}
		c.current = got
		if !c.run(t).Equal(got) {
			t.Fatalf("a satisfied layout changed: %v", got)
		}
	})
}

// C-56: no more copies than the least that brute force finds, in every rack mode.
func TestChangeCopiesTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changeGen(7, 8, allModes...).Draw(t, "change")
		wish := c.wish()
		if c.target.Racks == placement.RacksIgnore {
			for id := range wish.Racks {
				wish.Racks[id] = ""
			}
		}
		got := c.run(t)
		if copies, least := check.Copies(c.current, got), wish.LeastCopies(c.current); copies != least {
			t.Fatalf("%d copies, the least is %d: %v -> %v", copies, least, c.current, got)
		}
	})
}

// Of the layouts with the fewest copies, none is more even.
func TestChangeIsAsEvenAsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changeGen(5, 3, placement.RacksPrefer).Draw(t, "change")
		got := c.run(t)
		racks := racksOf(c.target.Brokers)
		choices, free := make([][][]int32, len(got)), make([]bool, len(got))
		for p, list := range got {
			var old []int32
			if p < len(c.current) {
				old = c.current[p]
			}
			choices[p] = c.wish().Sets(old)
			free[p] = len(old) == 0 || !slices.Contains(list, old[0])
		}
		if least, s := check.LeastSquares(choices, racks), check.Squares(check.Replicas(got, racks)); s != least {
			t.Fatalf("replica squares %d, brute force finds %d: %v -> %v", s, least, c.current, got)
		}
		if least, s := check.LeastLeaderSquares(got, free, racks), check.Squares(check.Leaders(got, racks)); s != least {
			t.Fatalf("leader squares %d, brute force finds %d: %v -> %v", s, least, c.current, got)
		}
	})
}

// What stays keeps its order, and a first replica that may stay is first.
func TestChangeKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changeGen(8, 12, allModes...).Draw(t, "change")
		got := c.run(t)
		for p, old := range c.current {
			mayStay := slices.Contains(c.target.Allowed, old[0])
			if mayStay && got[p][0] != old[0] {
				t.Fatalf("partition %d: leader %d left: %v -> %v", p, old[0], old, got[p])
			}
			if !mayStay {
				continue // a new first replica comes from anywhere in the list
			}
			var last = -1
			for _, id := range got[p] {
				if at := slices.Index(old, id); at >= 0 && at < last {
					t.Fatalf("partition %d: order lost: %v -> %v", p, old, got[p])
				} else if at >= 0 {
					last = at
				}
			}
		}
	})
}

// C-56: taking a broker out moves only what was on it, in its place of the list.
func TestRemovedBrokerMovesOnlyItsReplicas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cluster := brokersGen(4, 10).Draw(t, "cluster")
		current := layoutGen(idsOf(cluster), rapid.IntRange(1, 40).Draw(t, "n"), 3).Draw(t, "current")
		gone := rapid.SampledFrom(idsOf(cluster)).Draw(t, "gone")
		allowed := slices.DeleteFunc(idsOf(cluster), func(id int32) bool { return id == gone })
		moved, err := placement.Change("t", current, placement.Target{Brokers: cluster, Allowed: allowed})
		got := must(t, moved, err)
		for p, old := range current {
			at := slices.Index(old, gone)
			if at < 0 && !slices.Equal(old, got[p]) {
				t.Fatalf("partition %d had nothing on %d: %v -> %v", p, gone, old, got[p])
			}
			if at > 0 {
				want := slices.Clone(old)
				want[at] = got[p][at]
				if !slices.Equal(want, got[p]) || slices.Contains(old, got[p][at]) {
					t.Fatalf("partition %d: more than broker %d replaced: %v -> %v", p, gone, old, got[p])
				}
			}
		}
	})
}

// A partition that satisfies the target alone comes back as it is, whatever the others need.
func TestSatisfiedPartitionsAreUntouched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changeGen(8, 20, allModes...).Draw(t, "change")
		got := c.run(t)
		alone := c.target
		alone.Partitions = 1
		for p, list := range c.current {
			if placement.Satisfied(placement.Assignment{list}, alone) && !slices.Equal(list, got[p]) {
				t.Fatalf("partition %d was fine: %v -> %v", p, list, got[p])
			}
		}
	})
}
