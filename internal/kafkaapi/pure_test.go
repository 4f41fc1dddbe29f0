// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCompleteSet(t *testing.T) {
	orders := Topic("orders")
	held := EntityConfigs{Entity: orders, Configs: []Config{
		{Name: "retention.ms", Value: "1", Stored: "1", Source: SourceDynamicTopic},
		{Name: "segment.ms", Value: "2", Stored: "2", Source: SourceDynamicTopic},
		{Name: "leader.replication.throttled.replicas", Value: "*", Stored: "*", Source: SourceDynamicTopic},
		{Name: "flush.ms", Value: "3", Source: SourceStaticBroker},
		{Name: "max.message.bytes", Value: "4", Source: SourceDynamicDefaultBroker},
		{Name: "b.hidden", Sensitive: true, Source: SourceDynamicTopic},
		{Name: "a.hidden", Sensitive: true, Source: SourceDynamicTopic},
	}}
	tests := map[string]struct {
		alteration Alteration
		want       map[string]string
		hidden     []string
	}{
		"hidden values would be lost": {Alteration{Set: map[string]string{"flush.ms": "9"}}, nil, []string{"a.hidden", "b.hidden"}},
		"one of them is known":        {Alteration{Keep: map[string]string{"a.hidden": "A"}}, nil, []string{"b.hidden"}},
		"both are known": {Alteration{Set: map[string]string{"flush.ms": "9"}, Keep: map[string]string{"a.hidden": "A", "b.hidden": ""}},
			map[string]string{"retention.ms": "1", "segment.ms": "2", "leader.replication.throttled.replicas": "*", "flush.ms": "9",
				"a.hidden": "A", "b.hidden": ""}, nil},
		"set and deleted": {Alteration{Set: map[string]string{"a.hidden": "new", "retention.ms": "7"}, Delete: []string{"b.hidden", "segment.ms", "x"}},
			map[string]string{"retention.ms": "7", "leader.replication.throttled.replicas": "*", "a.hidden": "new"}, nil},
		"what is known does not overrule what is seen": {Alteration{Delete: []string{"a.hidden", "b.hidden"}, Keep: map[string]string{"retention.ms": "old", "gone": "x"}},
			map[string]string{"retention.ms": "1", "segment.ms": "2", "leader.replication.throttled.replicas": "*"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.alteration.Entity = orders
			got, err := completeSet(held, tt.alteration)
			var hidden *HiddenValuesError
			if errors.As(err, &hidden) != (tt.hidden != nil) || hidden != nil && !slices.Equal(hidden.Keys, tt.hidden) {
				t.Fatalf("got error %v, want keys %v", err, tt.hidden)
			}
			if !maps.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestBatches(t *testing.T) {
	weigh := func(a alteration) load { return a.load() }
	many := func(n, keys int) (all []alteration) {
		for i := range n {
			set := map[string]string{}
			for k := range keys {
				set[fmt.Sprintf("key-%d", k)] = "v"
			}
			all = append(all, alteration{Alteration: Alteration{Entity: Topic(fmt.Sprint(i)), Set: set}})
		}
		return all
	}
	if got := len(batches(many(250, 1), weigh)); got != 3 {
		t.Errorf("250 topics are %d batches, want 3", got)
	}
	// C-132: 1000 topics of 150 keys, at most 10 000 records in each.
	seen := 0
	for _, b := range batches(many(1000, 150), weigh) {
		records := 0
		for _, a := range b.items {
			if a.Entity != Topic(fmt.Sprint(seen)) {
				t.Fatalf("entity %d is %s", seen, a.Entity)
			}
			seen++
			records += a.load().records
		}
		if records > maxRecords {
			t.Errorf("a batch of %d records", records)
		}
	}
	if seen != 1000 {
		t.Errorf("%d topics in batches", seen)
	}
	if got := len(batches(many(2, maxRecords+1), weigh)); got != 2 {
		t.Errorf("two huge topics are %d batches", got)
	}
	large := []alteration{}
	for i := range 3 {
		large = append(large, alteration{Alteration: Alteration{Entity: Topic(fmt.Sprint(i)), Set: map[string]string{"k": strings.Repeat("v", maxBytes/2)}}})
	}
	if got := len(batches(large, weigh)); got != 3 {
		t.Errorf("three topics of half the bytes each are %d batches", got)
	}
	few := []listing{}
	for i := range 2500 {
		few = append(few, listing{entity: Topic(fmt.Sprint(i)), keys: ThrottledReplicasKeys()})
	}
	if got := len(batches(few, func(w listing) load { return load{entity: w.entity, light: w.light()} })); got != 3 {
		t.Errorf("2500 topics by two keys are %d batches, want 3", got)
	}
	at := int32(7)
	mixed := []Entity{Topic("a"), BrokerEntity(1), {EntityGroup, "g"}, ClusterDefault(), BrokerEntity(2), Topic("b"), {EntityBroker, "x"}}
	for name, tt := range map[string]struct {
		at   *int32
		want int
	}{
		"topics, two brokers, groups, and what any broker answers of brokers": {nil, 5},
		"at one broker: the types stay apart":                                 {&at, 3},
	} {
		if got := len(batches(mixed, func(e Entity) load { return load{entity: e, at: tt.at} })); got != tt.want {
			t.Errorf("%s: %d batches, want %d", name, got, tt.want)
		}
	}
}

// What an entity holds is told among the synonyms, as it was written; without them, or where they begin with another layer, it is the value.
func TestStored(t *testing.T) {
	reference := Synonym{Name: "log.retention.ms", Value: "${file:/f:k}", Source: SourceDynamicBroker}
	inherited := Synonym{Name: "log.retention.ms", Value: "2", Source: SourceDynamicDefaultBroker}
	for name, tt := range map[string]struct {
		config Config
		want   string
	}{
		"a reference":  {Config{Value: "1", Source: SourceDynamicBroker, Synonyms: []Synonym{reference, inherited}}, "${file:/f:k}"},
		"no layers":    {Config{Value: "1", Source: SourceDynamicBroker}, "1"},
		"not its own":  {Config{Value: "1", Source: SourceDynamicDefaultBroker, Synonyms: []Synonym{reference}}, "1"},
		"other layers": {Config{Value: "1", Source: SourceDynamicBroker, Synonyms: []Synonym{inherited}}, "1"},
		"a secret":     {Config{Sensitive: true, Source: SourceDynamicBroker, Synonyms: []Synonym{{Source: SourceDynamicBroker, Value: "x"}}}, ""},
	} {
		if got := stored(tt.config, BrokerEntity(1)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestDone(t *testing.T) {
	held := EntityConfigs{Configs: []Config{
		{Name: "a", Value: "1", Stored: "01", Source: SourceDynamicTopic},
		{Name: "secret", Sensitive: true, Source: SourceDynamicTopic},
		{Name: "inherited", Value: "3", Source: SourceDefault},
	}}
	tests := []struct {
		set  map[string]string
		del  []string
		want bool
	}{
		{map[string]string{"a": "1"}, []string{"b", "inherited"}, true},
		{map[string]string{"a": "01"}, nil, true},
		{map[string]string{"a": "2"}, nil, false},
		{map[string]string{"inherited": "3"}, nil, false},
		{map[string]string{"secret": ""}, nil, false},
		{nil, []string{"a"}, false},
	}
	for _, tt := range tests {
		if got := done(held, Alteration{Entity: Topic("t"), Set: tt.set, Delete: tt.del}); got != tt.want {
			t.Errorf("set %v, delete %v: %t", tt.set, tt.del, got)
		}
	}
}

func TestCheckAlteration(t *testing.T) {
	seen := map[Entity]bool{}
	long := strings.Repeat("x", maxString+1)
	tests := []struct {
		alteration Alteration
		want       string
	}{
		{Alteration{Entity: Topic("a"), Set: map[string]string{"k": long[1:]}, Delete: []string{"l"}}, ""},
		{Alteration{Entity: Topic("a")}, "altered twice"},
		{Alteration{Entity: Topic("b"), Set: map[string]string{"k": ""}, Delete: []string{"k"}}, "k is set and deleted at once"},
		{Alteration{Entity: Topic("c"), Set: map[string]string{"k": long}}, "k is 32768 bytes long, brokers take 32767"},
		{Alteration{Entity: Topic("d"), Delete: []string{long}}, "… is 32768 bytes long"},
		{Alteration{Entity: Topic(long)}, "the name of the entity is 32768 bytes long"},
	}
	for _, tt := range tests {
		err := checkAlteration(tt.alteration, seen)
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || len(err.Error()) > 300) {
			t.Errorf("got %.200v, want %q", err, tt.want)
		}
	}
}

func TestTargets(t *testing.T) {
	for e, want := range map[Entity]target{
		Topic("1"):                   {},
		ClusterDefault():             {},
		BrokerEntity(0):              {kind: toBroker},
		BrokerEntity(12):             {kind: toBroker, id: 12},
		{EntityBroker, "x"}:          {},
		{EntityBroker, "5000000000"}: {},
		{EntityGroup, "1"}:           {},
	} {
		if got := targetOf(e); got != want {
			t.Errorf("%s goes to %+v, want %+v", e, got, want)
		}
	}
}

func TestGuardStopsWhatIsNotKafka(t *testing.T) {
	frame := func(n int) []byte {
		return append(binary.BigEndian.AppendUint32(nil, uint32(n)), make([]byte, n)...)
	}
	tests := map[string]struct {
		sent []byte
		ok   bool
	}{
		"answers":           {slices.Concat(frame(6), frame(5000), frame(100)), true},
		"half an answer":    {frame(100)[:50], true},
		"HTTP":              {[]byte("HTTP/1.1 400 Bad Request\r\n\r\n"), false},
		"a TLS alert":       {[]byte{0x15, 3, 3, 0, 2, 2, 0x46}, false},
		"too short":         {frame(3), false},
		"after one answer":  {slices.Concat(frame(6), []byte("HTTP/1.1")), false},
		"nothing but zeros": {make([]byte, 64), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, size := range []int{1, 3, 4096} {
				near, far := net.Pipe()
				go func() { _, _ = far.Write(tt.sent); _ = far.Close() }()
				guard := &guardConn{Conn: near}
				got, err := io.ReadAll(readerOf{guard, size})
				_ = near.Close()
				if ok := err == nil; ok != tt.ok || ok && len(got) != len(tt.sent) {
					t.Errorf("reads of %d: %d bytes, %v", size, len(got), err)
				}
				if _, again := guard.Read(make([]byte, 1)); !tt.ok && !errors.Is(again, errNotKafka) {
					t.Errorf("reads of %d: the next read gives %v", size, again)
				}
			}
		})
	}
}

// readerOf reads in pieces.
type readerOf struct {
	io.Reader
	size int
}

func (r readerOf) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(r.size, len(p))]) }

func TestPenaltiesAndThrottles(t *testing.T) {
	p := newPool()
	if p.penalised() {
		t.Error("a new broker is penalised")
	}
	p.penalise()
	if !p.penalised() {
		t.Error("a broker that failed is not")
	}
	p.forgive()
	if p.penalised() {
		t.Error("a broker that answered still is")
	}
	p.throttle(time.Hour)
	if err := p.ready(canceled()); err == nil {
		t.Error("a throttled broker can be asked at once")
	}
	for range maxConnections {
		if err := p.take(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.take(canceled()); err == nil {
		t.Error("more connections than there should be")
	}
}
