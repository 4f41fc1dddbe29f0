// SPDX-License-Identifier: MPL-2.0

package placement

// board is the state of the engine: movable replicas ("slots") of partitions on brokers, the load of each broker, and
// which brokers could hand a slot to which. Leaders are placed by the same engine: there a slot is a leadership.
type board struct {
	c     *cluster
	racks []bitset // brokers of each rack; a single set where racks do not count
	rack  []int
	load  []int
	parts []part
	at    [][]slotRef // registered slots on each broker
	edges []int32     // edges[from*n+to]: registered slots on from that may go to to
	out   []bitset    // out[from]: brokers with edges[from*n+to] > 0
	in    []bitset    // the same, seen from the receiver

	perRack []int  // scratch: replicas of one partition in each rack
	may     bitset // scratch: result of targets
	open    bitset // scratch of search: brokers not reached yet
	options []option
}

// part is one partition on the board.
type part struct {
	partition int
	slots     []int // broker of each slot, -1 while it has none
	place     []int // index of each registered slot in at[broker]
	fixed     []int // brokers of replicas that stay
	held      bitset
	may       bitset // brokers that the slots may use
}

type slotRef struct{ part, slot int }

// newBoard makes a board whose loads start at load. With racks, slots keep each partition's spread over racks.
func newBoard(c *cluster, load []int, withRacks bool) *board {
	n := len(c.ids)
	b := &board{
		c: c, rack: c.rack, racks: c.inRack, load: load, may: newBitset(n), open: newBitset(n),
		at: make([][]slotRef, n),
	}
	if !withRacks {
		all := newBitset(n)
		for i := range n {
			all.add(i)
		}
		b.rack, b.racks = make([]int, n), []bitset{all}
	}
	b.perRack = make([]int, len(b.racks))
	return b
}

// allocate makes room for the links between brokers, which a layout that is left alone never needs.
func (b *board) allocate() {
	n := len(b.c.ids)
	b.edges, b.out, b.in = make([]int32, n*n), make([]bitset, n), make([]bitset, n)
	for i := range n {
		b.out[i], b.in[i] = newBitset(n), newBitset(n)
	}
}

// addPart puts a partition on the board. Its fixed replicas must be part of the board's loads already; so must the
// slots that are on a broker.
func (b *board) addPart(partition int, fixed, slots []int, may bitset) {
	if len(b.parts) == 0 {
		b.allocate()
	}
	p := part{partition: partition, fixed: fixed, slots: slots, place: make([]int, len(slots)), may: may}
	p.held = newBitset(len(b.c.ids))
	for _, broker := range fixed {
		p.held.add(broker)
	}
	for _, broker := range slots {
		if broker >= 0 {
			p.held.add(broker)
		}
	}
	b.parts = append(b.parts, p)
}

// countRacks fills perRack for the partition.
func (b *board) countRacks(p *part) {
	for r := range b.perRack {
		b.perRack[r] = 0
	}
	for _, broker := range p.fixed {
		b.perRack[b.rack[broker]]++
	}
	for _, broker := range p.slots {
		if broker >= 0 {
			b.perRack[b.rack[broker]]++
		}
	}
}

// targets are the brokers that the slot may move to: the partition is not there yet, and its spread over racks gets
// no worse, which means the same rack or one with fewer of its replicas. The set is valid until the next call, and
// needs countRacks(p) before.
func (b *board) targets(p *part, slot int) bitset {
	from := b.rack[p.slots[slot]]
	b.may.clear()
	for r, members := range b.racks {
		if r == from || b.perRack[r] < b.perRack[from] {
			b.may.union(members)
		}
	}
	for w := range b.may {
		b.may[w] &= p.may[w] &^ p.held[w]
	}
	return b.may
}

// register makes all slots of the partition available for moves.
func (b *board) register(i int) {
	p := &b.parts[i]
	b.countRacks(p)
	for s, from := range p.slots {
		p.place[s] = len(b.at[from])
		b.at[from] = append(b.at[from], slotRef{i, s})
		to := b.targets(p, s)
		for t := to.next(0); t >= 0; t = to.next(t + 1) {
			b.addEdge(from, t, 1)
		}
	}
}

// unregister takes all slots of the partition out of reach.
func (b *board) unregister(i int) {
	p := &b.parts[i]
	b.countRacks(p)
	for s, from := range p.slots {
		list := b.at[from]
		last := list[len(list)-1]
		list[p.place[s]] = last
		b.parts[last.part].place[last.slot] = p.place[s]
		b.at[from] = list[:len(list)-1]
		to := b.targets(p, s)
		for t := to.next(0); t >= 0; t = to.next(t + 1) {
			b.addEdge(from, t, -1)
		}
	}
}

func (b *board) addEdge(from, to int, by int32) {
	e := &b.edges[from*len(b.c.ids)+to]
	*e += by
	if *e == 0 {
		b.out[from].remove(to)
		b.in[to].remove(from)
	} else {
		b.out[from].add(to)
		b.in[to].add(from)
	}
}

// put moves a slot of a partition that is not registered; the slot may have been nowhere.
func (b *board) put(p *part, slot, to int) {
	if from := p.slots[slot]; from >= 0 {
		p.held.remove(from)
		b.load[from]--
	}
	p.slots[slot] = to
	p.held.add(to)
	b.load[to]++
}

// move moves a slot of a registered partition.
func (b *board) move(ref slotRef, to int) {
	b.unregister(ref.part)
	b.put(&b.parts[ref.part], ref.slot, to)
	b.register(ref.part)
}
