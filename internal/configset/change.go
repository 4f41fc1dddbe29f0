// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"slices"
)

// Desired are the declared configs of a configuration whose values are all known; null elements are left out before.
type Desired struct {
	Config, Sensitive, WriteOnly map[string]string
}

// Declares tells whether any of the maps has the key.
func (d Desired) Declares(key string) bool {
	_, ok := d.value(key)
	return ok
}

func (d Desired) value(key string) (string, bool) {
	for _, m := range []map[string]string{d.Config, d.Sensitive, d.WriteOnly} {
		if v, ok := m[key]; ok {
			return v, true
		}
	}
	return "", false
}

// Keys are the declared names, sorted.
func (d Desired) Keys() []string {
	names := map[string]bool{}
	for _, m := range []map[string]string{d.Config, d.Sensitive, d.WriteOnly} {
		for key := range m {
			names[key] = true
		}
	}
	return sortedKeys(names)
}

// Change is what one request has to set and to delete. What it does not name stays.
type Change struct {
	Set map[string]string
	// Delete is sorted.
	Delete []string
}

// Empty tells whether there is nothing to send.
func (c Change) Empty() bool { return len(c.Set) == 0 && len(c.Delete) == 0 }

// Keys are the names that the change touches, sorted.
func (c Change) Keys() []string {
	keys := append(sortedKeys(c.Set), c.Delete...)
	slices.Sort(keys)
	return keys
}

func (c *Change) set(key, value string) {
	if c.Set == nil {
		c.Set = map[string]string{}
	}
	c.Set[key] = value
}

// ForCreate makes the declared set the whole set of an entity that exists with the given own entries. Undeclared are the entries
// that the change deletes, sorted by name: what adopting the entity takes away.
func ForCreate(own map[string]Entry, desired Desired, left LeftAlone) (change Change, undeclared []Entry) {
	for _, key := range desired.Keys() {
		value, _ := desired.value(key)
		if entry, ok := own[key]; !ok || entry.Hidden || !Equal(entry.Type, value, entry.Value) {
			change.set(key, value)
		}
	}
	for _, key := range sortedKeys(own) {
		if !desired.Declares(key) && !left.Match(key) {
			change.Delete = append(change.Delete, key)
			undeclared = append(undeclared, own[key])
		}
	}
	return change, undeclared
}

// ForUpdate gives what leads from state to the declared set: exactly what a plan shows as their difference. rewrite says that the
// write-only values have a new version; without it such a value is written only where its key is missing on the entity or comes
// from another map. resend are declared keys that are written although nothing about them changed.
func ForUpdate(prior State, desired Desired, types map[string]Type, left LeftAlone, rewrite bool, resend []string) Change {
	var change Change
	for _, key := range desired.Keys() {
		value, _ := desired.value(key)
		_, writeOnly := desired.WriteOnly[key]
		known, isKnown := prior.Value(key)
		var write bool
		if writeOnly {
			write = rewrite || isKnown || !slices.Contains(prior.SensitiveKeys, key)
		} else {
			write = !isKnown || !Equal(types[key], known, value)
		}
		if write || slices.Contains(resend, key) {
			change.set(key, value)
		}
	}
	for _, key := range prior.Keys() {
		if !desired.Declares(key) && prior.removable(key, left) {
			change.Delete = append(change.Delete, key)
		}
	}
	return change
}

// ForDestroy gives what takes away all that state knows of the entity, keys left alone and never declared excepted.
func ForDestroy(prior State, left LeftAlone) Change {
	return ForUpdate(prior, Desired{}, nil, left, false, nil)
}

// removable: a key left alone goes only if it was declared, as then it is the resource's to take back, and the cluster lets go of it.
func (s State) removable(key string, left LeftAlone) bool {
	return !slices.Contains(left.Kept, key) && (s.declares(key) || !left.Match(key))
}
