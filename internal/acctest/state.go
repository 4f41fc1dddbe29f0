// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Resource is what state holds of one resource.
type Resource struct {
	Type string

	t        testing.TB
	state    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// Resource makes a resource that state does not hold yet.
func (tf *Terraform) Resource(typeName string) *Resource { return &Resource{Type: typeName, t: tf.t} }

// Exists tells whether state holds the resource.
func (r *Resource) Exists() bool { return r.state.Type() != nil && !r.state.IsNull() }

// State gives the attributes, nil where state does not hold the resource.
func (r *Resource) State() Values {
	if !r.Exists() {
		return nil
	}
	return valuesOf(r.t, r.state)
}

// Private is the resource's private state as the state file holds it, empty where there is none.
func (r *Resource) Private() string { return string(r.private) }

// Raw is everything that the state file would hold, as text, to search for what must not be there.
func (r *Resource) Raw() string { return r.state.String() + string(r.private) }

// Copy gives the same state twice, as of a state file that was copied.
func (r *Resource) Copy() *Resource {
	other := *r
	other.private = slices.Clone(r.private)
	return &other
}

// Identity gives the resource's identity by name.
func (r *Resource) Identity(w *Walk) map[string]any {
	r.t.Helper()
	if r.identity == nil || r.identity.IdentityData == nil {
		return nil
	}
	value, err := r.identity.IdentityData.Unmarshal(w.identityType(r.Type))
	w.must(err)
	m, _ := decode(r.t, value).(map[string]any)
	return m
}

func (w *Walk) identityType(typeName string) tftypes.Type {
	w.tf.t.Helper()
	resp, err := w.server.GetResourceIdentitySchemas(w.tf.context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	w.must(err)
	diagnosticsOf(w.tf.t, resp.Diagnostics).None(w.tf.t)
	schema, ok := resp.IdentitySchemas[typeName]
	if !ok {
		w.tf.t.Fatalf("The resource %s has no identity", typeName)
	}
	return schema.ValueType()
}

func valuesOf(t testing.TB, value tftypes.Value) Values {
	t.Helper()
	m, _ := decode(t, value).(map[string]any)
	return m
}

// prior is the state as a value, null where there is none.
func (w *Walk) prior(r *Resource) tftypes.Value {
	w.tf.t.Helper()
	if !r.Exists() {
		return tftypes.NewValue(w.block(r.Type).ValueType(), nil)
	}
	return r.state
}

func (w *Walk) priorIdentity(r *Resource) *tfprotov6.ResourceIdentityData {
	if w.tf.BeforeIdentity {
		return nil
	}
	return r.identity
}

// Refresh reads the resource, which drops out of state if it is gone. Behind an error state stays as it was.
func (w *Walk) Refresh(r *Resource) Diagnostics {
	w.tf.t.Helper()
	if !r.Exists() {
		return nil
	}
	resp, err := w.server.ReadResource(w.tf.context(), &tfprotov6.ReadResourceRequest{
		TypeName: r.Type, CurrentState: w.dynamic(r.state), Private: r.private, CurrentIdentity: w.priorIdentity(r),
	})
	w.must(err)
	diags := diagnosticsOf(w.tf.t, resp.Diagnostics)
	if len(diags.Errors()) > 0 {
		return diags
	}
	r.state, r.private, r.identity = w.value(r.Type, resp.NewState), resp.Private, resp.NewIdentity
	if !r.state.IsFullyKnown() {
		w.tf.t.Errorf("Provider produced invalid object: a refreshed state has unknown values: %s", r.state)
	}
	w.checkWriteOnly(r.Type, "a refreshed state", r.state)
	return diags
}

// Import imports by id and refreshes, as core does.
func (w *Walk) Import(r *Resource, id string) Diagnostics {
	w.tf.t.Helper()
	return w.imported(r, &tfprotov6.ImportResourceStateRequest{TypeName: r.Type, ID: id})
}

// ImportIdentity imports by identity (Terraform 1.12).
func (w *Walk) ImportIdentity(r *Resource, identity Values) Diagnostics {
	w.tf.t.Helper()
	data := w.dynamic(encode(w.tf.t, w.identityType(r.Type), identity))
	return w.imported(r, &tfprotov6.ImportResourceStateRequest{TypeName: r.Type, Identity: &tfprotov6.ResourceIdentityData{IdentityData: data}})
}

func (w *Walk) imported(r *Resource, req *tfprotov6.ImportResourceStateRequest) Diagnostics {
	w.tf.t.Helper()
	resp, err := w.server.ImportResourceState(w.tf.context(), req)
	w.must(err)
	diags := diagnosticsOf(w.tf.t, resp.Diagnostics)
	if len(diags.Errors()) > 0 {
		return diags
	}
	if len(resp.ImportedResources) != 1 {
		w.tf.t.Fatalf("%d resources came from an import", len(resp.ImportedResources))
	}
	one := resp.ImportedResources[0]
	found := &Resource{Type: r.Type, t: r.t, state: w.value(r.Type, one.State), private: one.Private, identity: one.Identity}
	diags = append(diags, w.Refresh(found)...)
	switch {
	case len(diags.Errors()) > 0:
		return diags
	case !found.Exists():
		w.tf.t.Errorf("Cannot import non-existent remote object: the provider should say it itself")
	}
	*r = *found
	return diags
}
