// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"reflect"
	"testing"
)

type kv = map[string]string

func TestForCreate(t *testing.T) {
	left := LeftAlone{Keys: ThrottleKeysOfTopics()}
	for _, c := range []struct {
		name       string
		own        map[string]Entry
		desired    Desired
		want       Change
		undeclared []string
	}{
		{"nothing at all C-04", entriesOf(), Desired{}, Change{}, nil},
		{"adopts what is right already", entriesOf(Entry{Name: "p", Value: "true", Type: Boolean}), Desired{Config: kv{"p": "TRUE"}}, Change{}, nil},
		{"sets and deletes in one C-13", entriesOf(Entry{Name: "a", Value: "1"}), Desired{Config: kv{"b": "2"}}, Change{Set: kv{"b": "2"}, Delete: []string{"a"}}, []string{"a"}},
		{"leaves throttles C-90", entriesOf(Entry{Name: "leader.replication.throttled.replicas", Value: "*"}), Desired{}, Change{}, nil},
		{"hidden values are written, as nobody can compare them", entriesOf(Entry{Name: "s", Hidden: true}, Entry{Name: "w", Hidden: true}),
			Desired{Sensitive: kv{"s": "1"}, WriteOnly: kv{"w": "2"}}, Change{Set: kv{"s": "1", "w": "2"}}, nil},
		{"hidden foreign keys go by name", entriesOf(Entry{Name: "s", Hidden: true}), Desired{}, Change{Delete: []string{"s"}}, []string{"s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, undeclared := ForCreate(c.own, c.desired, left)
			var names []string
			for _, e := range undeclared {
				names = append(names, e.Name)
			}
			if !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(names, c.undeclared) {
				t.Errorf("got %v, undeclared %v", got, names)
			}
		})
	}
}

func TestForUpdate(t *testing.T) {
	left := LeftAlone{Keys: ThrottleKeysOfTopics(), Patterns: Globs{"x.*"}}
	types := map[string]Type{"d": Double}
	for _, c := range []struct {
		name    string
		prior   State
		desired Desired
		rewrite bool
		resend  []string
		want    Change
	}{
		{"nothing changes", State{Config: m("a", "1", "n", nil)}, Desired{Config: kv{"a": "1"}}, false, nil, Change{}},
		{"a respelled value is not sent", State{Config: m("d", ".5", "a", "1")}, Desired{Config: kv{"d": "0.50", "a": "2"}}, false, nil, Change{Set: kv{"a": "2"}}},
		{"only what changes is sent C-06 C-12", State{Config: m("a", "1", "b", "2")}, Desired{Config: kv{"a": "1", "b": "3"}}, false, nil, Change{Set: kv{"b": "3"}}},
		{"a removed key is deleted C-07", State{Config: m("a", "1", "b", "2")}, Desired{Config: kv{"a": "1"}}, false, nil, Change{Delete: []string{"b"}}},
		{"a foreign secret goes by name", State{SensitiveKeys: []string{"f"}, DeclaredKeys: []string{}}, Desired{}, false, nil, Change{Delete: []string{"f"}}},
		{"a declared throttle goes on removal C-40", State{Config: m("leader.replication.throttled.replicas", "*"), DeclaredKeys: []string{"leader.replication.throttled.replicas"}},
			Desired{}, false, nil, Change{Delete: []string{"leader.replication.throttled.replicas"}}},
		{"an undeclared key that is left alone by now stays C-10", State{Config: m("x.y", "1"), DeclaredKeys: []string{}}, Desired{}, false, nil, Change{}},
		{"moved to the sensitive map with its value", State{Config: m("a", "1")}, Desired{Sensitive: kv{"a": "1"}}, false, nil, Change{}},
		{"moved from the sensitive map with its value", State{Sensitive: m("a", "1"), SensitiveKeys: []string{"a"}}, Desired{Config: kv{"a": "1"}}, false, nil, Change{}},
		{"moved to write-only", State{Sensitive: m("a", "1"), SensitiveKeys: []string{"a"}}, Desired{WriteOnly: kv{"a": "1"}}, false, nil, Change{Set: kv{"a": "1"}}},
		{"moved from write-only, whose value nobody knows", State{SensitiveKeys: []string{"a"}}, Desired{Config: kv{"a": "1"}}, false, nil, Change{Set: kv{"a": "1"}}},
		{"write-only is not sent C-32", State{Config: m("b", "1"), SensitiveKeys: []string{"w"}}, Desired{Config: kv{"b": "2"}, WriteOnly: kv{"w": "x"}}, false, nil, Change{Set: kv{"b": "2"}}},
		{"write-only with a new version C-34", State{SensitiveKeys: []string{"w"}}, Desired{WriteOnly: kv{"w": "x"}}, true, nil, Change{Set: kv{"w": "x"}}},
		{"write-only key that is missing C-33", State{}, Desired{WriteOnly: kv{"w": "x"}}, false, nil, Change{Set: kv{"w": "x"}}},
		{"sensitive key that is missing C-33", State{Sensitive: m()}, Desired{Sensitive: kv{"s": "x"}}, false, nil, Change{Set: kv{"s": "x"}}},
		{"sent again on demand", State{Config: m("k", "file")}, Desired{Config: kv{"k": "file"}}, false, []string{"k", "not-declared"}, Change{Set: kv{"k": "file"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ForUpdate(c.prior, c.desired, types, left, c.rewrite, c.resend); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestForDestroy(t *testing.T) {
	left := LeftAlone{Keys: ThrottleKeysOfTopics()}
	prior := State{
		Config: m("a", "1", "n", nil, "leader.replication.throttled.replicas", "*"), Sensitive: m("s", "x"), SensitiveKeys: []string{"s", "w"},
		DeclaredKeys: []string{"a", "s", "w"},
	}
	if got, want := ForDestroy(prior, left), (Change{Delete: []string{"a", "s", "w"}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestVerify(t *testing.T) {
	change := Change{Set: kv{"a": "01", "b": "2", "c": "3", "h": "x"}, Delete: []string{"d", "e"}}
	own := entriesOf(Entry{Name: "a", Value: "1", Type: Int}, Entry{Name: "b", Value: "1", Type: Int}, Entry{Name: "d", Value: "9"}, Entry{Name: "h", Hidden: true})
	want := []string{`b is "1" although "2" was written`, `c is not set although "3" was written`, `d is still set (to "9") although it was reset`}
	var got []string
	for _, mismatch := range Verify(change, own) {
		got = append(got, mismatch.String())
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestManagedHidesWhatIsLeftAlone(t *testing.T) {
	state := State{Config: m("a", "1", "x.y", "2"), DeclaredKeys: []string{"a"}}
	if got := state.Managed(state.Config, LeftAlone{Patterns: Globs{"x.*"}}); !EqualMaps(got, m("a", "1"), nil) {
		t.Errorf("managed = %v", got)
	}
	if len(state.Config) != 2 {
		t.Error("the state itself was changed")
	}
}
