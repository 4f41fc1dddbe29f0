// SPDX-License-Identifier: MPL-2.0

package placementtest_test

import (
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	check "github.com/kafka-layout/terraform-provider-kafka/internal/placement/placementtest"
	"pgregory.net/rapid"
)

// C-141: check finds nothing in what the functions make, and the same input gives the same output.
func TestRebalanceIsSoundAndStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := brokersGen(4, 10).Draw(t, "cluster")
		ids := append(idsOf(brokers), 100)
		current := layoutGen(ids, rapid.IntRange(1, 40).Draw(t, "n"), 4).Draw(t, "current")
		before := current.Clone()
		balanced, err := placement.Rebalance("t", current, brokers)
		got := must(t, balanced, err)
		racks := racksOf(brokers)
		none(t, "form", check.Malformed(got, racks, len(current), 0))
		none(t, "racks", check.TooFewRacks(got, racks))
		for p := range current {
			if len(got[p]) != len(current[p]) {
				t.Fatalf("partition %d: replica count changed: %v -> %v", p, current[p], got[p])
			}
		}
		if !current.Equal(before) {
			t.Fatalf("input changed")
		}
		balanced, err = placement.Rebalance("t", got, brokers)
		if again := must(t, balanced, err); !again.Equal(got) {
			t.Fatalf("an even layout changed: %v -> %v", got, again)
		}
	})
}

func TestRebalanceIsWithinOneOverEvenRacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := evenBrokersGen().Draw(t, "cluster")
		rf := rapid.IntRange(1, min(4, len(brokers))).Draw(t, "rf")
		current := make(placement.Assignment, rapid.IntRange(1, 60).Draw(t, "n"))
		for p := range current {
			current[p] = slices.Clone(rapid.Permutation(idsOf(brokers)).Draw(t, "list")[:rf])
		}
		balanced, err := placement.Rebalance("t", current, brokers)
		got := must(t, balanced, err)
		if gap := check.Gap(check.Replicas(got, racksOf(brokers))); gap > 1 {
			t.Fatalf("replica gap %d", gap)
		}
		if gap := check.Gap(check.Leaders(got, racksOf(brokers))); gap > 1 {
			t.Fatalf("leader gap %d", gap)
		}
	})
}

// Without racks, replicas move no more than the surplus of the brokers that have too many.
func TestRebalanceMovesOnlyTheSurplus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := brokersGen(4, 8).Draw(t, "cluster")
		for i := range brokers {
			brokers[i].Rack = ""
		}
		current := layoutGen(idsOf(brokers), rapid.IntRange(1, 30).Draw(t, "n"), 3).Draw(t, "current")
		balanced, err := placement.Rebalance("t", current, brokers)
		got := must(t, balanced, err)
		before, after := check.Replicas(current, racksOf(brokers)), check.Replicas(got, racksOf(brokers))
		surplus := 0
		for id, n := range before {
			surplus += max(0, n-after[id])
		}
		if copies := check.Copies(current, got); copies != surplus {
			t.Fatalf("%d copies, the surplus is %d: %v -> %v", copies, surplus, current, got)
		}
	})
}

// On small uneven clusters, nothing that brute force finds is more even.
func TestRebalanceIsAsEvenAsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := brokersGen(3, 5).Draw(t, "cluster")
		rf := rapid.IntRange(1, 3).Draw(t, "rf")
		current := make(placement.Assignment, rapid.IntRange(1, 4).Draw(t, "n"))
		choices, free := make([][][]int32, len(current)), make([]bool, len(current))
		racks := racksOf(brokers)
		for p := range current {
			current[p] = slices.Clone(rapid.Permutation(idsOf(brokers)).Draw(t, "list")[:rf])
			choices[p], free[p] = check.Wish{Replicas: rf, Racks: racks}.Spreads(), true
		}
		balanced, err := placement.Rebalance("t", current, brokers)
		got := must(t, balanced, err)
		if least, s := check.LeastSquares(choices, racks), check.Squares(check.Replicas(got, racks)); s != least {
			t.Fatalf("replica squares %d, brute force finds %d: %v -> %v", s, least, current, got)
		}
		if least, s := check.LeastLeaderSquares(got, free, racks), check.Squares(check.Leaders(got, racks)); s != least {
			t.Fatalf("leader squares %d, brute force finds %d: %v -> %v", s, least, current, got)
		}
	})
}
