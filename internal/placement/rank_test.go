// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"slices"
	"testing"
)

func TestTopicNumberCountsUp(t *testing.T) {
	for _, pair := range [][2]string{
		{"orders-7", "orders-8"}, {"orders-009", "orders-010"}, {"t9.v2", "t10.v2"}, {"7", "8"},
		{"a18446744073709551615", "a0"}, // numbers beyond 61 bits wrap around
	} {
		if d := topicNumber(pair[1]) - topicNumber(pair[0]); d != 1 && pair[0] != "a18446744073709551615" {
			t.Errorf("%v: distance %d, want 1", pair, d)
		}
	}
	if topicNumber("orders") == topicNumber("payments") {
		t.Error("different names, same number")
	}
	if topicNumber("a5-5") != topicNumber("a1-5")-1 {
		t.Error("a number that occurs twice counts twice")
	}
	if topicNumber("") == topicNumber("x") {
		t.Error("the empty name is no special case")
	}
}

func TestRankingIsAPermutationOfWhatAccepts(t *testing.T) {
	c := newCluster(Assignment{{99}}, Target{Brokers: rackBrokers, Avoid: []int32{4}})
	r := newRanking("orders", c)
	var firsts []int
	for p := range 50 {
		keys := r.of(p)
		seen := map[uint64]bool{}
		for b, key := range keys {
			accepts := c.accepts.has(b)
			if (key >= last) == accepts || seen[key] {
				t.Fatalf("partition %d, broker %d: key %d", p, c.ids[b], key)
			}
			seen[key] = true
		}
		firsts = append(firsts, slices.Index(keys, 0))
	}
	for p := range 45 {
		if firsts[p] != firsts[p+5] || firsts[p] == firsts[p+1] {
			t.Fatalf("first places do not take turns over 5 brokers: %v", firsts)
		}
	}
}

func TestRingAlternatesRacks(t *testing.T) {
	c := newCluster(nil, Target{Brokers: []Broker{{9, "b"}, {1, "a"}, {2, "a"}, {3, "a"}, {8, "c"}, {7, "b"}}, Avoid: []int32{2}})
	var got []int32
	for _, b := range c.ring {
		got = append(got, c.ids[b])
	}
	if want := []int32{1, 7, 8, 3, 9}; !slices.Equal(got, want) {
		t.Errorf("ring %v, want %v", got, want)
	}
}

func TestBitsetBeyondOneWord(t *testing.T) {
	s := newBitset(130)
	for _, i := range []int{0, 63, 64, 129} {
		s.add(i)
	}
	s.remove(63)
	var got []int
	for i := s.next(0); i >= 0; i = s.next(i + 1) {
		got = append(got, i)
	}
	if !slices.Equal(got, []int{0, 64, 129}) || s.size() != 3 || s.has(63) || !s.has(129) {
		t.Errorf("got %v", got)
	}
}
