// SPDX-License-Identifier: MPL-2.0

package placementtest_test

import (
	"testing"

	check "github.com/kafka-layout/terraform-provider-kafka/internal/placement/placementtest"
)

var threeRacks = map[int32]string{1: "a", 2: "b", 3: "c", 4: "a", 5: "b", 6: "c"}

// The checker must see planted faults before anybody believes its silence.
func TestCheckerFindsPlantedFaults(t *testing.T) {
	sound := [][]int32{{1, 2, 3}, {2, 3, 4}, {6, 4, 5}}
	twoRacks := map[int32]string{1: "a", 2: "a", 3: "a", 4: "b", 5: "b"}
	for _, c := range []struct {
		name string
		got  []string
		want int
	}{
		{"sound: form", check.Malformed(sound, threeRacks, 3, 3), 0},
		{"sound: racks", check.TooFewRacks(sound, threeRacks), 0},
		{"sound: even racks", check.UnevenRacks(sound, threeRacks), 0},
		{"partition missing", check.Malformed(sound[:2], threeRacks, 3, 3), 1},
		{"replica missing", check.Malformed([][]int32{{1, 2}}, threeRacks, 1, 3), 1},
		{"empty list, any number", check.Malformed([][]int32{{}}, threeRacks, 1, 0), 1},
		{"broker twice", check.Malformed([][]int32{{1, 2, 1}}, threeRacks, 1, 3), 1},
		{"broker unknown", check.Malformed([][]int32{{1, 2, 99}}, threeRacks, 1, 3), 1},
		{"two in one rack", check.TooFewRacks([][]int32{{1, 4, 2}}, threeRacks), 1},
		{"all in one rack", check.TooFewRacks([][]int32{{1, 2}, {1, 4}}, twoRacks), 1},
		{"3 + 1 over two racks", check.UnevenRacks([][]int32{{1, 2, 3, 4}}, twoRacks), 1},
		{"3 + 2 where the other rack is full", check.UnevenRacks([][]int32{{1, 2, 3, 4, 5}}, twoRacks), 0},
	} {
		if len(c.got) != c.want {
			t.Errorf("%s: %v, want %d findings", c.name, c.got, c.want)
		}
	}
}

func TestCheckerCounts(t *testing.T) {
	layout := [][]int32{{1, 2}, {1, 3}, {1, 2}}
	racks := map[int32]string{1: "", 2: "", 3: "", 4: ""}
	if got := check.Gap(check.Replicas(layout, racks)); got != 3 {
		t.Errorf("replica gap %d, want 3 (broker 4 has none)", got)
	}
	if got := check.Gap(check.Leaders(layout, racks)); got != 3 {
		t.Errorf("leader gap %d, want 3", got)
	}
	if got := check.Squares(check.Replicas(layout, racks)); got != 9+4+1 {
		t.Errorf("squares %d, want 14", got)
	}
	if got := check.Copies(layout, [][]int32{{2, 1}, {1, 4}, {3, 4}, {1, 2}}); got != 3 {
		t.Errorf("copies %d, want 3 (order and new partitions are free)", got)
	}
}

func TestBruteForceOnCasesDoneByHand(t *testing.T) {
	racks := map[int32]string{1: "a", 2: "a", 3: "b"}
	kept := check.Wish{Replicas: 2, Racks: racks}
	if got := kept.LeastCopies([][]int32{{1, 2}}); got != 0 {
		t.Errorf("a full partition copies %d, want 0", got)
	}
	spread := check.Wish{Replicas: 2, Racks: racks, Spread: true}
	if got := spread.LeastCopies([][]int32{{1, 2}, {1, 3}}); got != 1 {
		t.Errorf("one partition in one rack copies %d, want 1", got)
	}
	if got := spread.Sets([]int32{1, 2}); len(got) != 1 || got[0][1] != 3 {
		t.Errorf("sets %v, want only 1 and 3: the leader stays", got)
	}
	if got := check.LeastSquares([][][]int32{{{1}, {2}}, {{1}}, {{1}, {3}}}, racks); got != 3 {
		t.Errorf("least squares %d, want 3", got)
	}
	free := []bool{true, false}
	if got := check.LeastLeaderSquares([][]int32{{1, 2}, {1, 3}}, free, racks); got != 2 {
		t.Errorf("least leader squares %d, want 2", got)
	}
}
