// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"maps"
	"slices"
)

// Type is a config's value type; the numbers are Kafka's (DescribeConfigs v3, KIP-569).
type Type int8

// The value types. Unknown is what brokers before 2.6 say of every config.
const (
	Unknown  Type = 0
	Boolean  Type = 1
	String   Type = 2
	Int      Type = 3
	Short    Type = 4
	Long     Type = 5
	Double   Type = 6
	List     Type = 7
	Class    Type = 8
	Password Type = 9
)

// Entry is one config of an entity as a broker describes it.
type Entry struct {
	Name string
	// Value is empty where Hidden.
	Value string
	// Hidden: the broker does not show the value.
	Hidden bool
	// Own: the entity itself holds the config, other than inheriting it.
	Own  bool
	Type Type
}

// Own gives the entries that make up the entity's set, by name.
func Own(entries []Entry) map[string]Entry {
	own := map[string]Entry{}
	for _, e := range entries {
		if e.Own {
			own[e.Name] = e
		}
	}
	return own
}

// Types gives the type of every described config by name; unknown types are left out.
func Types(entries []Entry) map[string]Type {
	types := map[string]Type{}
	for _, e := range entries {
		if e.Type != Unknown {
			types[e.Name] = e.Type
		}
	}
	return types
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
