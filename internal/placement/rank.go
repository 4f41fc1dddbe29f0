// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"hash/fnv"
	"math"
)

// golden is 2^64 divided by the golden ratio: multiples of it differ in all bits.
const golden = 0x9e3779b97f4a7c15

// last is the first key of brokers that accept nothing.
const last = math.MaxUint64 / 4 * 3

// ranking orders brokers for a partition where nothing else decides: a hash of topic, partition and broker. The
// first place walks around the ring with the partition and with the numbers in the topic's name, so numbered
// topics (orders-1, orders-2, …) take turns instead of rolling dice; the order of the rest is mixed anew each round.
type ranking struct {
	c     *cluster
	start uint64
	round uint64
	mixed []uint64 // by distance from the first place, for the round
	keys  []uint64 // by broker, for the partition asked last
}

func newRanking(topic string, c *cluster) *ranking {
	r := &ranking{c: c, start: topicNumber(topic), mixed: make([]uint64, len(c.ring)), keys: make([]uint64, len(c.ids))}
	for b := range r.keys {
		r.keys[b] = last + uint64(b) // no two brokers are equal, or the choice would not be one
	}
	if len(c.ring) > 0 {
		r.mix(r.start / uint64(len(c.ring)))
	}
	return r
}

// of gives the key of each broker for the partition, lowest first; brokers that accept nothing come last. The slice
// is valid until the next call.
func (r *ranking) of(partition int) []uint64 {
	n := uint64(len(r.c.ring))
	if n == 0 {
		return r.keys
	}
	x := r.start + uint64(partition)
	if round := x / n; round != r.round {
		r.mix(round)
	}
	first := int(x % n)
	for place, b := range r.c.ring {
		distance := place - first
		if distance < 0 {
			distance += int(n)
		}
		r.keys[b] = r.mixed[distance]
	}
	return r.keys
}

func (r *ranking) mix(round uint64) {
	r.round = round
	for distance := 1; distance < len(r.mixed); distance++ {
		// Half of the range keeps a mixed key apart from the first place and from "accepts nothing".
		r.mixed[distance] = 1 + scramble(round*golden+uint64(distance))>>1
	}
}

// topicNumber is a hash of the name's text plus the numbers in it. A number that occurs twice counts once: twice the
// number would only ever be even, and half of the brokers would never come first.
func topicNumber(topic string) uint64 {
	numbers := map[uint64]bool{}
	text := make([]byte, 0, len(topic))
	for rest := topic; rest != ""; {
		if rest[0] < '0' || rest[0] > '9' {
			text, rest = append(text, rest[0]), rest[1:]
			continue
		}
		var number uint64
		for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			number, rest = number*10+uint64(rest[0]-'0'), rest[1:]
		}
		text = append(text, '#') // no topic name has this character
		numbers[number] = true
	}
	h := fnv.New64a()
	_, _ = h.Write(text)           // a hash never fails to write
	sum := scramble(h.Sum64()) / 4 // leaves room to count up without wrapping around
	for number := range numbers {
		sum += number % (1 << 61)
	}
	return sum
}

// scramble spreads a number over all 64 bits (the finalizer of splitmix64, public domain).
func scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
