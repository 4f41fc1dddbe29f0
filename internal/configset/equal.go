// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"slices"
	"strings"
)

// Equal tells whether two texts are the same value to a broker. Brokers trim blanks, parse by type and print the parsed form,
// so what a user wrote and what is read back may differ in spelling only (Kafka's ConfigDef). Texts are read as Java
// reads them (number.go): an equality that is missed here would have every write waited for in vain.
// For an Unknown type two texts are equal if both read as the same number, boolean or list.
func Equal(t Type, a, b string) bool {
	a, b = trim(a), trim(b)
	if a == b {
		return true
	}
	switch t {
	case Boolean:
		return sameBoolean(a, b)
	case Int, Short, Long:
		return sameInteger(a, b)
	case Double:
		return sameDouble(a, b)
	case List:
		return sameList(a, b)
	case Unknown:
		return sameBoolean(a, b) || sameInteger(a, b) || sameDouble(a, b) || sameList(a, b)
	default:
		return false
	}
}

// LikelyType is the type that most configs with such a name and value have. Who keeps types beside values keeps the others only.
func LikelyType(name, value string) Type {
	value = trim(value)
	switch _, isInteger := integer(value); {
	case sameBoolean(value, value):
		return Boolean
	case isInteger:
		return Long
	}
	if _, isDouble := double(value); isDouble {
		return Double
	}
	if strings.HasSuffix(name, ".type") { // compression.type, message.timestamp.type
		return String
	}
	return List
}

// SameEquality tells whether values of the two types are equal under the same conditions.
func SameEquality(a, b Type) bool { return equality(a) == equality(b) }

// equality is the type that stands for all with the same conditions.
func equality(t Type) Type {
	switch t {
	case Int, Short:
		return Long
	case Class, Password:
		return String
	default:
		return t
	}
}

// trim takes away what brokers do not see at either end of a value: blanks and control characters (Java's String.trim), no other
// blank of Unicode.
func trim(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return r <= ' ' })
}

func sameBoolean(a, b string) bool {
	return strings.EqualFold(a, b) && (strings.EqualFold(a, "true") || strings.EqualFold(a, "false"))
}

func sameInteger(a, b string) bool {
	x, okX := integer(a)
	y, okY := integer(b)
	return okX && okY && x == y
}

func sameDouble(a, b string) bool {
	x, okX := double(a)
	y, okY := double(b)
	return okX && okY && x == y
}

// sameList compares items in order. Brokers from 4.2 on drop repeated items (KIP-1161), so a repeat makes no difference.
func sameList(a, b string) bool { return slices.Equal(listItems(a), listItems(b)) }

// listItems splits at commas and the blanks around them.
func listItems(text string) []string {
	const blanks = " \t\n\v\f\r"
	var items []string
	for item := range strings.SplitSeq(text, ",") {
		item = strings.Trim(item, blanks)
		if !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	return items
}

// EqualMaps tells whether two declarations say the same by type, null elements being no declaration. An absent map and an empty
// one differ, as Terraform cannot plan one for the other.
func EqualMaps(a, b map[string]*string, types map[string]Type) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	x, y := Declared(a), Declared(b)
	if len(x) != len(y) {
		return false
	}
	for key, value := range x {
		other, ok := y[key]
		if !ok || !Equal(types[key], value, other) {
			return false
		}
	}
	return true
}

// Declared drops null elements.
func Declared(m map[string]*string) map[string]string {
	declared := make(map[string]string, len(m))
	for key, value := range m {
		if value != nil {
			declared[key] = *value
		}
	}
	return declared
}
