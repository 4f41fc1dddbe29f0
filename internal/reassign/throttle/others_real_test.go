// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 13 of issue 6: two processes on two topics. The first to end leaves the rates that the other's move needs, and the other
// takes them back: nothing is left.
func TestTwoProcesses(t *testing.T) {
	b := newBench(t)
	const limit = 500_000
	one, two := b.topic([]int32{1}), b.topic([]int32{1})
	b.cluster.Produce(t, two, 1, 20*mega)
	first, second := throttle.New(b.client(), limit), throttle.New(b.client(), limit)
	b.quiet(b.covered(first.Cover(t.Context(), []reassign.Moving{move(one, 0, []int32{1}, []int32{2})})))
	long := move(two, 0, []int32{1}, []int32{2, 3})
	b.quiet(b.covered(second.Cover(t.Context(), []reassign.Moving{long})))
	b.reassign(long)
	mentions(t, first.Release(t.Context(), nil), "brokers 1, 2", two, "somebody else", "same throttle_bytes_per_second")
	if !b.moving(long) {
		t.Fatal("The other's move has ended already")
	}
	b.throttled(limit, 1, 2, 3)
	b.clean([]string{one})
	if got := len(b.lists(two)); got != 2 {
		t.Errorf("The other topic has %v", b.lists(two))
	}
	if got := first.Held(one); !got.Empty() {
		t.Errorf("The first still holds %+v", got)
	}
	b.quiet(first.Release(t.Context(), nil))
	// Somebody raises the rates by hand to see the move end; they are the second's no more.
	for _, id := range []int32{1, 2, 3} {
		b.must(alterBroker(t.Context(), b.admin, id, map[string]string{leaderRate: "900000000", followerRate: "900000000"}))
	}
	b.ended(long)
	mentions(t, second.Release(t.Context(), nil), "broker 1", "somebody else changed it")
	for _, id := range []int32{1, 2, 3} {
		b.throttled(900*mega, id)
		b.must(alterBroker(t.Context(), b.admin, id, map[string]string{leaderRate: "", followerRate: ""}))
	}
	b.clean([]string{one, two}, 1, 2, 3)
}

// Acceptance line 13, the other way round: the second ends after the first has handed over, and takes back what the first had set.
func TestHandedOver(t *testing.T) {
	b := newBench(t)
	one, two := b.topic([]int32{1}), b.topic([]int32{1})
	b.cluster.Produce(t, two, 1, 2*mega)
	first, second := throttle.New(b.client(), mega), throttle.New(b.client(), mega)
	b.quiet(b.covered(first.Cover(t.Context(), []reassign.Moving{move(one, 0, []int32{1}, []int32{2})})))
	m := move(two, 0, []int32{1}, []int32{2})
	b.quiet(b.covered(second.Cover(t.Context(), []reassign.Moving{m})))
	b.reassign(m)
	mentions(t, first.Release(t.Context(), nil), "brokers 1, 2", two)
	b.throttled(mega, 1, 2)
	b.ended(m)
	b.quiet(second.Release(t.Context(), nil))
	b.clean([]string{one, two}, 1, 2)
}

// Acceptance line 13, at the worst moment: the second reads the rates and begins to move while the first is about to remove them.
func TestBegunWhileOthersEnd(t *testing.T) {
	b := newBench(t)
	one, two := b.topic([]int32{1}), b.topic([]int32{1})
	b.cluster.Produce(t, two, 1, 20*mega)
	const limit = 500_000
	rec := testbed.Record(t, b.cluster)
	first, second := throttle.New(b.client(rec.BootstrapServers()...), limit), throttle.New(b.client(), limit)
	b.quiet(b.covered(first.Cover(t.Context(), []reassign.Moving{move(one, 0, []int32{1}, []int32{2})})))
	m := move(two, 0, []int32{1}, []int32{2})
	var begin sync.Once
	stop := rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key == keyIncremental && q.Body.(*kmsg.IncrementalAlterConfigsRequest).Resources[0].ResourceType == kmsg.ConfigResourceTypeBroker {
			begin.Do(func() {
				b.quiet(b.covered(second.Cover(t.Context(), []reassign.Moving{m})))
				b.reassign(m)
			})
		}
		return testbed.Forward()
	})
	first.Release(t.Context(), nil)
	stop()
	b.waitFor("the rates to be there again", func() error {
		for _, id := range []int32{1, 2} {
			if got := b.rates(id); got[leaderRate] != ownRate(limit) || got[followerRate] != ownRate(limit) {
				return fmt.Errorf("broker %d has %v", id, got)
			}
		}
		return nil
	})
	if !b.moving(m) {
		t.Error("The move has ended already")
	}
	b.reassign(move(two, 0, nil, nil)) // cancelled
	b.ended(m)
	b.quiet(second.Release(t.Context(), nil))
	b.clean([]string{one, two}, 1, 2)
}

// Acceptance line 9b of issue 6: a foreign reassignment on another topic goes on, its entries and the rate that it needs stay; "*" too.
func TestForeignMove(t *testing.T) {
	b := newBench(t)
	theirs, ours := b.topic([]int32{1}), b.topic([]int32{1})
	b.cluster.Produce(t, theirs, 1, 20*mega)
	for _, id := range []int32{1, 4} {
		b.setRates(id, map[string]string{leaderRate: "200000", followerRate: "200000"})
	}
	lists := map[string]string{leaderList: "*", followerList: "0:4"}
	b.set(theirs, lists)
	foreign := move(theirs, 0, []int32{1}, []int32{4})
	b.reassign(foreign)
	th := throttle.New(b.client(), 10*mega)
	warnings := b.covered(th.Cover(t.Context(), []reassign.Moving{move(ours, 0, []int32{1}, []int32{2})}))
	mentions(t, warnings, "Broker 1", "200 kB/s", "somebody else")
	b.quiet(th.Release(t.Context(), nil))
	if got := b.lists(theirs); !maps.Equal(got, lists) || !b.moving(foreign) {
		t.Errorf("Their move is in flight: %v; their lists are %v", b.moving(foreign), got)
	}
	b.throttled(200_000, 1, 4)
	b.clean([]string{ours}, 2)
	b.set(theirs, map[string]string{leaderList: "", followerList: ""})
	b.ended(foreign)
}
