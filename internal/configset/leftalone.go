// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Globs are patterns of config keys: `*` stands for any characters, dots included, `?` for one, `[a-z]` for one of a class.
type Globs []string

// CheckGlob gives an error that says what is wrong with a pattern, or nil.
func CheckGlob(pattern string) error {
	if strings.TrimSpace(pattern) == "" {
		return fmt.Errorf("an empty pattern matches no key")
	}
	if _, err := path.Match(flat(pattern), ""); err != nil {
		return fmt.Errorf("the pattern %q is malformed: a [ without its ], an empty class, or a \\ at the end", pattern)
	}
	return nil
}

// Match tells whether any of the patterns matches the key. Malformed patterns match nothing; CheckGlob finds them.
func (g Globs) Match(key string) bool {
	return slices.ContainsFunc(g, func(pattern string) bool {
		ok, err := path.Match(flat(pattern), flat(key))
		return err == nil && ok
	})
}

// flat takes away the one character that path.Match's star stops at.
func flat(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

// LeftAlone are the keys that a resource neither shows nor touches unless they are declared.
type LeftAlone struct {
	Keys     []string
	Patterns Globs
	// Kept are keys that the cluster sets itself and does not let go of: they are never reset, declared before or not.
	Kept []string
}

// Match tells whether the key is left alone unless declared.
func (l LeftAlone) Match(key string) bool {
	return slices.Contains(l.Keys, key) || slices.Contains(l.Kept, key) || l.Patterns.Match(key)
}

// ThrottleKeysOfTopics belong to whoever moves replicas: taking them away in mid-move lifts the throttle (KIP-73).
func ThrottleKeysOfTopics() []string {
	return []string{"leader.replication.throttled.replicas", "follower.replication.throttled.replicas"}
}

// ThrottleKeysOfBrokers are the rates that go with ThrottleKeysOfTopics, on brokers and at the cluster default.
func ThrottleKeysOfBrokers() []string {
	return []string{"leader.replication.throttled.rate", "follower.replication.throttled.rate", "replica.alter.log.dirs.io.max.bytes.per.second"}
}
