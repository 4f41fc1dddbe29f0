// SPDX-License-Identifier: MPL-2.0

package placement

// fill gives each empty slot a broker, partition by partition: of the racks with the fewest replicas of the
// partition the least loaded broker, of equally loaded ones the first in rank. Each partition must have enough
// brokers. All partitions are registered afterwards.
func (b *board) fill(r *ranking) {
	for i := range b.parts {
		p := &b.parts[i]
		keys := r.of(p.partition)
		for s, at := range p.slots {
			if at < 0 {
				b.countRacks(p)
				b.put(p, s, b.emptiest(p, keys))
			}
		}
		b.register(i)
	}
}

func (b *board) emptiest(p *part, keys []uint64) int {
	best := -1
	for t := p.may.next(0); t >= 0; t = p.may.next(t + 1) {
		if p.held.has(t) {
			continue
		}
		if best < 0 || b.before(t, best, keys) {
			best = t
		}
	}
	return best
}

// before says whether broker x is a better place than y: rack, load, rank, in this order.
func (b *board) before(x, y int, keys []uint64) bool {
	if rx, ry := b.perRack[b.rack[x]], b.perRack[b.rack[y]]; rx != ry {
		return rx < ry
	}
	if b.load[x] != b.load[y] {
		return b.load[x] < b.load[y]
	}
	return keys[x] < keys[y]
}
