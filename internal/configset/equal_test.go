// SPDX-License-Identifier: MPL-2.0

package configset

import "testing"

// What brokers read back for what users type, as seen on real ones. C-09: blanks in lists.
func TestEqual(t *testing.T) {
	for _, c := range []struct {
		name string
		t    Type
		a, b string
		want bool
	}{
		{"same text", String, "gzip", "gzip", true},
		{"outer blanks", String, " gzip ", "gzip", true},
		{"an enum's case counts", String, "GZIP", "gzip", false},
		{"boolean in capitals", Boolean, "TRUE", "true", true},
		{"booleans differ", Boolean, "true", "false", false},
		{"no boolean at all", Boolean, "YES", "yes", false},
		{"leading zeros", Long, "0100000", "100000", true},
		{"plus sign", Int, "+5", "5", true},
		{"minus one", Long, "-1", "-01", true},
		{"exponent is no integer", Long, "1e3", "1000", false},
		{"underscores are no integer", Long, "1_000", "1000", false},
		{"beyond 64 bits", Long, "99999999999999999999", "099999999999999999999", false},
		{"double with exponent", Double, "1.0E8", "100000000.0", true},
		{"double without zero", Double, ".50", "0.5", true},
		{"double as integer", Double, "1", "1.0", true},
		{"suffix of a float", Double, "0.5f", "0.5", true},
		{"suffix of a double", Double, "1e-1D", "0.1", true},
		{"two suffixes", Double, "0.5fd", "0.5", false},
		{"hexadecimal", Double, "0x1p-2", "0.25", true},
		{"hexadecimal with suffix", Double, "0X1.8P1d", "3.0", true},
		{"hexadecimal without exponent", Double, "0x1", "1.0", false},
		{"underscores are no double", Double, "0x_1p-2", "0.25", false},
		{"digits of another script", Long, "٦٠٠٠٠", "60000", true},
		{"wide digits with a sign", Int, "-６", "-6", true},
		{"a letter of another script", Long, "6а", "6", false},
		{"control characters at the ends", Long, "\x0060000\x1f", "60000", true},
		{"a control character inside", Long, "6\x010", "60", false},
		{"a hard blank is no blank", String, "gzip\u00a0", "gzip", false},
		{"line feeds in a list", List, "\ndelete\n,\ncompact\n", "delete,compact", true},
		{"infinity is not taken", Double, "Inf", "inf", false},
		{"list blanks C-09", List, "delete , compact", "delete,compact", true},
		{"list order counts", List, "compact,delete", "delete,compact", false},
		{"list repeats do not", List, "delete,delete,compact", "delete,compact", true},
		{"list case counts", List, "Delete", "delete", false},
		{"class name", Class, "a.B", "a.b", false},
		{"a password is a text", Password, "0100", "100", false},
		{"unknown: number", Unknown, "0100", "100", true},
		{"unknown: double", Unknown, "1.0E8", "100000000.0", true},
		{"unknown: boolean", Unknown, "True", "true", true},
		{"unknown: list", Unknown, "a, b", "a,b", true},
		{"unknown: text", Unknown, "a", "b", false},
		{"empty text is a value", String, "", "x", false},
		{"empty equals blank", List, " ", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Equal(c.t, c.a, c.b); got != c.want {
				t.Errorf("Equal(%d, %q, %q) = %v", c.t, c.a, c.b, got)
			}
			if got := Equal(c.t, c.b, c.a); got != c.want {
				t.Errorf("Equal(%d, %q, %q) = %v: not symmetric", c.t, c.b, c.a, got)
			}
		})
	}
}

func TestEqualMaps(t *testing.T) {
	types := map[string]Type{"preallocate": Boolean}
	for _, c := range []struct {
		name string
		a, b map[string]*string
		want bool
	}{
		{"both absent", nil, nil, true},
		{"absent and empty differ", nil, m(), false},
		{"null elements do not count", m("a", "1", "b", nil), m("a", "1"), true},
		{"respelled", m("preallocate", "TRUE"), m("preallocate", "true"), true},
		{"one more", m("a", "1"), m("a", "1", "b", "2"), false},
		{"another key", m("a", "1"), m("b", "1"), false},
		{"another value", m("a", "1"), m("a", "2"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := EqualMaps(c.a, c.b, types); got != c.want {
				t.Errorf("EqualMaps = %v", got)
			}
		})
	}
}

// m makes a map of elements from names and values; a nil value is a null element.
func m(pairs ...any) map[string]*string {
	all := map[string]*string{}
	for i := 0; i < len(pairs); i += 2 {
		key, _ := pairs[i].(string)
		all[key] = nil
		if value, ok := pairs[i+1].(string); ok {
			all[key] = &value
		}
	}
	return all
}

// The likely type is that of most configs with such a value, and those of the names that say so.
func TestLikelyType(t *testing.T) {
	for value, want := range map[string]Type{
		"true": Boolean, " FALSE": Boolean, "yes": List, "604800000": Long, "-1 ": Long, "+5": Long, "0.5": Double, "1.0E9": Double,
		"delete": List, "compact,delete": List, "": List, "99999999999999999999": Double,
	} {
		if got := LikelyType("cleanup.policy", value); got != want {
			t.Errorf("%q is a %d, want %d", value, got, want)
		}
	}
	if got := LikelyType("compression.type", "zstd"); got != String {
		t.Errorf("compression.type is a %d", got)
	}
}

// Types with one equality are those that Equal treats alike.
func TestSameEquality(t *testing.T) {
	texts := []string{"1", "01", "1.0", "true", "TRUE", "a,b", "a , b", "a", "a,a"}
	alike := func(x, y Type) bool {
		for _, a := range texts {
			for _, b := range texts {
				if Equal(x, a, b) != Equal(y, a, b) {
					return false
				}
			}
		}
		return true
	}
	for x := Unknown; x <= Password; x++ {
		for y := Unknown; y <= Password; y++ {
			if SameEquality(x, y) != alike(x, y) {
				t.Errorf("Types %d and %d: %v", x, y, SameEquality(x, y))
			}
		}
	}
}
