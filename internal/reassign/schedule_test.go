// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// What a move costs: a copy into each new broker, all of them out of the leader, and replicas that leave count too.
func TestLoadOf(t *testing.T) {
	for name, c := range map[string]struct {
		from, to []int32
		leader   int32
		want     map[int32]int
	}{
		"swap":             {[]int32{1, 2}, []int32{1, 3}, 1, map[int32]int{1: 1, 2: 1, 3: 1}},
		"the leader goes":  {[]int32{1, 2}, []int32{3, 2}, 1, map[int32]int{1: 1, 3: 1}},
		"two at once":      {[]int32{1}, []int32{1, 2, 3}, 1, map[int32]int{1: 2, 2: 1, 3: 1}},
		"all new":          {[]int32{1, 2}, []int32{3, 4}, 1, map[int32]int{1: 2, 2: 1, 3: 1, 4: 1}},
		"no leader":        {[]int32{1}, []int32{2}, -1, map[int32]int{1: 1, 2: 1}},
		"order only":       {[]int32{1, 2}, []int32{2, 1}, 1, nil},
		"removal only":     {[]int32{1, 2, 3}, []int32{1, 2}, 1, nil},
		"removal and swap": {[]int32{1, 2, 3}, []int32{3, 4}, 1, map[int32]int{1: 1, 2: 1, 4: 1}},
	} {
		if got := loadOf(Move{From: c.from, To: c.to}, c.leader); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func copies(topic string, size int64, load map[int32]int) copying {
	return copying{topic: topic, size: size, load: load}
}

// C-75: the limit counts what is in flight, over all topics; small and under-replicated partitions first; what copies nothing goes at once;
// one that is more than the limit by itself goes where its brokers are idle.
func TestSchedule(t *testing.T) {
	one := map[int32]int{1: 1, 2: 1}
	other := map[int32]int{3: 1, 4: 1}
	repair := copying{topic: "z", size: 900, load: one, underReplicated: true}
	for name, c := range map[string]struct {
		waiting, inFlight []copying
		limit             int
		want              []int
	}{
		"nothing":                           {nil, nil, 5, nil},
		"small ones first":                  {[]copying{copies("a", 30, one), copies("b", 10, one), copies("c", 20, one)}, nil, 2, []int{1, 2}},
		"a repair before a small one":       {[]copying{copies("a", 1, one), repair}, nil, 1, []int{1}},
		"an unknown size last":              {[]copying{copies("a", -1, one), copies("b", 1<<40, one)}, nil, 1, []int{1}},
		"in flight counts":                  {[]copying{copies("a", 1, one), copies("b", 2, other)}, []copying{copies("x", 1, one), copies("y", 1, one)}, 2, []int{1}},
		"another's broker is free":          {[]copying{copies("a", 1, one), copies("b", 2, one), copies("c", 3, other)}, nil, 1, []int{0, 2}},
		"one broker is enough to hold back": {[]copying{copies("a", 1, map[int32]int{1: 1, 9: 1})}, []copying{copies("x", 1, map[int32]int{9: 2})}, 2, nil},
		"order only passes by":              {[]copying{copies("a", 1, one), copies("b", 7, nil)}, []copying{copies("x", 1, one)}, 1, []int{1}},
		"bigger than the limit, idle":       {[]copying{copies("a", 1, map[int32]int{1: 3, 2: 1, 3: 1, 4: 1})}, nil, 2, []int{0}},
		"bigger than the limit, busy":       {[]copying{copies("a", 1, map[int32]int{1: 3, 2: 1, 3: 1, 4: 1})}, []copying{copies("x", 1, map[int32]int{1: 1, 8: 1})}, 2, nil},
		"by name where sizes are the same":  {[]copying{copies("b", 1, one), copies("a", 1, one)}, nil, 1, []int{1}},
		"taken over, more than the limit":   {[]copying{copies("a", 1, one)}, []copying{copies("x", 1, one), copies("y", 1, one), copies("z", 1, one)}, 2, nil},
	} {
		if got := schedule(c.waiting, c.inFlight, c.limit); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Whatever waits: no broker is ever given more than the limit but by one move alone, and some move always goes where nothing is in flight.
func TestScheduleHoldsTheLimit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		limit := 1 + random.IntN(4)
		var waiting []copying
		for p := range 1 + random.IntN(30) {
			brokers := random.Perm(6)
			from, to := []int32{int32(brokers[0]), int32(brokers[1])}, []int32{int32(brokers[random.IntN(3)]), int32(brokers[3]), int32(brokers[4])}
			waiting = append(waiting, copying{topic: "t", partition: int32(p), size: random.Int64N(5), load: loadOf(Move{From: from, To: to}, from[0])})
		}
		var inFlight []copying
		for len(waiting) > 0 {
			picked := schedule(waiting, inFlight, limit)
			if len(inFlight) == 0 && len(picked) == 0 {
				t.Fatalf("Nothing goes of %v", waiting)
			}
			load, moves := map[int32]int{}, map[int32]int{}
			for _, i := range picked {
				inFlight = append(inFlight, waiting[i])
			}
			for _, m := range inFlight {
				m.addTo(load)
				for id := range m.load {
					moves[id]++
				}
			}
			for id, n := range load {
				if n > limit && moves[id] > 1 {
					t.Fatalf("Broker %d has %d copies of %d moves at a limit of %d", id, n, moves[id], limit)
				}
			}
			slices.Sort(picked)
			for _, i := range slices.Backward(picked) {
				waiting = slices.Delete(waiting, i, i+1)
			}
			if n := len(inFlight); n > 0 {
				inFlight = slices.Delete(inFlight, 0, 1+random.IntN(n))
			}
		}
	}
}

func TestNoRoom(t *testing.T) {
	disks := map[int32]disk{1: {largest: 100, all: 100}, 2: {largest: 60, all: 100}}
	for name, c := range map[string]struct {
		coming incoming
		adding []int32
		size   int64
		lacks  bool
	}{
		"fits":                       {incoming{}, []int32{1, 2}, 60, false},
		"fits no volume":             {incoming{}, []int32{2}, 61, true},
		"others are on their way":    {incoming{1: 50}, []int32{1}, 51, true},
		"just so":                    {incoming{1: 50}, []int32{1}, 50, false},
		"a broker that did not tell": {incoming{}, []int32{3}, 1 << 50, false},
		"nothing to copy":            {incoming{1: 50}, nil, 1 << 50, false},
	} {
		if got := noRoom(disks, c.coming, c.adding, c.size); (got != "") != c.lacks {
			t.Errorf("%s: %q", name, got)
		}
	}
	coming := incoming{1: 5}
	coming.add([]int32{1, 2}, 10)
	coming.add([]int32{2}, -1)
	if want := (incoming{1: 15, 2: 10}); !reflect.DeepEqual(coming, want) {
		t.Errorf("%v are on their way, want %v", coming, want)
	}
}
