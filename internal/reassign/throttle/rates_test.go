// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"maps"
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// C-84, C-85: whose a rate is, and what becomes of it.
func TestDecideOnRate(t *testing.T) {
	const configured = 100
	for _, tt := range []struct {
		name    string
		rate    rate
		noted   int64
		resumed bool
		want    verdict
		wanted  int64
	}{
		{name: "none", want: write, wanted: 100},
		{name: "cluster default or file", rate: rate{beneath: 30}, want: write, wanted: 30},
		{name: "an operator's", rate: rate{set: true, own: 70}, want: leave, wanted: 100},
		{name: "an operator's over a default", rate: rate{set: true, own: 30, beneath: 30}, want: leave, wanted: 30},
		{name: "hidden", rate: rate{set: true, own: -1}, want: leave, wanted: 100},
		{name: "as configured", rate: rate{set: true, own: 100}, want: keep, wanted: 100},
		{name: "noted, as configured", rate: rate{set: true, own: 100}, noted: 100, want: keep, wanted: 100},
		{name: "noted, configured anew", rate: rate{set: true, own: 50}, noted: 50, want: write, wanted: 100},
		{name: "noted, changed since", rate: rate{set: true, own: 60}, noted: 50, want: leave, wanted: 100},
		{name: "noted, gone since", noted: 50, want: write, wanted: 100},
		{name: "noted, as beneath", rate: rate{set: true, own: 30, beneath: 30}, noted: 30, want: keep, wanted: 30},
		{name: "of a killed run", rate: rate{set: true, own: 50}, resumed: true, want: overwrite, wanted: 100},
		{name: "of a killed run, as configured", rate: rate{set: true, own: 100}, resumed: true, want: keep, wanted: 100},
		{name: "of a killed run, as beneath", rate: rate{set: true, own: 30, beneath: 30}, resumed: true, want: keep, wanted: 30},
	} {
		if got := tt.rate.decide(configured, tt.noted, tt.resumed); got != tt.want || tt.rate.wanted(configured) != tt.wanted {
			t.Errorf("%s: %v of %d, want %v of %d", tt.name, got, tt.rate.wanted(configured), tt.want, tt.wanted)
		}
	}
}

// Which rates that left-over entries lead to are taken back.
func TestRateLeftBehind(t *testing.T) {
	for _, tt := range []struct {
		rate              rate
		configured, noted int64
		ours              bool
	}{
		{rate{}, 100, 100, false},
		{rate{set: true, own: 100}, 100, 0, true},
		{rate{set: true, own: 50}, 100, 50, true},
		{rate{set: true, own: 50}, 0, 50, true},
		{rate{set: true, own: 70}, 100, 50, false},
		{rate{set: true, own: -1}, 100, 0, false},
		{rate{set: true, own: 0}, 0, 0, false},
	} {
		value, ours := tt.rate.leftBehind(tt.configured, tt.noted)
		if ours != tt.ours || ours && value != tt.rate.own {
			t.Errorf("%+v with %d configured and %d noted: %d, %v", tt.rate, tt.configured, tt.noted, value, ours)
		}
	}
}

