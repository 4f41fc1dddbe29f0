// SPDX-License-Identifier: MPL-2.0

package placementtest_test

import (
	"fmt"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	check "github.com/kafka-layout/terraform-provider-kafka/internal/placement/placementtest"
	"pgregory.net/rapid"
)

// C-55, C-52, C-53: any racks, some or all of them missing, replication factor above the number of racks.
func TestSpreadIsSoundOverAnyRacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := brokersGen(1, 12).Draw(t, "cluster")
		partitions := rapid.IntRange(1, 40).Draw(t, "partitions")
		rf := rapid.IntRange(1, len(brokers)).Draw(t, "rf")
		topic := topicGen().Draw(t, "topic")
		spread, err := placement.Spread(topic, partitions, rf, brokers)
		got := must(t, spread, err)
		racks := racksOf(brokers)
		none(t, "form", check.Malformed(got, racks, partitions, rf))
		none(t, "racks", check.TooFewRacks(got, racks))
		none(t, "even racks", check.UnevenRacks(got, racks))
		if faults := placement.Check(got, brokers); faults != nil {
			t.Fatalf("Check: %v", faults)
		}
		shuffled := rapid.Permutation(brokers).Draw(t, "shuffled")
		again, err := placement.Spread(topic, partitions, rf, shuffled)
		if !must(t, again, err).Equal(got) {
			t.Fatalf("another order of brokers, another layout: %v and %v", got, again)
		}
	})
}

// C-55: from scratch over even racks, replicas and leaders per broker are within one of each other.
func TestSpreadIsWithinOneOverEvenRacks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := evenBrokersGen().Draw(t, "cluster")
		partitions := rapid.IntRange(1, 200).Draw(t, "partitions")
		rf := rapid.IntRange(1, min(6, len(brokers))).Draw(t, "rf")
		spread, err := placement.Spread(topicGen().Draw(t, "topic"), partitions, rf, brokers)
		got := must(t, spread, err)
		none(t, "racks", check.TooFewRacks(got, racksOf(brokers)))
		if gap := check.Gap(check.Replicas(got, racksOf(brokers))); gap > 1 {
			t.Fatalf("replica gap %d", gap)
		}
		if gap := check.Gap(check.Leaders(got, racksOf(brokers))); gap > 1 {
			t.Fatalf("leader gap %d", gap)
		}
	})
}

// On small uneven clusters, nothing that brute force finds is more even.
func TestSpreadIsAsEvenAsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := brokersGen(1, 5).Draw(t, "cluster")
		partitions := rapid.IntRange(1, 4).Draw(t, "partitions")
		rf := rapid.IntRange(1, len(brokers)).Draw(t, "rf")
		spread, err := placement.Spread("t", partitions, rf, brokers)
		got := must(t, spread, err)
		racks := racksOf(brokers)
		sets := check.Wish{Replicas: rf, Racks: racks}.Sets(nil)
		choices, free := make([][][]int32, partitions), make([]bool, partitions)
		for p := range choices {
			choices[p], free[p] = sets, true
		}
		if least, s := check.LeastSquares(choices, racks), check.Squares(check.Replicas(got, racks)); s != least {
			t.Fatalf("replica squares %d, brute force finds %d: %v", s, least, got)
		}
		if least, s := check.LeastLeaderSquares(got, free, racks), check.Squares(check.Leaders(got, racks)); s != least {
			t.Fatalf("leader squares %d, brute force finds %d: %v", s, least, got)
		}
	})
}

// Acceptance 17: a thousand one-partition topics placed one by one differ by less than 20 % per broker.
func TestThousandSmallTopicsSpreadEvenly(t *testing.T) {
	for _, format := range []string{"topic-%d", "orders.%04d", "tenant%d-events", "t%d.v2", "a%[1]d-%[1]d"} {
		for _, brokers := range []int{3, 4, 5, 6, 9, 12, 60} {
			for _, racks := range []int{1, 3} {
				if brokers%racks != 0 {
					continue // racks of different size: evenness is not promised
				}
				t.Run(fmt.Sprintf("%s/%d brokers/%d racks", format, brokers, racks), func(t *testing.T) {
					smallTopics(t, format, brokers, racks)
				})
			}
		}
	}
}

func smallTopics(t *testing.T, format string, n, racks int) {
	var brokers []placement.Broker
	for i := range n {
		brokers = append(brokers, placement.Broker{ID: int32(i + 1), Rack: fmt.Sprint("r", i%racks)})
	}
	for rf := 1; rf <= 3; rf++ {
		var all [][]int32
		for i := range 1000 {
			spread, err := placement.Spread(fmt.Sprintf(format, i), 1, rf, brokers)
			all = append(all, must(t, spread, err)...)
		}
		lows := []map[int32]int{check.Replicas(all, racksOf(brokers)), check.Leaders(all, racksOf(brokers))}
		for i, counts := range lows {
			mean := float64(1000*rf) / float64(n)
			if i == 1 {
				mean = 1000 / float64(n)
			}
			if gap := float64(check.Gap(counts)); gap > 1 && gap >= 0.2*mean {
				t.Errorf("rf %d: gap %.0f at a mean of %.1f: %v", rf, gap, mean, counts)
			}
		}
	}
}

// Nothing breaks at the sizes of real clusters.
func TestSpreadThousandsOfPartitions(t *testing.T) {
	var brokers []placement.Broker
	for i := range 70 {
		brokers = append(brokers, placement.Broker{ID: int32(i), Rack: fmt.Sprint("r", i%4)})
	}
	spread, err := placement.Spread("big", 5000, 3, brokers)
	got := must(t, spread, err)
	none(t, "form", check.Malformed(got, racksOf(brokers), 5000, 3))
	none(t, "racks", check.TooFewRacks(got, racksOf(brokers)))
	if gap := check.Gap(check.Replicas(got, racksOf(brokers))); gap > 1 {
		t.Errorf("replica gap %d", gap)
	}
	if gap := check.Gap(check.Leaders(got, racksOf(brokers))); gap > 1 {
		t.Errorf("leader gap %d", gap)
	}
}
