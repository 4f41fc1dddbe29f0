// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// snapshot are brokers 1 to n in racks that take turns.
func snapshot(n int) memory {
	var m memory
	for id := range n {
		m.Brokers = append(m.Brokers, brokerMemory{ID: int32(id + 1), Rack: fmt.Sprintf("rack-%d", id%3)})
	}
	return m
}

// Acceptance 17: a thousand topics of one partition, each placed by a resource that knows nothing of the others, are spread evenly.
func TestThousandTopicsByThemselves(t *testing.T) {
	for name, present := range map[string]func(i int) placement.Assignment{
		"from nothing":          func(int) placement.Assignment { return nil },
		"on the first broker":   func(i int) placement.Assignment { return placement.Assignment{{int32(i%6) + 1}} },
		"on brokers to be left": func(i int) placement.Assignment { return placement.Assignment{{7, int32(i%6) + 1}} },
	} {
		replicas, leaders := map[int32]int{}, map[int32]int{}
		for i := range 1000 {
			d := declaration{partitions: 1, replicationFactor: 3, allowed: []int32{1, 2, 3, 4, 5, 6}}
			got, err := target(fmt.Sprintf("topic-%d", i), d, present(i), snapshot(7))
			if err != nil {
				t.Fatal(err)
			}
			leaders[got[0][0]]++
			for _, id := range got[0] {
				replicas[id]++
			}
		}
		for what, counts := range map[string]map[int32]int{"replicas": replicas, "leaders": leaders} {
			least, most := counts[1], counts[1]
			for id := int32(2); id <= 6; id++ {
				least, most = min(least, counts[id]), max(most, counts[id])
			}
			if float64(most-least) > 0.2*float64(least) {
				t.Errorf("%s: brokers differ by more than a fifth in %s: %v", name, what, counts)
			}
		}
	}
}

// The target depends on its arguments only, satisfies what it was asked, and leads to itself.
func TestTargetIsAFunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := snapshot(rapid.IntRange(4, 9).Draw(t, "brokers"))
		var present placement.Assignment
		for range rapid.IntRange(1, 8).Draw(t, "partitions") {
			ids := rapid.Permutation(numbers(4)).Draw(t, "list")[:rapid.IntRange(1, 3).Draw(t, "replicas")]
			for i := range ids {
				ids[i]++
			}
			present = append(present, ids)
		}
		d := declaration{partitions: len(present) + rapid.IntRange(0, 3).Draw(t, "more"), replicationFactor: rapid.IntRange(1, 4).Draw(t, "factor")}
		before := present.Clone()
		first, err := target("orders", d, present, m)
		if err != nil {
			t.Fatal(err)
		}
		second, err := target("orders", d, present, m)
		if err != nil || !second.Equal(first) || !present.Equal(before) {
			t.Fatalf("%v, then %v, %v; the argument is %v", first, second, err, present)
		}
		if uniform(first).ValueInt32() != int32(d.replicationFactor) || len(first) != d.partitions {
			t.Fatalf("%+v gives %v", d, first)
		}
		if third, err := target("orders", d, first, m); err != nil || !third.Equal(first) {
			t.Fatalf("The target of %v is %v, %v", first, third, err)
		}
		if back := assignmentOf(mapOf(first)); !back.Equal(first) {
			t.Fatalf("%v in state is %v", first, back)
		}
	})
}

// Without a snapshot the plan is exact only where the layout will do, or is stated.
func TestPlannedWithoutSnapshot(t *testing.T) {
	present := placement.Assignment{{1, 2}, {2, 3}}
	for name, c := range map[string]struct {
		d     declaration
		exact bool
	}{
		"satisfied":    {declaration{partitions: 2, replicationFactor: 2}, true},
		"stated":       {declaration{explicit: placement.Assignment{{9}}}, true},
		"grows":        {declaration{partitions: 3}, false},
		"more":         {declaration{replicationFactor: 3}, false},
		"other broker": {declaration{allowed: []int32{1, 2}}, false},
	} {
		wanted, exact, err := planned("orders", c.d, present, memory{})
		if err != nil || exact != c.exact || exact && c.d.explicit == nil && !wanted.Equal(present) {
			t.Errorf("%s: %v, exact %v, %v", name, wanted, exact, err)
		}
	}
	var fewer *placement.FewerPartitionsError
	if _, _, err := planned("orders", declaration{partitions: 1}, present, memory{}); !errors.As(err, &fewer) {
		t.Errorf("Fewer partitions: %v", err)
	}
}

// A broker that is down keeps what it has and gets nothing.
func TestTargetAvoidsBrokersThatAreDown(t *testing.T) {
	m := snapshot(4)
	m.Brokers[3].Fenced = true
	got, err := target("orders", declaration{partitions: 12, replicationFactor: 3}, placement.Assignment{{4}}, m)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(got[0], 4) {
		t.Errorf("The replica on the broker that is down moved: %v", got[0])
	}
	for p, list := range got[1:] {
		if slices.Contains(list, 4) {
			t.Errorf("Partition %d is placed on the broker that is down: %v", p+1, list)
		}
	}
}

// What is created begins with the wanted replicas, or is all of them and more, on live brokers; and the target of a topic grown so far is the same.
func TestGrowthKeepsTheTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers := rapid.IntRange(4, 7).Draw(t, "brokers")
		m := snapshot(brokers)
		now := rapid.IntRange(1, 4).Draw(t, "now")
		spread, err := placement.Spread("orders", rapid.IntRange(1, 5).Draw(t, "partitions"), now, first(m.brokers()))
		if err != nil {
			t.Fatal(err)
		}
		d := declaration{partitions: len(spread) + rapid.IntRange(1, 4).Draw(t, "more"), replicationFactor: rapid.IntRange(1, 4).Draw(t, "then")}
		wanted, err := target("orders", d, spread, m)
		if err != nil {
			t.Fatal(err)
		}
		l := live{topic: "orders", present: spread, targets: spread, registered: true}
		for _, b := range m.Brokers {
			l.brokers = append(l.brokers, kafkaapi.RegisteredBroker{Broker: kafkaapi.Broker{ID: b.ID, Rack: b.Rack}})
		}
		grown := spread.Clone()
		for i, list := range growth(l, wanted, now) {
			final := wanted[len(spread)+i]
			common := min(len(list), len(final))
			if len(list) != now || !slices.Equal(list[:common], final[:common]) {
				t.Fatalf("Partition %d is created as %v with %d replicas and is to be %v", len(spread)+i, list, now, final)
			}
			grown = append(grown, list)
		}
		if again, err := target("orders", d, grown, m); err != nil || !again.Equal(wanted) {
			t.Fatalf("Grown to %v, the target is %v, %v; it was %v", grown, again, err, wanted)
		}
	})
}

func first[A, B any](a A, _ B) A { return a }