// C-41, C-84: by source, not by value.
func TestRatesOfDescription(t *testing.T) {
	described := func(value string, source kafkaapi.Source, layers ...kafkaapi.Synonym) kafkaapi.Config {
		return kafkaapi.Config{Name: rateKeys[leader], Value: value, Source: source, Synonyms: layers}
	}
	layer := func(value string, source kafkaapi.Source) kafkaapi.Synonym {
		return kafkaapi.Synonym{Name: rateKeys[leader], Value: value, Source: source}
	}
	for _, tt := range []struct {
		name   string
		config kafkaapi.Config
		want   rate
	}{
		{"default", described("9223372036854775807", kafkaapi.SourceDefault, layer("9223372036854775807", kafkaapi.SourceDefault)), rate{}},
		{"own", described("70", kafkaapi.SourceDynamicBroker, layer("70", kafkaapi.SourceDynamicBroker)), rate{set: true, own: 70}},
		{"own over default and file", described("70", kafkaapi.SourceDynamicBroker, layer("70", kafkaapi.SourceDynamicBroker),
			layer("60", kafkaapi.SourceDynamicDefaultBroker), layer("50", kafkaapi.SourceStaticBroker)), rate{set: true, own: 70, beneath: 60}},
		{"cluster default", described("60", kafkaapi.SourceDynamicDefaultBroker, layer("60", kafkaapi.SourceDynamicDefaultBroker)), rate{beneath: 60}},
		{"file", described("50", kafkaapi.SourceStaticBroker, layer("50", kafkaapi.SourceStaticBroker)), rate{beneath: 50}},
		{"no limit in the file", described("9223372036854775807", kafkaapi.SourceStaticBroker, layer("9223372036854775807", kafkaapi.SourceStaticBroker)), rate{}},
		{"without synonyms", described("60", kafkaapi.SourceDynamicDefaultBroker), rate{beneath: 60}},
		{"hidden", described("", kafkaapi.SourceDynamicBroker), rate{set: true, own: -1}},
	} {
		got := ratesOf(kafkaapi.BrokerEntity(1), []kafkaapi.Config{tt.config, {Name: "log.retention.ms", Value: "5"}})
		if got[leader] != tt.want || got[follower] != (rate{}) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// C-86, C-87: a broker's rate goes with the last move that is in flight or to come, and entries with the last of their topic.
func TestUnneeded(t *testing.T) {
	move := func(topic string, p int32, from, to []int32) reassign.Moving {
		return reassign.Moving{Topic: topic, Move: reassign.Move{Partition: p, From: from, To: to}}
	}
	first, second, other := move("a", 0, []int32{1}, []int32{2}), move("a", 1, []int32{1}, []int32{3}), move("b", 0, []int32{4}, []int32{1})
	held := func(configured int64) *Throttler {
		th := New(nil, configured)
		for _, m := range []reassign.Moving{first, second, other} {
			th.topic(m.Topic).own(entriesOf(m.Move))
		}
		for id := int32(1); id <= 4; id++ {
			th.broker(id).ours = [sides]int64{100, 100}
		}
		return th
	}
	for _, tt := range []struct {
		name       string
		configured int64
		needed     []reassign.Moving
		brokers    []int32
		topics     []string
	}{
		{"all go on", 100, []reassign.Moving{first, second, other}, nil, nil},
		{"one ends", 100, []reassign.Moving{second, other}, []int32{2}, nil},
		{"a topic ends", 100, []reassign.Moving{other}, []int32{2, 3}, []string{"a"}},
		{"all end", 100, nil, []int32{1, 2, 3, 4}, []string{"a", "b"}},
		{"no throttle any more", 0, []reassign.Moving{first, second, other}, []int32{1, 2, 3, 4}, nil},
	} {
		th := held(tt.configured)
		brokers, topics := th.unneeded(tt.needed)
		if !slices.Equal(brokers, tt.brokers) || !slices.Equal(topics, tt.topics) {
			t.Errorf("%s: brokers %v, topics %v; want %v and %v", tt.name, brokers, topics, tt.brokers, tt.topics)
		}
	}
	th := held(100)
	th.unneeded([]reassign.Moving{second, other})
	if got := listText(th.topics["a"].stale[follower]); got != "0:2" {
		t.Errorf("Stale are %q", got)
	}
	// Held is what the topic's moves had set, and not what others still need when they have ended.
	if got := th.Held("a"); !got.Noted || listText(got.Follower["a"]) != "0:2,1:3" || !maps.Equal(got.LeaderRate, map[int32]int64{1: 100, 2: 100, 3: 100}) {
		t.Errorf("Held: %+v", got)
	}
	th.topics["a"].released()
	if got := th.Held("a"); !got.Empty() || got.Noted {
		t.Errorf("Held of a topic that has nothing: %+v", got)
	}
	th.brokers[2].stuck = true
	if got := th.Held("a"); !maps.Equal(got.LeaderRate, map[int32]int64{2: 100}) {
		t.Errorf("Held with a rate that could not be removed: %+v", got)
	}
	if got := th.Held("unknown"); !got.Empty() {
		t.Errorf("Held of another topic: %+v", got)
	}
}

// What a plan says that copies will be held to.
func TestLimitsOf(t *testing.T) {
	const configured = 100
	both := func(r rate) rates { return rates{r, r} }
	for _, tt := range []struct {
		name    string
		found   rates
		noted   int64
		resumed bool
		want    Limits
	}{
		{"nothing set", rates{}, 0, false, Limits{100, 100, false}},
		{"an operator's", both(rate{set: true, own: 70}), 0, false, Limits{70, 70, true}},
		{"one side", rates{leader: rate{set: true, own: 70}}, 0, false, Limits{In: 100, Out: 70, Others: true}},
		{"cluster default", both(rate{beneath: 30}), 0, false, Limits{30, 30, true}},
		{"as configured", both(rate{set: true, own: 100}), 0, false, Limits{100, 100, false}},
		{"noted", both(rate{set: true, own: 50}), 50, false, Limits{100, 100, false}},
		{"of a killed run", both(rate{set: true, own: 50}), 0, true, Limits{100, 100, false}},
		{"hidden", both(rate{set: true, own: -1}), 0, false, Limits{100, 100, true}},
	} {
		if got := limitsOf(tt.found, configured, [sides]int64{tt.noted, tt.noted}, tt.resumed); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
