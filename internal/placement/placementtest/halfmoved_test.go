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

// The same with fenced brokers, which keep what they have and receive nothing.
func TestFencedBrokersReceiveNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := changeGen(9, 20, allModes...).Draw(t, "change")
		spare := len(c.target.Brokers) - c.target.ReplicationFactor
		c.target.Avoid = rapid.Permutation(idsOf(c.target.Brokers)).Draw(t, "fenced")[:rapid.IntRange(0, spare).Draw(t, "n")]
		want := c.run(t)
		half := c.current.Clone()
		for p, list := range want {
			for _, id := range list {
				if slices.Contains(c.target.Avoid, id) && (p >= len(half) || !slices.Contains(half[p], id)) {
					t.Fatalf("partition %d: a replica goes to fenced broker %d: %v", p, id, list)
				}
			}
		}
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

// Where the replica count falls at the same time, new partitions are created with as many replicas as the old ones
// still have: the target and then what a larger replication factor adds.
func TestAddedPartitionsWithSurplusReplicasHaveTheSameTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := brokersGen(2, 9).Draw(t, "cluster")
		now := rapid.IntRange(2, len(brokers)).Draw(t, "rf now")
		target := placement.Target{
			Partitions:        rapid.IntRange(2, 20).Draw(t, "partitions"),
			ReplicationFactor: rapid.IntRange(1, now-1).Draw(t, "rf"),
			Brokers:           brokers,
		}
		current := make(placement.Assignment, rapid.IntRange(1, target.Partitions).Draw(t, "now"))
		for p := range current {
			current[p] = slices.Clone(rapid.Permutation(idsOf(brokers)).Draw(t, "list")[:now])
		}
		changed, err := placement.Change("t", current, target)
		want := must(t, changed, err)
		changed, err = placement.Change("t", want, placement.Target{ReplicationFactor: now, Brokers: brokers})
		larger := must(t, changed, err)
		half := slices.Concat(current, larger[len(current):])
		for p := len(current); p < len(half); p++ {
			if !slices.Equal(half[p][:target.ReplicationFactor], want[p]) {
				t.Fatalf("partition %d: %v does not begin with %v", p, half[p], want[p])
			}
		}
		changed, err = placement.Change("t", half, target)
		if got := must(t, changed, err); !got.Equal(want) {
			t.Fatalf("from %v to %v, first meant %v", half, got, want)
		}
	})
}
