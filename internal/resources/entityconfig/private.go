// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
)

// private is what a resource remembers beside its state, so that a plan without changes needs no question to a broker.
type private struct {
	// Declared are the names that the configuration declared when it was last applied; nil before that, empty where it declared none.
	Declared []string
	// Types are the value types of the configs in state.
	Types map[string]configset.Type
	// HandedOver: the resource is planned to be destroyed, and another one of the same plan owns the entity.
	HandedOver bool
	// Imported: the state comes from an import and has not been refreshed yet.
	Imported bool
}

// kept is the part of private that the state beside it does not tell, which is nothing in most cases. Terraform writes the whole state
// after each change: with a thousand resources every byte of one is written a million times, and names and types took a third of them.
type kept struct {
	// Declared is absent where the declared names are all those in state.
	Declared *[]string `json:"declared,omitempty"`
	// Unapplied: nothing has been declared yet.
	Unapplied bool `json:"unapplied,omitempty"`
	// Types are those that are not the likely ones of the values in state.
	Types      map[string]configset.Type `json:"types,omitempty"`
	HandedOver bool                      `json:"handed_over,omitempty"`
	Imported   bool                      `json:"imported,omitempty"`
}

const privateKey = "entityconfig"

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// readPrivate gives what was kept beside this state.
func readPrivate(ctx context.Context, from privateReader, state configset.State) (private, diag.Diagnostics) {
	raw, diags := from.GetKey(ctx, privateKey)
	if diags.HasError() {
		return private{}, diags
	}
	var k kept
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &k); err != nil {
			diags.AddError("Cannot read the private state of the resource",
				"The provider's own data in the state file is damaged: "+err.Error()+". Restore the state from a backup, or remove the "+
					"resource from state and import it again.")
			return private{}, diags
		}
	}
	return k.beside(state), diags
}

// write keeps it beside this state.
func (p private) write(ctx context.Context, to privateWriter, state configset.State) diag.Diagnostics {
	k := p.without(state)
	if k.empty() {
		return to.SetKey(ctx, privateKey, nil)
	}
	raw, err := json.Marshal(k)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot write the private state of the resource", err.Error())}
	}
	return to.SetKey(ctx, privateKey, raw)
}

// beside adds what the state tells.
func (k kept) beside(state configset.State) private {
	p := private{HandedOver: k.HandedOver, Imported: k.Imported, Types: map[string]configset.Type{}}
	switch {
	case k.Declared != nil:
		p.Declared = *k.Declared
	case !k.Unapplied:
		p.Declared = append([]string{}, state.Keys()...)
	}
	for key, text := range state.Values() {
		p.Types[key] = configset.LikelyType(key, text)
	}
	maps.Copy(p.Types, k.Types)
	return p
}

// without leaves out what the state tells.
func (p private) without(state configset.State) kept {
	k := kept{HandedOver: p.HandedOver, Imported: p.Imported, Unapplied: p.Declared == nil}
	if p.Declared != nil && !slices.Equal(p.Declared, state.Keys()) {
		k.Declared = &p.Declared
	}
	for key, text := range state.Values() {
		if t := p.Types[key]; !configset.SameEquality(t, configset.LikelyType(key, text)) {
			if k.Types == nil {
				k.Types = map[string]configset.Type{}
			}
			k.Types[key] = t
		}
	}
	return k
}

func (k kept) empty() bool {
	return k.Declared == nil && !k.Unapplied && len(k.Types) == 0 && !k.HandedOver && !k.Imported
}
