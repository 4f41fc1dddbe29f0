// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// propose gives the new state that core proposes: the configuration, with the prior values of what is computed and not configured.
// On create those are unknown. Write-only values are left out. Nested attributes are taken as a whole.
func propose(t testing.TB, block *tfprotov6.SchemaBlock, prior, config tftypes.Value) tftypes.Value {
	t.Helper()
	configured, before := as[map[string]tftypes.Value](t, config), attributes(t, prior)
	proposed := map[string]tftypes.Value{}
	for name, value := range configured {
		proposed[name] = value
	}
	for _, a := range block.Attributes {
		switch {
		case a.WriteOnly:
			proposed[a.Name] = tftypes.NewValue(a.ValueType(), nil)
		case a.Computed && configured[a.Name].IsNull() && before == nil:
			proposed[a.Name] = tftypes.NewValue(a.ValueType(), tftypes.UnknownValue)
		case a.Computed && configured[a.Name].IsNull():
			proposed[a.Name] = before[a.Name]
		}
	}
	return tftypes.NewValue(block.ValueType(), proposed)
}

func attributes(t testing.TB, value tftypes.Value) map[string]tftypes.Value {
	t.Helper()
	if value.IsNull() {
		return nil
	}
	return as[map[string]tftypes.Value](t, value)
}

// checkPlan is core's "Provider produced invalid plan": what is configured is planned as configured, or as it was before.
func checkPlan(t testing.TB, block *tfprotov6.SchemaBlock, prior, config, planned tftypes.Value) {
	t.Helper()
	if config.IsNull() {
		return
	}
	before, configured, after := attributes(t, prior), attributes(t, config), attributes(t, planned)
	if after == nil {
		t.Errorf("Provider produced invalid plan: a configured resource is planned as absent")
		return
	}
	for _, a := range block.Attributes {
		was, wants, gets := before[a.Name], configured[a.Name], after[a.Name]
		switch {
		case a.WriteOnly:
			if !gets.IsNull() {
				t.Errorf("Provider produced invalid plan: the write-only attribute %s is planned", a.Name)
			}
		case gets.Equal(wants), wants.IsNull() && a.Computed:
		case before != nil && gets.Equal(was) && !was.IsNull() && !wants.IsNull():
		default:
			t.Errorf("Provider produced invalid plan: %s is planned as %s, which is neither the configured %s nor the prior %s", a.Name, gets, wants, was)
		}
	}
	for _, b := range block.BlockTypes {
		if !after[b.TypeName].Equal(configured[b.TypeName]) {
			t.Errorf("Provider produced invalid plan: the block %s is planned as %s, configured as %s", b.TypeName, after[b.TypeName], configured[b.TypeName])
		}
	}
}

// checkCompatible is what core wants of a later value: equal to the planned one wherever that was known.
func checkCompatible(t testing.TB, problem string, planned, actual tftypes.Value) {
	t.Helper()
	if at, ok := compatible(decode(t, planned), decode(t, actual), ""); !ok {
		t.Errorf("%s: different at %q:\nplanned %v\nbut got %v", problem, at, decode(t, planned), decode(t, actual))
	}
}

// compatible gives the place of the first difference.
func compatible(planned, actual any, at string) (where string, ok bool) {
	if planned == Unknown {
		return at, true
	}
	p, isMap := planned.(map[string]any)
	a, alsoMap := actual.(map[string]any)
	if items, isList := planned.([]any); isList && slices.Contains(items, Unknown) {
		// Which element of a set became which is not told; core compares only the number, and of a set an upper bound.
		got, ok := actual.([]any)
		return at, ok && len(got) <= len(items)
	}
	if !isMap || !alsoMap {
		return at, reflect.DeepEqual(planned, actual)
	}
	for name, value := range p {
		got, there := a[name]
		if !there {
			return at + "." + name, false
		}
		if where, ok := compatible(value, got, at+"."+name); !ok {
			return where, false
		}
	}
	for name := range a {
		if _, wanted := p[name]; !wanted {
			return at + "." + name, false
		}
	}
	return at, true
}

func (w *Walk) checkWriteOnly(typeName, what string, value tftypes.Value) {
	w.tf.t.Helper()
	for _, a := range w.block(typeName).Attributes {
		if held := attributes(w.tf.t, value)[a.Name]; a.WriteOnly && held.Type() != nil && !held.IsNull() {
			w.tf.t.Errorf("Provider produced invalid object: %s holds the write-only attribute %s", what, a.Name)
		}
	}
}
