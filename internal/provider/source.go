// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// environment looks variables up; a test gives its own look-up.
type environment struct {
	lookup func(name string) (string, bool)
}

// get looks a variable up by its name.
func (e environment) get(name string) (string, bool) {
	if e.lookup == nil {
		return os.LookupEnv(name)
	}
	return e.lookup(name)
}

// of gives the variable of an attribute: KAFKA_ and its path in upper case with _ between. Blanks around it do not count, and an empty variable
// is as good as none.
func (e environment) of(attribute string) (variable, value string) {
	variable = "KAFKA_" + strings.ToUpper(strings.ReplaceAll(attribute, ".", "_"))
	value, _ = e.get(variable)
	return variable, strings.TrimSpace(value)
}

// source is where one attribute's value comes from.
type source struct {
	// attribute is its path with dots: sasl.username.
	attribute string
	// variable is the environment variable that gave the value, empty where the block did.
	variable string
	texts    []string
	unknown  bool
}

// from decides for one attribute: the block where it has the attribute, known or not, otherwise the environment.
func from(attribute string, value attr.Value, elements []attr.Value, env environment) source {
	s := source{attribute: attribute}
	switch {
	case value.IsUnknown() || slices.ContainsFunc(elements, attr.Value.IsUnknown):
		s.unknown = true
	case !value.IsNull():
		if elements == nil {
			elements = []attr.Value{value}
		}
		for _, element := range elements {
			if text, ok := element.(types.String); ok && !text.IsNull() {
				s.texts = append(s.texts, text.ValueString())
			}
		}
	default:
		if variable, text := env.of(attribute); text != "" {
			s.variable = variable
			s.texts = []string{text}
		}
	}
	return s
}

func (s source) text() string {
	if len(s.texts) == 0 {
		return ""
	}
	return s.texts[0]
}

// list splits a variable at its commas.
func (s source) list() []string {
	if s.variable == "" {
		return s.texts
	}
	var items []string
	for item := range strings.SplitSeq(s.text(), ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

// where names what gave the value, for messages.
func (s source) where() string {
	if s.variable != "" {
		return "the environment variable " + s.variable
	}
	return "the attribute " + s.attribute
}

// at is the attribute's path.
func (s source) at() path.Path { return pathOf(s.attribute) }

func pathOf(attribute string) path.Path {
	names := strings.Split(attribute, ".")
	p := path.Root(names[0])
	for _, name := range names[1:] {
		p = p.AtName(name)
	}
	return p
}

// invalid is the error for a value that came through the environment, which no validator of the schema has seen.
func (s source) invalid(err error) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(s.at(), "Invalid "+s.attribute+" of the provider",
		fmt.Sprintf("The value of %s cannot be used: %v.", s.where(), err))
}
