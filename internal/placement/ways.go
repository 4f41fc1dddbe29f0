// SPDX-License-Identifier: MPL-2.0

package placement

import "math/bits"

const (
	unreached = -1
	goal      = -2
)

// ways are the chains that keep a layout as even as it is when one slot leaves a broker for another.
type ways struct {
	b      *board
	at     int
	alone  []int // next broker toward the slot's broker, or toward one with less load
	top    []int // next broker from those that can hand the slot's broker a slot
	helped []int // next broker toward one with less load than the most loaded of those
	source int   // that most loaded one
}

func (b *board) waysFrom(at int) *ways {
	return &ways{b: b, at: at, alone: b.search(b.goals(at, b.load[at]))}
}

// chains are what has to move before and after the slot goes to the broker. after is nil where there is no way, and
// has one broker where nothing has to follow.
func (w *ways) chains(to int) (before, after []int) {
	if w.alone[to] != unreached {
		return nil, follow(w.alone, to)
	}
	if w.top == nil {
		w.lookUpstream()
	}
	if w.helped[to] != unreached {
		return follow(w.top, w.source), follow(w.helped, to)
	}
	return nil, nil
}

// lookUpstream finds the most loaded broker that can hand a slot to this one, directly or not. Its surplus may then go
// on to a broker with less.
func (w *ways) lookUpstream() {
	w.top = w.b.search([]int{w.at})
	w.source = w.at
	for i, n := range w.top {
		if n != unreached && w.b.load[i] > w.b.load[w.source] {
			w.source = i
		}
	}
	w.helped = w.b.search(w.b.goals(w.at, w.b.load[w.source]))
}

// goals are the broker and those with less than the given load.
func (b *board) goals(at, load int) []int {
	goals := append(make([]int, 0, len(b.load)), at)
	for i, l := range b.load {
		if i != at && l < load {
			goals = append(goals, i)
		}
	}
	return goals
}

// search walks the links backwards from the goals. It gives for each broker the next one on a shortest chain to a goal:
// goal at a goal, unreached where there is no chain.
func (b *board) search(goals []int) []int {
	next := make([]int, len(b.load))
	b.open.clear()
	for i := range next {
		next[i] = unreached
		b.open.add(i)
	}
	for _, g := range goals {
		next[g] = goal
		b.open.remove(g)
	}
	for queue := goals; len(queue) > 0; queue = queue[1:] {
		to := queue[0]
		for w, from := range b.in[to] {
			for hit := from & b.open[w]; hit != 0; hit &= hit - 1 {
				i := w<<6 + bits.TrailingZeros64(hit)
				next[i] = to
				b.open.remove(i)
				queue = append(queue, i)
			}
		}
	}
	return next
}

// follow lists the brokers from the first one to its goal.
func follow(next []int, first int) []int {
	chain := []int{first}
	for next[first] != goal {
		first = next[first]
		chain = append(chain, first)
	}
	return chain
}
