// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"maps"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// Throttler is a reassign.Throttler. It keeps account of what is this run's own: what it set, and what it took over from an earlier one.
type Throttler struct {
	kafka Kafka
	// configured is the rate in bytes per second, 0 for none.
	configured int64
	topics     map[string]*topic
	brokers    map[int32]*broker
	// told are brokers that a warning was given of.
	told map[int32]bool
	// toldAbsent: a warning was given that the platform has no throttle.
	toldAbsent bool
}

var _ reassign.Throttler = (*Throttler)(nil)

// topic is what is kept of a topic that has entries.
type topic struct {
	// ours are the entries to take back; stale are those of them whose move has ended, which go with the next write.
	ours, stale entries
	// noted: an earlier run noted what is its own, so that other rates are somebody else's.
	noted bool
	// brokers are those that its moves involved.
	brokers map[int32]bool
}

// broker is what is kept of a broker.
type broker struct {
	// ours are the rates to take back by side, 0 for none.
	ours [sides]int64
	// silent is when it last did not answer; it is not asked again for a while. stuck: its rates could not be taken back.
	silent time.Time
	stuck  bool
}

// silence is how long a broker that did not answer is left alone: one that hangs costs the time of a request whenever it is asked.
const silence = time.Minute

func (b *broker) isSilent() bool { return !b.silent.IsZero() && time.Since(b.silent) < silence }

// New makes a throttle of so many bytes per second, in and out, for each broker. With 0 nothing is throttled, and what earlier runs left is
// taken back all the same.
func New(kafka Kafka, bytesPerSecond int64) *Throttler {
	return &Throttler{kafka: kafka, configured: bytesPerSecond, topics: map[string]*topic{}, brokers: map[int32]*broker{}, told: map[int32]bool{}}
}

// TakeOver adds what an earlier run left on a topic to what Release takes back.
func (t *Throttler) TakeOver(left reassign.Throttle) {
	names := slices.Collect(maps.Keys(left.Leader))
	for _, name := range slices.AppendSeq(names, maps.Keys(left.Follower)) {
		on := t.topic(name)
		on.own(entries{left.Leader[name], left.Follower[name]})
		on.noted = on.noted || left.Noted
		for id := range left.LeaderRate {
			on.brokers[id] = true
		}
		for id := range left.FollowerRate {
			on.brokers[id] = true
		}
	}
	for side, rates := range []map[int32]int64{left.LeaderRate, left.FollowerRate} {
		for id, value := range rates {
			if b := t.broker(id); b.ours[side] == 0 {
				b.ours[side] = value
			}
		}
	}
}

// Held is what is set or taken over for the topic and its brokers and not taken back.
func (t *Throttler) Held(name string) reassign.Throttle {
	on := t.topics[name]
	if on == nil {
		return reassign.Throttle{}
	}
	held := reassign.Throttle{Noted: true}
	if len(on.ours[leader]) > 0 {
		held.Leader = map[string][]reassign.Replica{name: on.ours[leader]}
	}
	if len(on.ours[follower]) > 0 {
		held.Follower = map[string][]reassign.Replica{name: on.ours[follower]}
	}
	for id := range on.brokers {
		b := t.brokers[id]
		if b == nil || on.ours.empty() && !b.stuck { // other topics of the run still need the rate
			continue
		}
		held.LeaderRate = withRate(held.LeaderRate, id, b.ours[leader])
		held.FollowerRate = withRate(held.FollowerRate, id, b.ours[follower])
	}
	if held.Empty() {
		return reassign.Throttle{}
	}
	return held
}

func withRate(all map[int32]int64, id int32, value int64) map[int32]int64 {
	if value == 0 {
		return all
	}
	if all == nil {
		all = map[int32]int64{}
	}
	all[id] = value
	return all
}

func (t *Throttler) topic(name string) *topic {
	on := t.topics[name]
	if on == nil {
		on = &topic{brokers: map[int32]bool{}}
		t.topics[name] = on
	}
	return on
}

func (t *Throttler) broker(id int32) *broker {
	b := t.brokers[id]
	if b == nil {
		b = &broker{}
		t.brokers[id] = b
	}
	return b
}

// own adds entries to those that are taken back.
func (on *topic) own(e entries) {
	on.ours, on.stale = on.ours.with(e), on.stale.without(e)
	for _, id := range e.brokers() {
		on.brokers[id] = true
	}
}

// involved are the brokers that copy something by the moves, ascending.
func involved(moves []reassign.Moving) []int32 {
	var ids []int32
	for _, m := range moves {
		ids = append(ids, entriesOf(m.Move).brokers()...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
