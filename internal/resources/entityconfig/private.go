// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
)

// private is what a resource remembers beside its state, so that a plan without changes needs no question to a broker.
type private struct {
	// Declared are the names that the configuration declared when it was last applied; nil before that, empty where it declared none.
	Declared []string `json:"declared"`
	// Types are the value types of the configs in state.
	Types map[string]configset.Type `json:"types,omitempty"`
	// HandedOver: the resource is planned to be destroyed, and another one of the same plan owns the entity.
	HandedOver bool `json:"handed_over,omitempty"`
	// Imported: the state comes from an import and has not been refreshed yet.
	Imported bool `json:"imported,omitempty"`
}

const privateKey = "entityconfig"

type privateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

type privateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// readPrivate gives the zero value where nothing was kept.
func readPrivate(ctx context.Context, from privateReader) (private, diag.Diagnostics) {
	var p private
	raw, diags := from.GetKey(ctx, privateKey)
	if diags.HasError() || len(raw) == 0 {
		return p, diags
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		diags.AddError("Cannot read the private state of the resource",
			"The provider's own data in the state file is damaged: "+err.Error()+". Restore the state from a backup, or remove the "+
				"resource from state and import it again.")
	}
	return p, diags
}

func (p private) write(ctx context.Context, to privateWriter) diag.Diagnostics {
	raw, err := json.Marshal(p)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot write the private state of the resource", err.Error())}
	}
	return to.SetKey(ctx, privateKey, raw)
}

// typesOf picks the types of the named configs.
func typesOf(all map[string]configset.Type, keys []string) map[string]configset.Type {
	some := map[string]configset.Type{}
	for _, key := range keys {
		if t, ok := all[key]; ok {
			some[key] = t
		}
	}
	return some
}
