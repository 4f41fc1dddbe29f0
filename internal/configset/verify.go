// SPDX-License-Identifier: MPL-2.0

package configset

import "fmt"

// Mismatch is a key whose entry is not what a change has made it.
type Mismatch struct {
	Key string
	// Want is the value that was set, nil where the key was deleted; Got what the entity has, nil where it does not hold the key.
	Want, Got *string
}

// String describes the mismatch; it quotes values.
func (m Mismatch) String() string {
	switch {
	case m.Want == nil:
		return fmt.Sprintf("%s is still set (to %q) although it was reset", m.Key, *m.Got)
	case m.Got == nil:
		return fmt.Sprintf("%s is not set although %q was written", m.Key, *m.Want)
	default:
		return fmt.Sprintf("%s is %q although %q was written", m.Key, *m.Got, *m.Want)
	}
}

// Verify gives the keys of a change that an answer of a broker does not show as written, sorted. A hidden value counts as written.
func Verify(change Change, own map[string]Entry) []Mismatch {
	var wrong []Mismatch
	for _, key := range change.Keys() {
		entry, present := own[key]
		want, set := change.Set[key]
		switch {
		case set && !present:
			wrong = append(wrong, Mismatch{Key: key, Want: &want})
		case set && !entry.Hidden && !Equal(entry.Type, want, entry.Value):
			wrong = append(wrong, Mismatch{Key: key, Want: &want, Got: &entry.Value})
		case !set && present:
			wrong = append(wrong, Mismatch{Key: key, Got: &entry.Value})
		}
	}
	return wrong
}
