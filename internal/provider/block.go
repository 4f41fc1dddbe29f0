// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// block is an attribute that has attributes, as the configuration has it.
type block struct {
	// name is its path with dots.
	name  string
	value types.Object
	env   environment
}

// written is whether the configuration has it, known or not.
func (b block) written() bool { return !b.value.IsNull() }

// whole is the block itself as a source, which is not known where it as a whole is not.
func (b block) whole() source { return source{attribute: b.name, unknown: b.value.IsUnknown()} }

// inner gives an attribute of the block that is one too.
func (b block) inner(name string) block {
	value, ok := b.value.Attributes()[name].(types.Object)
	switch {
	case b.value.IsUnknown():
		value = types.ObjectUnknown(nil)
	case !ok:
		value = types.ObjectNull(nil)
	}
	return block{name: b.name + "." + name, value: value, env: b.env}
}

// leaf decides where the value of an attribute comes from.
func (b block) leaf(name string) source {
	attribute := b.name + "." + name
	if b.value.IsUnknown() {
		return source{attribute: attribute, unknown: true}
	}
	switch value := b.value.Attributes()[name].(type) {
	case nil:
		// The block is absent.
		return from(attribute, types.StringNull(), nil, b.env)
	case types.Bool:
		return from(attribute, boolText(value), nil, b.env)
	case types.List:
		return from(attribute, value, value.Elements(), b.env)
	case types.Map:
		return from(attribute, value, pairsOf(value), b.env)
	default:
		return from(attribute, value, nil, b.env)
	}
}

// boolText spells a boolean as an environment variable would.
func boolText(b types.Bool) types.String {
	switch {
	case b.IsUnknown():
		return types.StringUnknown()
	case b.IsNull():
		return types.StringNull()
	}
	return types.StringValue(strconv.FormatBool(b.ValueBool()))
}

// pairsOf spells a map as texts k=v.
func pairsOf(m types.Map) []attr.Value {
	pairs := []attr.Value{}
	for key, value := range m.Elements() {
		text, ok := value.(types.String)
		if !ok || text.IsUnknown() {
			pairs = append(pairs, types.StringUnknown())
			continue
		}
		pairs = append(pairs, types.StringValue(key+"="+text.ValueString()))
	}
	return pairs
}

// pairs splits texts k=v.
func (s source) pairs() (map[string]string, error) {
	texts := s.list()
	if len(texts) == 0 {
		return nil, nil
	}
	m := make(map[string]string, len(texts))
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		if !ok || strings.TrimSpace(key) == "" {
			return nil, errNoPair
		}
		m[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	return m, nil
}

// set is whether there may be a value: one that is not known yet may turn out to be none.
func (s source) set() bool { return s.unknown || s.has() }

// has is whether there is a value for certain.
func (s source) has() bool { return s.text() != "" }

// written is whether the value stands in the configuration.
func (s source) written() bool { return s.variable == "" && s.has() }
