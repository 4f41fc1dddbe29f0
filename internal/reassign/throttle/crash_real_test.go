// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
)

func noneMoves(int32) bool { return false }

// find is FindLeftOvers on a topic of which nothing moves.
func (b bench) find(topic string, noted reassign.Throttle, bytesPerSecond int64) (reassign.Throttle, []string) {
	b.t.Helper()
	left, warnings, err := throttle.FindLeftOvers(b.t.Context(), b.client(), throttle.Search{Topic: topic, Moving: noneMoves, Noted: noted, BytesPerSecond: bytesPerSecond})
	b.must(err)
	return left, warnings
}

// Acceptance line 6 of issue 6; C-91, C-93: what a killed run left, and whose moves have ended, is found by its entries
// and taken back, with the rates that are as configured; another rate stays and is named.
func TestLeftByKilledRun(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	killed := throttle.New(b.client(), 10*mega)
	b.quiet(b.covered(killed.Cover(t.Context(), []reassign.Moving{move(topic, 0, []int32{1}, []int32{2})})))
	b.setRates(2, map[string]string{followerRate: "11000000"})
	if !throttle.LeftOn(b.lists(topic), noneMoves) {
		t.Errorf("Nothing shows of %v", b.lists(topic))
	}
	left, warnings := b.find(topic, reassign.Throttle{}, 10*mega)
	mentions(t, warnings, "Broker 2", followerRate, "11 MB/s", "stays")
	if len(warnings) != 1 || left.Noted || len(left.LeaderRate) != 2 || len(left.FollowerRate) != 1 {
		t.Errorf("Found %+v, and %q", left, warnings)
	}
	next := throttle.New(b.client(), 10*mega)
	next.TakeOver(left)
	b.quiet(next.Release(t.Context(), nil))
	if got, want := b.rates(2), (map[string]string{followerRate: ownRate(11 * mega)}); !maps.Equal(got, want) {
		t.Errorf("Broker 2 has %v, want %v", got, want)
	}
	b.clean([]string{topic}, 1)
	left, warnings = b.find(topic, reassign.Throttle{}, 10*mega)
	if !left.Empty() || len(warnings) > 0 {
		t.Errorf("Found %+v, %q where nothing is left", left, warnings)
	}
}

// Acceptance line 9 of issue 6: a throttle raised between an interrupt, which notes what it leaves, and the next apply takes effect on the
// moves that are taken over; an operator's rate, which was not noted, stays. Removed from the configuration, the throttle goes at once.
func TestRaisedThrottle(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	b.cluster.Produce(t, topic, 1, 20*mega)
	b.setRates(1, map[string]string{leaderRate: "150000"})
	m := move(topic, 0, []int32{1}, []int32{2})
	first := throttle.New(b.client(), 100_000)
	b.covered(first.Cover(t.Context(), []reassign.Moving{m}))
	b.reassign(m)
	noted := first.Held(topic) // what goes into private state
	if !noted.Noted || len(noted.LeaderRate) != 1 || len(noted.FollowerRate) != 2 {
		t.Fatalf("Noted is %+v", noted)
	}
	moves := func(int32) bool { return true }
	raised := throttle.New(b.client(), 200_000)
	left, warnings, err := throttle.FindLeftOvers(t.Context(), b.client(), throttle.Search{Topic: topic, Moving: moves, Noted: noted, BytesPerSecond: 200_000})
	b.must(err)
	raised.TakeOver(left)
	warnings = append(warnings, b.covered(raised.Cover(t.Context(), []reassign.Moving{inFlight(m)}))...)
	mentions(t, warnings, "Broker 1", "150 kB/s", "somebody else")
	b.throttled(200_000, 2)
	noted = raised.Held(topic)
	if !b.moving(m) {
		t.Fatal("The move has ended already: a throttle that low should hold it")
	}
	none := throttle.New(b.client(), 0)
	left, _, err = throttle.FindLeftOvers(t.Context(), b.client(), throttle.Search{Topic: topic, Moving: moves, Noted: noted})
	b.must(err)
	none.TakeOver(left)
	b.covered(none.Cover(t.Context(), []reassign.Moving{inFlight(m)}))
	none.Release(t.Context(), []reassign.Moving{inFlight(m)})
	b.clean(nil, 2)
	if len(b.lists(topic)) != 2 {
		t.Errorf("The entries of a move in flight went: %v", b.lists(topic))
	}
	b.must(alterBroker(t.Context(), b.admin, 1, map[string]string{leaderRate: "100000000"}))
	b.ended(m)
	b.quiet(none.Release(t.Context(), nil))
	b.clean([]string{topic}, 2)
	if got, want := b.rates(1), (map[string]string{leaderRate: ownRate(100 * mega)}); !maps.Equal(got, want) {
		t.Errorf("Broker 1 has %v, want %v", got, want)
	}
}

// Moves of a killed run are taken over, and the configured rate wins on their brokers; it says what was there.
func TestResumedAfterKill(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	m := move(topic, 0, []int32{1}, []int32{2})
	killed := throttle.New(b.client(), 100_000)
	b.quiet(b.covered(killed.Cover(t.Context(), []reassign.Moving{m})))
	next := throttle.New(b.client(), 10*mega)
	warnings := b.covered(next.Cover(t.Context(), []reassign.Moving{inFlight(m)}))
	mentions(t, warnings, "Broker 1 had", "100 kB/s", "earlier run", "10 MB/s", "set it again")
	mentions(t, warnings, "Broker 2 had", "100 kB/s")
	b.throttled(10*mega, 1, 2)
	b.quiet(next.Release(t.Context(), nil))
	b.clean([]string{topic}, 1, 2)
	if got := strings.Count(strings.Join(warnings, "\n"), "Broker"); got != 2 {
		t.Errorf("%d warnings: %q", got, warnings)
	}
}
