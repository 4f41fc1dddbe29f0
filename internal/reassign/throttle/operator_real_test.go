// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 3 of issue 6; C-85: an operator's rate on a broker, and one at the cluster default, are used, told and still there
// afterwards with value and source.
func TestOperatorsRates(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	b.setRates(1, map[string]string{leaderRate: "7000000", followerRate: "6000000"})
	b.setRates(0, map[string]string{leaderRate: "5000000"})
	before := b.rates(1)
	atDefault := "5000000 " + kmsg.ConfigSourceDynamicDefaultBrokerConfig.String()
	th := throttle.New(b.client(), 10*mega)
	m := move(topic, 0, []int32{1}, []int32{2})
	warnings := b.covered(th.Cover(t.Context(), []reassign.Moving{m}))
	mentions(t, warnings, "Broker 1", leaderRate, "7.0 MB/s", "7000000 bytes per second", "somebody else", "stays")
	if len(warnings) != 1 {
		t.Errorf("Warnings: %q", warnings)
	}
	if got := b.rates(1); !maps.Equal(got, before) {
		t.Errorf("During the move broker 1 has %v, want %v", got, before)
	}
	// What is set at the default holds for a broker without a rate of its own, in the version of Kafka that heeds it and in those that do not.
	if got, want := b.rates(2), (map[string]string{leaderRate: ownRate(5 * mega), followerRate: ownRate(10 * mega)}); !maps.Equal(got, want) {
		t.Errorf("During the move broker 2 has %v, want %v", got, want)
	}
	b.quiet(b.covered(th.Cover(t.Context(), []reassign.Moving{m}))) // told once
	b.quiet(th.Release(t.Context(), nil))
	if got := b.rates(1); !maps.Equal(got, before) {
		t.Errorf("Afterwards broker 1 has %v, want %v", got, before)
	}
	if got, want := b.rates(2), map[string]string{leaderRate: atDefault}; !maps.Equal(got, want) {
		t.Errorf("Afterwards broker 2 has %v, want %v", got, want)
	}
	b.clean([]string{topic})
}

// Acceptance line 3 of issue 6; C-84: a rate in server.properties is used, and effective again afterwards.
func TestStaticRate(t *testing.T) {
	b := benchOf(t, testbed.Own(t, testbed.Options{Brokers: 2, ServerProperties: map[string]string{followerRate: "3000000"}}))
	topic := b.topic([]int32{1})
	static := map[string]string{followerRate: "3000000 " + kmsg.ConfigSourceStaticBrokerConfig.String()}
	if got := b.rates(2); !maps.Equal(got, static) {
		t.Fatalf("Broker 2 begins with %v", got)
	}
	th := throttle.New(b.client(), 10*mega)
	b.quiet(b.covered(th.Cover(t.Context(), []reassign.Moving{move(topic, 0, []int32{1}, []int32{2})})))
	if got, want := b.rates(2), (map[string]string{leaderRate: ownRate(10 * mega), followerRate: ownRate(3 * mega)}); !maps.Equal(got, want) {
		t.Errorf("During the move broker 2 has %v, want %v", got, want)
	}
	b.quiet(th.Release(t.Context(), nil))
	for _, id := range []int32{1, 2} {
		if got := b.rates(id); !maps.Equal(got, static) {
			t.Errorf("Afterwards broker %d has %v, want %v", id, got, static)
		}
	}
	b.clean([]string{topic})
}

// A rate that somebody changes during the moves is theirs from then on.
func TestRateChangedMeanwhile(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	th := throttle.New(b.client(), 10*mega)
	m := move(topic, 0, []int32{1}, []int32{2})
	b.quiet(b.covered(th.Cover(t.Context(), []reassign.Moving{m})))
	b.setRates(1, map[string]string{leaderRate: "30000000", followerRate: "40000000"})
	b.setRates(2, map[string]string{followerRate: "20000000"})
	warnings := th.Release(t.Context(), nil)
	mentions(t, warnings, "broker 1", "30 MB/s", "40 MB/s", "--delete-config "+leaderRate, "--delete-config "+followerRate)
	mentions(t, warnings, "broker 2", followerRate, "20 MB/s", "10 MB/s", "somebody else changed it", "--delete-config "+followerRate)
	if text := strings.Join(warnings, "\n"); strings.Contains(text, leaderRate+","+followerRate) {
		t.Errorf("The way out removes more than what is told of: %s", text)
	}
	for id, want := range map[int32]map[string]string{
		1: {leaderRate: ownRate(30 * mega), followerRate: ownRate(40 * mega)}, 2: {followerRate: ownRate(20 * mega)},
	} {
		if got := b.rates(id); !maps.Equal(got, want) {
			t.Errorf("Broker %d has %v, want %v", id, got, want)
		}
	}
	b.clean([]string{topic})
}

