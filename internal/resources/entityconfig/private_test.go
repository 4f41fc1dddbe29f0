// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
)

// memory is private state as the framework keeps it: an empty value is none.
type memory map[string][]byte

func (m memory) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return m[key], nil }

func (m memory) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	m[key] = value
	return nil
}

// What is kept beside a state is read back as it was; what the state tells is not kept.
func TestPrivate(t *testing.T) {
	text := func(value string) *string { return &value }
	state := configset.State{
		Config:    map[string]*string{"cleanup.policy": text("delete"), "preallocate": text("true"), "retention.ms": text("1"), "flush.ms": nil},
		Sensitive: map[string]*string{"min.cleanable.dirty.ratio": text("0.5")}, SensitiveKeys: []string{"min.cleanable.dirty.ratio", "secret"},
	}
	types := map[string]configset.Type{
		"cleanup.policy": configset.List, "preallocate": configset.Boolean, "retention.ms": configset.Long, "min.cleanable.dirty.ratio": configset.Double,
	}
	with := func(key string, t configset.Type) map[string]configset.Type {
		all := maps.Clone(types)
		all[key] = t
		return all
	}
	unknown := map[string]configset.Type{
		"cleanup.policy": configset.Unknown, "preallocate": configset.Unknown, "retention.ms": configset.Unknown, "min.cleanable.dirty.ratio": configset.Unknown,
	}
	declared := state.Keys()
	for _, c := range []struct {
		name string
		private
		state configset.State
		kept  string
	}{
		{"an ordinary state", private{Declared: declared, Types: types}, state, ""},
		{"nothing declared and nothing there", private{Declared: []string{}}, configset.State{}, ""},
		{"nothing declared of what is there", private{Declared: []string{}, Types: types}, state, `{"declared":[]}`},
		{"a foreign key", private{Declared: declared[1:], Types: types}, state, `{"declared":["min.cleanable.dirty.ratio","preallocate","retention.ms","secret"]}`},
		{"a declared key that is gone", private{Declared: []string{"retention.ms"}}, configset.State{}, `{"declared":["retention.ms"]}`},
		{"never applied", private{Types: types}, state, `{"unapplied":true}`},
		{"imported", private{Imported: true}, configset.State{}, `{"unapplied":true,"imported":true}`},
		{"handed over", private{Declared: declared, Types: types, HandedOver: true}, state, `{"handed_over":true}`},
		{"another type", private{Declared: declared, Types: with("retention.ms", configset.String)}, state, `{"types":{"retention.ms":2}}`},
		{
			"a broker that tells no types", private{Declared: declared, Types: unknown}, state,
			`{"types":{"cleanup.policy":0,"min.cleanable.dirty.ratio":0,"preallocate":0,"retention.ms":0}}`,
		},
		{"a type of a later Kafka", private{Declared: declared, Types: with("retention.ms", 12)}, state, `{"types":{"retention.ms":12}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := memory{privateKey: []byte(`{"declared":["of before"]}`)}
			if diags := c.write(t.Context(), m, c.state); diags.HasError() {
				t.Fatal(diags)
			}
			if got := string(m[privateKey]); got != c.kept {
				t.Errorf("Kept is %s, want %s", got, c.kept)
			}
			got, diags := readPrivate(t.Context(), m, c.state)
			if diags.HasError() || got.Imported != c.Imported || got.HandedOver != c.HandedOver {
				t.Errorf("Read %+v, %v", got, diags)
			}
			if (got.Declared == nil) != (c.Declared == nil) || !slices.Equal(got.Declared, c.Declared) {
				t.Errorf("Declared are %q, want %q", got.Declared, c.Declared)
			}
			if !maps.EqualFunc(got.Types, c.Types, configset.SameEquality) {
				t.Errorf("Types are %v, want %v", got.Types, c.Types)
			}
		})
	}
}

// Damaged private state is an error with a way out.
func TestDamagedPrivate(t *testing.T) {
	if _, diags := readPrivate(t.Context(), memory{privateKey: []byte(`{"declared":"x"}`)}, configset.State{}); !diags.HasError() {
		t.Error("No error")
	}
}
