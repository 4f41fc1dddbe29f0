// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"reflect"
	"slices"
	"testing"
)

func entriesOf(entries ...Entry) map[string]Entry {
	all := map[string]Entry{}
	for _, e := range entries {
		e.Own = true
		all[e.Name] = e
	}
	return all
}

func TestOwnTakesOnlyTheEntitysEntries(t *testing.T) {
	// C-03, C-08: source decides; an entry that equals the default is own all the same, an inherited one never.
	own := Own([]Entry{{Name: "a", Value: "1", Own: true}, {Name: "b", Value: "2"}})
	if len(own) != 1 || own["a"].Value != "1" {
		t.Errorf("own = %v", own)
	}
}

func TestRefresh(t *testing.T) {
	const throttle = "leader.replication.throttled.replicas"
	left := LeftAlone{Keys: ThrottleKeysOfTopics(), Patterns: Globs{"confluent.*"}}
	for _, c := range []struct {
		name  string
		prior State
		own   map[string]Entry
		want  State
	}{
		{"nothing set, nothing declared C-04", State{}, entriesOf(), State{}},
		{"empty stays empty", State{Config: m()}, entriesOf(), State{Config: m()}},
		{"foreign key shows C-05", State{Config: m("a", "1")}, entriesOf(Entry{Name: "a", Value: "1"}, Entry{Name: "b", Value: "2"}),
			State{Config: m("a", "1", "b", "2")}},
		{"changed value shows C-06", State{Config: m("a", "1")}, entriesOf(Entry{Name: "a", Value: "2"}), State{Config: m("a", "2")}},
		{"vanished key goes, the map stays", State{Config: m("a", "1")}, entriesOf(), State{Config: m()}},
		{"spelling is kept C-09", State{Config: m("p", "delete , compact")}, entriesOf(Entry{Name: "p", Value: "delete,compact", Type: List}),
			State{Config: m("p", "delete , compact")}},
		{"null element stays", State{Config: m("a", "1", "n", nil)}, entriesOf(Entry{Name: "a", Value: "1"}), State{Config: m("a", "1", "n", nil)}},
		{"null element that somebody set shows", State{Config: m("n", nil)}, entriesOf(Entry{Name: "n", Value: "1"}), State{Config: m("n", "1")}},
		{"left alone C-10 C-90", State{}, entriesOf(Entry{Name: "confluent.x", Value: "1"}, Entry{Name: "leader.replication.throttled.replicas", Value: "*"}), State{}},
		{"left alone but declared", State{Config: m("confluent.x", "1"), DeclaredKeys: []string{"confluent.x"}}, entriesOf(Entry{Name: "confluent.x", Value: "2"}),
			State{Config: m("confluent.x", "2"), DeclaredKeys: []string{"confluent.x"}}},
		{"left alone, declared and hidden", State{Config: m(throttle, "0:1"), DeclaredKeys: []string{throttle}}, entriesOf(Entry{Name: throttle, Hidden: true}),
			State{Config: m(throttle, "0:1"), DeclaredKeys: []string{throttle}}},
		{"of a pattern, declared and hidden", State{Config: m("confluent.x", "1"), DeclaredKeys: []string{"confluent.x"}}, entriesOf(Entry{Name: "confluent.x", Hidden: true}),
			State{Config: m(), SensitiveKeys: []string{"confluent.x"}, DeclaredKeys: []string{"confluent.x"}}},
		{"in state, not declared, left alone by now", State{Config: m("confluent.x", "1"), DeclaredKeys: []string{}}, entriesOf(Entry{Name: "confluent.x", Value: "1"}),
			State{Config: m(), DeclaredKeys: []string{}}},
		{"hidden foreign key by name C-22", State{}, entriesOf(Entry{Name: "s", Hidden: true}), State{SensitiveKeys: []string{"s"}}},
		{"hidden foreign key left alone", State{}, entriesOf(Entry{Name: "confluent.s", Hidden: true}), State{}},
		{"sensitive value that is hidden", State{Sensitive: m("s", "x"), SensitiveKeys: []string{"s"}}, entriesOf(Entry{Name: "s", Hidden: true}),
			State{Sensitive: m("s", "x"), SensitiveKeys: []string{"s"}}},
		{"sensitive value that is shown", State{Sensitive: m("s", "x"), SensitiveKeys: []string{"s"}}, entriesOf(Entry{Name: "s", Value: "y"}),
			State{Sensitive: m("s", "y"), SensitiveKeys: []string{"s"}}},
		{"sensitive value that is missing C-33", State{Sensitive: m("s", "x"), SensitiveKeys: []string{"s"}}, entriesOf(), State{Sensitive: m()}},
		{"write-only key that is shown stays a name", State{SensitiveKeys: []string{"w"}}, entriesOf(Entry{Name: "w", Value: "x"}), State{SensitiveKeys: []string{"w"}}},
		{"write-only key that is missing C-33", State{SensitiveKeys: []string{"w"}}, entriesOf(), State{}},
		{"empty text is a value C-22", State{}, entriesOf(Entry{Name: "a", Value: ""}), State{Config: m("a", "")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Refresh(c.prior, c.own, left)
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %s\nwant %s", show(got), show(c.want))
			}
			if again := Refresh(got, c.own, left); !reflect.DeepEqual(again, got) {
				t.Errorf("a second refresh changes state: %s", show(again))
			}
		})
	}
}

func show(s State) string {
	text := "config"
	for _, part := range []map[string]*string{s.Config, s.Sensitive} {
		if part == nil {
			text += " <null>"
			continue
		}
		text += " {"
		for _, key := range sortedKeys(part) {
			text += " " + key + "="
			if part[key] == nil {
				text += "<null>"
			} else {
				text += *part[key]
			}
		}
		text += " }"
	}
	return text + " names " + slicesString(s.SensitiveKeys) + " declared " + slicesString(s.DeclaredKeys)
}

func slicesString(all []string) string {
	text := "["
	for _, s := range slices.Sorted(slices.Values(all)) {
		text += " " + s
	}
	return text + " ]"
}
