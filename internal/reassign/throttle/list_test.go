// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// pairs reads "0:1,0:2" for tests.
func pairs(text string) []reassign.Replica {
	l, err := parseList(text)
	if err != nil || l.all {
		panic("not a list of entries: " + text)
	}
	return l.entries
}

// Issue 6 "Throttle": lists are read as Kafka takes them, and nothing of what cannot be read is guessed.
func TestParseList(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		wrong      bool
	}{
		{text: "", want: ""},
		{text: "  ", want: ""},
		{text: "*", want: "*"},
		{text: " * ", want: "*"},
		{text: "0:1", want: "0:1"},
		{text: "0:1,0:2,12:3", want: "0:1,0:2,12:3"},
		{text: " 0:1 , 0:2 ", want: "0:1,0:2"},
		{text: "0:1,,0:2,", want: "0:1,0:2"},
		{text: "7:2,0:1", want: "7:2,0:1"}, // in the order that somebody chose
		{text: "0:1,*", wrong: true},
		{text: "0", wrong: true},
		{text: "0:", wrong: true},
		{text: ":1", wrong: true},
		{text: "0:1:2", wrong: true},
		{text: "-1:1", wrong: true},
		{text: "0:-1", wrong: true},
		{text: "0:99999999999", wrong: true},
		{text: "none", wrong: true},
	} {
		l, err := parseList(tt.text)
		if tt.wrong {
			if err == nil || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("%q is read as %q, %v; want an error that quotes it", tt.text, l, err)
			}
			continue
		}
		if err != nil || l.String() != tt.want {
			t.Errorf("%q is read as %q, %v; want %q", tt.text, l, err, tt.want)
		}
	}
}

// C-89: lists are merged, never narrowed and never repeated.
func TestMergeLists(t *testing.T) {
	for _, tt := range []struct{ there, add, remove, with, without string }{
		{"", "0:1,0:2", "0:1", "0:1,0:2", ""},
		{"5:9", "0:1", "0:1", "5:9,0:1", "5:9"},
		{"0:1,5:9", "0:1,0:2", "0:1", "0:1,5:9,0:2", "5:9"},
		{"*", "0:1", "0:1", "*", "*"},
		{"0:1", "", "", "0:1", "0:1"},
	} {
		l, err := parseList(tt.there)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.with(pairs(tt.add)).String(); got != tt.with {
			t.Errorf("%q with %q is %q, want %q", tt.there, tt.add, got, tt.with)
		}
		if got := l.without(pairs(tt.remove)).String(); got != tt.without {
			t.Errorf("%q without %q is %q, want %q", tt.there, tt.remove, got, tt.without)
		}
		if l.String() != tt.there {
			t.Errorf("%q became %q", tt.there, l)
		}
	}
}

// What is noted in private state comes back, and reads as Kafka's own lists do.
func TestThrottleInPrivateState(t *testing.T) {
	noted := reassign.Throttle{
		Leader:       map[string][]reassign.Replica{"orders": pairs("0:1,0:2")},
		Follower:     map[string][]reassign.Replica{"orders": pairs("0:3")},
		LeaderRate:   map[int32]int64{1: 10_000_000, 2: 10_000_000},
		FollowerRate: map[int32]int64{3: 10_000_000},
		Noted:        true,
	}
	raw, err := json.Marshal(noted)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"leader":{"orders":["0:1","0:2"]},"follower":{"orders":["0:3"]},"leader_rate":{"1":10000000,"2":10000000},"follower_rate":{"3":10000000},"noted":true}`
	if string(raw) != want {
		t.Errorf("It is noted as %s\nwant %s", raw, want)
	}
	var back reassign.Throttle
	if err := json.Unmarshal(raw, &back); err != nil || !reflect.DeepEqual(back, noted) {
		t.Errorf("It comes back as %+v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`{"leader":{"orders":["*"]}}`), &back); err == nil {
		t.Error("A * was taken for an entry")
	}
}
