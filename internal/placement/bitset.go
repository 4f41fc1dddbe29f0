// SPDX-License-Identifier: MPL-2.0

package placement

import "math/bits"

// bitset is a set of broker indices. All sets of one cluster have the same length.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s bitset) remove(i int)   { s[i>>6] &^= 1 << (i & 63) }
func (s bitset) has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

func (s bitset) clear() {
	for w := range s {
		s[w] = 0
	}
}

// union adds all of t.
func (s bitset) union(t bitset) {
	for w := range s {
		s[w] |= t[w]
	}
}

// size is the number of members.
func (s bitset) size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// next is the smallest member >= i, or -1.
func (s bitset) next(i int) int {
	for w := i >> 6; w < len(s); w++ {
		word := s[w]
		if w == i>>6 {
			word &= ^uint64(0) << (i & 63)
		}
		if word != 0 {
			return w<<6 + bits.TrailingZeros64(word)
		}
	}
	return -1
}
