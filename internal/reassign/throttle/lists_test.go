// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"maps"
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

func listText(replicas []reassign.Replica) string { return list{entries: replicas}.String() }

// The entries are those of Kafka's own tool: leader list = present replicas, follower list = adding ones. What copies nothing needs none.
func TestEntriesOfMove(t *testing.T) {
	for _, tt := range []struct {
		name             string
		from, to         []int32
		leader, follower string
	}{
		{"swap", []int32{1, 2}, []int32{1, 3}, "7:1,7:2", "7:3"},
		{"all new", []int32{1, 2}, []int32{4, 3}, "7:1,7:2", "7:4,7:3"},
		{"more replicas", []int32{1}, []int32{1, 2, 3}, "7:1", "7:2,7:3"},
		{"fewer replicas", []int32{1, 2}, []int32{1}, "", ""},
		{"order only", []int32{1, 2}, []int32{2, 1}, "", ""},
	} {
		e := entriesOf(reassign.Move{Partition: 7, From: tt.from, To: tt.to})
		if listText(e[leader]) != tt.leader || listText(e[follower]) != tt.follower {
			t.Errorf("%s: leader %q, follower %q; want %q and %q", tt.name, listText(e[leader]), listText(e[follower]), tt.leader, tt.follower)
		}
	}
}

// C-89: one alteration per topic with SET of merged lists and DELETE of emptied ones, none where nothing changes. "*" is never touched.
func TestChangeOfLists(t *testing.T) {
	for _, tt := range []struct {
		name                string
		thereLead, thereFol string
		add, remove         entries
		set                 map[string]string
		del                 []string
		none                bool
	}{
		{name: "first", add: entries{pairs("0:1"), pairs("0:3")}, set: map[string]string{listKeys[leader]: "0:1", listKeys[follower]: "0:3"}},
		{name: "beside others", thereLead: "5:1", add: entries{pairs("0:1"), pairs("0:3")}, set: map[string]string{listKeys[leader]: "5:1,0:1", listKeys[follower]: "0:3"}},
		{name: "there already", thereLead: "0:1", thereFol: "0:3", add: entries{pairs("0:1"), pairs("0:3")}, none: true},
		{name: "star", thereLead: "*", thereFol: "*", add: entries{pairs("0:1"), pairs("0:3")}, none: true},
		{name: "star on one side", thereLead: "*", add: entries{pairs("0:1"), pairs("0:3")}, set: map[string]string{listKeys[follower]: "0:3"}},
		{name: "last goes", thereLead: "0:1", thereFol: "0:3", remove: entries{pairs("0:1"), pairs("0:3")}, del: listKeys[:]},
		{name: "others stay", thereLead: "0:1,5:1", thereFol: "0:3", remove: entries{pairs("0:1"), pairs("0:3")}, set: map[string]string{listKeys[leader]: "5:1"}, del: listKeys[follower:]},
		{name: "gone already", remove: entries{pairs("0:1"), pairs("0:3")}, none: true},
		{name: "star set meanwhile", thereLead: "*", thereFol: "0:3", remove: entries{pairs("0:1"), pairs("0:3")}, del: listKeys[follower:]},
		{
			name: "next batch", thereLead: "0:1", thereFol: "0:3", add: entries{pairs("1:1"), pairs("1:3")}, remove: entries{pairs("0:1"), pairs("0:3")},
			set: map[string]string{listKeys[leader]: "1:1", listKeys[follower]: "1:3"},
		},
		{name: "again", thereLead: "0:1", thereFol: "0:3", add: entries{pairs("0:1"), pairs("0:3")}, remove: entries{pairs("0:1"), pairs("0:3")}, none: true},
	} {
		lists, err := parseLists(map[string]string{listKeys[leader]: tt.thereLead, listKeys[follower]: tt.thereFol})
		if err != nil {
			t.Fatal(err)
		}
		a, changes := lists.change("orders", tt.add, tt.remove)
		if changes == tt.none || a.Entity != kafkaapi.Topic("orders") || !maps.Equal(a.Set, tt.set) && !tt.none && len(a.Set)+len(tt.set) > 0 || !slices.Equal(a.Delete, tt.del) {
			t.Errorf("%s: %+v, %v", tt.name, a, changes)
		}
	}
}

// An explicit entry of a partition that does not move is left over; "*" is never ours, and what cannot be read is nobody's.
func TestLeftOn(t *testing.T) {
	moving := func(p int32) bool { return p == 1 }
	for _, tt := range []struct {
		leader, follower string
		want             bool
	}{
		{"", "", false}, {"*", "*", false}, {"0:1", "", true}, {"", "0:1", true}, {"1:1,1:2", "1:3", false}, {"1:1,0:2", "1:3", true},
		{"*", "0:3", true}, {"*", "1:3", false}, {"nonsense", "0:1", false},
	} {
		if got := LeftOn(map[string]string{listKeys[leader]: tt.leader, listKeys[follower]: tt.follower}, moving); got != tt.want {
			t.Errorf("%q and %q: left over is %v", tt.leader, tt.follower, got)
		}
	}
}

// Acceptance line 13 of issue 6: which brokers' rates moves of others need.
func TestNeededByOthers(t *testing.T) {
	star, _ := parseLists(map[string]string{listKeys[leader]: "*"})
	explicit, _ := parseLists(map[string]string{listKeys[leader]: "0:1,1:2", listKeys[follower]: "0:3,1:4"})
	carriers := map[string]foundLists{"explicit": {lists: explicit}, "star": {lists: star}, "hidden": {err: kafkaapi.ErrNotAuthorized}}
	got := neededBy(carriers, map[string]map[int32]kafkaapi.Reassignment{
		"explicit": {0: {Replicas: []int32{3, 1, 9}, Adding: []int32{3}}},
		"star":     {4: {Replicas: []int32{5, 6}, Adding: []int32{6}}},
		"hidden":   {0: {Replicas: []int32{7}, Adding: []int32{7}}},
	})
	if want := map[int32]string{1: "explicit", 3: "explicit", 5: "star", 6: "star", 7: "hidden"}; !maps.Equal(got, want) {
		t.Errorf("Needed: %v, want %v", got, want)
	}
}
