// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"fmt"
	"slices"
	"testing"
)

func rackedBrokers(n, racks int) []Broker {
	out := make([]Broker, n)
	for i := range out {
		out[i] = Broker{ID: int32(i + 1), Rack: fmt.Sprint("rack-", i%racks)}
	}
	return out
}

// Acceptance 13: 1 000 topics of 50 partitions on 60 brokers, planned in under 2 s and 500 MB.
func BenchmarkThousandTopics(b *testing.B) {
	brokers := rackedBrokers(60, 3)
	layouts := make([]Assignment, 1000)
	for i := range layouts {
		layouts[i] = spread(b, fmt.Sprint("topic-", i), 50, 3, brokers)
	}
	var allowed []int32
	for _, broker := range brokers[:59] {
		allowed = append(allowed, broker.ID)
	}
	each := func(name string, plan func(i int) (Assignment, error)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range layouts {
					if _, err := plan(i); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
	each("spread", func(i int) (Assignment, error) { return Spread(fmt.Sprint("topic-", i), 50, 3, brokers) })
	each("unchanged", func(i int) (Assignment, error) {
		return Change("t", layouts[i], Target{ReplicationFactor: 3, Brokers: brokers})
	})
	each("broker removed", func(i int) (Assignment, error) {
		return Change(fmt.Sprint("topic-", i), layouts[i], Target{Brokers: brokers, Allowed: allowed})
	})
	each("rf 3 to 4", func(i int) (Assignment, error) {
		return Change(fmt.Sprint("topic-", i), layouts[i], Target{ReplicationFactor: 4, Brokers: brokers})
	})
	each("rebalance", func(i int) (Assignment, error) { return Rebalance("t", layouts[i], brokers[:59]) })
	each("check and cost", func(i int) (Assignment, error) {
		if Check(layouts[i], brokers) != nil {
			b.Fatal("faults in a layout from scratch")
		}
		CostOf(layouts[i], layouts[(i+1)%1000], brokers, nil)
		return nil, nil
	})
}

// One topic with as many partitions as a large cluster.
func BenchmarkOneHugeTopic(b *testing.B) {
	brokers := rackedBrokers(60, 3)
	layout := spread(b, "huge", 50000, 3, brokers)
	lopsided := make(Assignment, len(layout))
	for p := range lopsided {
		lopsided[p] = slices.Clone(layout[p%20])
	}
	b.Run("spread", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			spread(b, "huge", 50000, 3, brokers)
		}
	})
	b.Run("rf 3 to 4, lopsided", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Change("huge", lopsided, Target{ReplicationFactor: 4, Brokers: brokers}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("rebalance, lopsided", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Rebalance("huge", lopsided, brokers); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func spread(tb testing.TB, topic string, partitions, replicationFactor int, brokers []Broker) Assignment {
	tb.Helper()
	out, err := Spread(topic, partitions, replicationFactor, brokers)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}
