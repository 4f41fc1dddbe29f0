// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"maps"
	"slices"
)

// State is what a resource's state says of an entity.
type State struct {
	// Config and Sensitive are nil where the attribute is null; a nil element is a null element.
	Config, Sensitive map[string]*string
	// SensitiveKeys are the names of Sensitive, of the write-only map and of hidden foreign keys.
	SensitiveKeys []string
	// DeclaredKeys are the names that the configuration declared when state was last written by an apply; none before that, as after
	// an import: then no key is this resource's to take back from whoever it is left to.
	DeclaredKeys []string
}

// Keys are the names of all configs in state, sorted.
func (s State) Keys() []string {
	names := map[string]bool{}
	for key := range Declared(s.Config) {
		names[key] = true
	}
	for key := range Declared(s.Sensitive) {
		names[key] = true
	}
	for _, key := range s.SensitiveKeys {
		names[key] = true
	}
	return sortedKeys(names)
}

func (s State) declares(key string) bool { return slices.Contains(s.DeclaredKeys, key) }

// Values are the values that state knows, by name.
func (s State) Values() map[string]string {
	all := Declared(s.Config)
	maps.Copy(all, Declared(s.Sensitive))
	return all
}

// Value gives the value that state knows for a key.
func (s State) Value(key string) (string, bool) {
	if v := s.Config[key]; v != nil {
		return *v, true
	}
	if v := s.Sensitive[key]; v != nil {
		return *v, true
	}
	return "", false
}

// Refresh gives the state that tells the truth about the entity's own entries. Values equal by type keep the spelling of the prior
// state; null elements stay; a name never moves from SensitiveKeys into Config; keys left alone and not declared do not appear, and
// declared and hidden ones keep the value that they have in Config.
func Refresh(prior State, own map[string]Entry, left LeftAlone) State {
	next := State{
		Config:       nullElements(prior.Config),
		Sensitive:    nullElements(prior.Sensitive),
		DeclaredKeys: prior.DeclaredKeys,
	}
	for _, key := range sortedKeys(own) {
		if left.Match(key) && !prior.declares(key) {
			continue
		}
		entry := own[key]
		switch declared := prior.Sensitive[key]; {
		case declared != nil:
			next.Sensitive = with(next.Sensitive, key, spelling(entry, *declared))
			next.SensitiveKeys = append(next.SensitiveKeys, key)
		case entry.Hidden && prior.Config[key] != nil && slices.Contains(left.Keys, key):
			// No secret, though Kafka before 2.3 hides the throttle rates: as a name it would never be equal to what is declared.
			next.Config = with(next.Config, key, *prior.Config[key])
		case entry.Hidden || slices.Contains(prior.SensitiveKeys, key):
			next.SensitiveKeys = append(next.SensitiveKeys, key)
		default:
			value := entry.Value
			if known := prior.Config[key]; known != nil {
				value = spelling(entry, *known)
			}
			next.Config = with(next.Config, key, value)
		}
	}
	return next
}

// spelling prefers the known text where the broker hides the value or means the same.
func spelling(entry Entry, known string) string {
	if entry.Hidden || Equal(entry.Type, known, entry.Value) {
		return known
	}
	return entry.Value
}

// nullElements keeps the null elements of a map, and its being absent or not.
func nullElements(m map[string]*string) map[string]*string {
	if m == nil {
		return nil
	}
	nulls := maps.Clone(m)
	maps.DeleteFunc(nulls, func(_ string, v *string) bool { return v != nil })
	return nulls
}

func with(m map[string]*string, key, value string) map[string]*string {
	if m == nil {
		m = map[string]*string{}
	}
	m[key] = &value
	return m
}

// Managed is a map of state without the elements that are left alone: not declared when state was written, and now somebody else's.
func (s State) Managed(m map[string]*string, left LeftAlone) map[string]*string {
	managed := maps.Clone(m)
	maps.DeleteFunc(managed, func(key string, _ *string) bool { return left.Match(key) && !s.declares(key) })
	return managed
}

// Stuck are the keys that were declared, are not any more, and that the cluster keeps all the same, sorted.
func (s State) Stuck(desired Desired, left LeftAlone) []string {
	return slices.DeleteFunc(s.Keys(), func(key string) bool {
		return desired.Declares(key) || !s.declares(key) || !slices.Contains(left.Kept, key)
	})
}
