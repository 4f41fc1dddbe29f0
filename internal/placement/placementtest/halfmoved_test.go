// SPDX-License-Identifier: MPL-2.0

package placementtest_test

import (
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"pgregory.net/rapid"
)

// Any subset of the partitions has arrived: the rest goes where it would have gone.
func TestHalfMovedLayoutHasTheSameTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changeGen(9, 20, allModes...).Draw(t, "change")
		want := c.run(t)
		half := c.current.Clone()
		for p := range half {
			if rapid.Bool().Draw(t, "arrived") {
				half[p] = want[p]
			}
		}
		c.current = half
		if got := c.run(t); !got.Equal(want) {
			t.Fatalf("from %v to %v, first meant %v", half, got, want)
		}
	})
}

// New partitions are created first, with the replica count of today, on the first replicas of their target.
func TestAddedPartitionsHaveTheSameTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := brokersGen(1, 9).Draw(t, "cluster")
		now := rapid.IntRange(1, len(brokers)).Draw(t, "rf now")
		target := placement.Target{
			Partitions:        rapid.IntRange(2, 30).Draw(t, "partitions"),
			ReplicationFactor: rapid.IntRange(now, len(brokers)).Draw(t, "rf"),
			Brokers:           brokers,
		}
		ids := idsOf(brokers)
		current := make(placement.Assignment, rapid.IntRange(1, target.Partitions).Draw(t, "now"))
		for p := range current {
			current[p] = slices.Clone(rapid.Permutation(ids).Draw(t, "list")[:now])
		}
		changed, err := placement.Change("t", current, target)
		want := must(t, changed, err)
		half := current.Clone()
		for _, list := range want[len(current):] {
			half = append(half, list[:now])
		}
		changed, err = placement.Change("t", half, target)
		if got := must(t, changed, err); !got.Equal(want) {
			t.Fatalf("from %v to %v, first meant %v", half, got, want)
		}
	})
}