// Acceptance line 9 of issue 6; C-89: a "*" is left as it is, and entries of others stay, also those that come meanwhile.
func TestListsOfOthers(t *testing.T) {
	b := newBench(t)
	starred, shared := b.topic([]int32{1}), testbed.UniqueName(t)
	b.create([][]int32{{1}, {1}, {1}}, shared)
	b.set(starred, map[string]string{leaderList: "*"})
	b.set(shared, map[string]string{leaderList: "2:9"})
	th := throttle.New(b.client(), 10*mega)
	moves := []reassign.Moving{move(starred, 0, []int32{1}, []int32{2}), move(shared, 0, []int32{1}, []int32{2}), move(shared, 1, []int32{1}, []int32{3})}
	b.quiet(b.covered(th.Cover(t.Context(), moves)))
	if got, want := b.lists(starred), (map[string]string{leaderList: "*", followerList: "0:2"}); !maps.Equal(got, want) {
		t.Errorf("The lists are %v, want %v", got, want)
	}
	if got, want := b.lists(shared), (map[string]string{leaderList: "2:9,0:1,1:1", followerList: "0:2,1:3"}); !maps.Equal(got, want) {
		t.Errorf("The lists are %v, want %v", got, want)
	}
	// The moves of one topic go on; what the ended one had goes with the next write, not with one of its own.
	b.quiet(th.Release(t.Context(), moves[2:]))
	b.set(shared, map[string]string{followerList: "0:2,1:3,2:8"}) // somebody adds one
	next := move(shared, 2, []int32{1}, []int32{4})
	b.quiet(b.covered(th.Cover(t.Context(), []reassign.Moving{next})))
	if got, want := b.lists(shared)[followerList], "1:3,2:8,2:4"; got != want {
		t.Errorf("The followers are %q, want %q", got, want)
	}
	b.quiet(th.Release(t.Context(), nil))
	// Entries of a partition that was moved are nobody's when it has ended, whoever had set them.
	if got, want := b.lists(starred), (map[string]string{leaderList: "*"}); !maps.Equal(got, want) {
		t.Errorf("Left are %v, want %v", got, want)
	}
	b.clean([]string{shared}, 1, 2, 3, 4)
}

// What is set is read back, and what is taken back is gone, on brokers that show a write half a second late and on those of ZooKeeper.
func TestOlderKafka(t *testing.T) {
	for name, o := range map[string]testbed.Options{
		"3.9 with ZooKeeper": {Version: "3.9.2", Mode: testbed.ZooKeeper, Brokers: 2},
		"4.0":                {Version: "4.0.0", Brokers: 2},
	} {
		t.Run(name, func(t *testing.T) {
			b := benchOf(t, testbed.Own(t, o))
			topic := b.topic([]int32{1})
			m := move(topic, 0, []int32{1}, []int32{2})
			th := throttle.New(b.client(), 10*mega)
			b.setRates(1, map[string]string{leaderRate: "7000000"})
			warnings := b.covered(th.Cover(t.Context(), []reassign.Moving{m}))
			mentions(t, warnings, "Broker 1", "7.0 MB/s", "somebody else")
			b.throttled(10*mega, 2)
			b.reassign(m)
			b.ended(m)
			b.quiet(th.Release(t.Context(), nil))
			b.clean([]string{topic}, 2)
			if got, want := b.rates(1), (map[string]string{leaderRate: ownRate(7 * mega)}); !maps.Equal(got, want) {
				t.Errorf("Broker 1 has %v, want %v", got, want)
			}
		})
	}
}
