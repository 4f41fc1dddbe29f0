// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Values are the attributes and blocks of a configuration or of a state by name. An absent name and nil are null; [Unknown] is a
// value that is not known yet, as a whole or as an element. Strings, booleans, ints, slices and maps stand for themselves, a map also
// for an object or a single block.
//
// What is read back has string, bool, int64, []any (sets in order of their texts) and map[string]any.
type Values map[string]any

type unknown struct{}

// String makes an unknown value show as Terraform shows it.
func (unknown) String() string { return "(known after apply)" }

// Unknown is a value that is not known yet.
var Unknown any = unknown{}

// With gives a copy with one more or another value.
func (v Values) With(name string, value any) Values {
	w := maps.Clone(v)
	if w == nil {
		w = Values{}
	}
	w[name] = value
	return w
}

// encode makes the protocol's value of a type.
func encode(t testing.TB, typ tftypes.Type, value any) tftypes.Value {
	t.Helper()
	switch v := value.(type) {
	case nil:
		return tftypes.NewValue(typ, nil)
	case unknown:
		return tftypes.NewValue(typ, tftypes.UnknownValue)
	case tftypes.Value:
		return v
	case Values:
		return encode(t, typ, map[string]any(v))
	case int:
		return tftypes.NewValue(typ, int64(v))
	case string, bool, int64:
		return tftypes.NewValue(typ, v)
	case []string:
		return encode(t, typ, anySlice(v))
	case map[string]string:
		return encode(t, typ, anyMap(v))
	case []any:
		return tftypes.NewValue(typ, encodeItems(t, typ, v))
	case map[string]any:
		return tftypes.NewValue(typ, encodeMap(t, typ, v))
	default:
		t.Fatalf("acctest: a %T is no value", value)
		return tftypes.Value{}
	}
}

func encodeItems(t testing.TB, typ tftypes.Type, items []any) []tftypes.Value {
	t.Helper()
	var element tftypes.Type
	switch c := typ.(type) {
	case tftypes.List:
		element = c.ElementType
	case tftypes.Set:
		element = c.ElementType
	default:
		t.Fatalf("acctest: a slice stands for no %s", typ)
	}
	values := make([]tftypes.Value, 0, len(items))
	for _, item := range items {
		values = append(values, encode(t, element, item))
	}
	return values
}

func encodeMap(t testing.TB, typ tftypes.Type, m map[string]any) map[string]tftypes.Value {
	t.Helper()
	values := map[string]tftypes.Value{}
	switch c := typ.(type) {
	case tftypes.Map:
		for key, value := range m {
			values[key] = encode(t, c.ElementType, value)
		}
	case tftypes.Object:
		for name, attribute := range c.AttributeTypes {
			values[name] = encode(t, attribute, m[name])
		}
		for name := range m {
			if _, ok := c.AttributeTypes[name]; !ok {
				t.Fatalf("acctest: there is no attribute %q, only %v", name, slices.Sorted(maps.Keys(c.AttributeTypes)))
			}
		}
	default:
		t.Fatalf("acctest: a map stands for no %s", typ)
	}
	return values
}

// decode is the inverse of encode.
func decode(t testing.TB, value tftypes.Value) any {
	t.Helper()
	switch {
	case !value.IsKnown():
		return Unknown
	case value.IsNull():
		return nil
	}
	switch typ := value.Type(); {
	case typ.Is(tftypes.String):
		return as[string](t, value)
	case typ.Is(tftypes.Bool):
		return as[bool](t, value)
	case typ.Is(tftypes.Number):
		n, _ := as[*big.Float](t, value).Int64()
		return n
	case typ.Is(tftypes.Map{}) || typ.Is(tftypes.Object{}):
		m := map[string]any{}
		for key, element := range as[map[string]tftypes.Value](t, value) {
			m[key] = decode(t, element)
		}
		return m
	default:
		items := []any{}
		for _, element := range as[[]tftypes.Value](t, value) {
			items = append(items, decode(t, element))
		}
		if typ.Is(tftypes.Set{}) {
			slices.SortFunc(items, compareText)
		}
		return items
	}
}

func as[T any](t testing.TB, value tftypes.Value) T {
	t.Helper()
	var v T
	if err := value.As(&v); err != nil {
		t.Fatalf("acctest: %v", err)
	}
	return v
}

func compareText(a, b any) int {
	x, y := fmt.Sprint(a), fmt.Sprint(b)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func anySlice(items []string) []any {
	all := make([]any, 0, len(items))
	for _, item := range items {
		all = append(all, item)
	}
	return all
}

func anyMap(m map[string]string) map[string]any {
	all := make(map[string]any, len(m))
	for key, value := range m {
		all[key] = value
	}
	return all
}
