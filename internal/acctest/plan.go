// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Action is what a plan is going to do with a resource.
type Action string

// The actions, in core's terms.
const (
	NoOp    Action = "no-op"
	Create  Action = "create"
	Update  Action = "update"
	Delete  Action = "delete"
	Replace Action = "replace"
)

// Plan is the planned change of one resource. It may be applied in another walk, as a saved plan is.
type Plan struct {
	Action      Action
	Diagnostics Diagnostics
	// Before and After are the attributes; After is nil for a delete.
	Before, After Values

	resource      *Resource
	config        Values
	before, after tftypes.Value
	private       []byte
	destroyed     []byte // the private state of the object that a replacement destroys
	identity      *tfprotov6.ResourceIdentityData
	made          bool
}

// Plan plans a configuration for a resource from the state it has; nil plans its destruction. Behind an error the plan has no action.
func (w *Walk) Plan(r *Resource, config Values) *Plan {
	w.tf.t.Helper()
	p := &Plan{resource: r, config: config, before: w.prior(r), private: r.private, Before: r.State()}
	if config == nil {
		w.plan(p, p.before, tftypes.NewValue(w.block(r.Type).ValueType(), nil))
		p.Action = Delete
		return p
	}
	if p.Diagnostics = w.Validate(r.Type, config); len(p.Diagnostics.Errors()) > 0 {
		return p
	}
	replace := w.plan(p, p.before, w.config(r.Type, config))
	if len(p.Diagnostics.Errors()) > 0 {
		return p
	}
	switch {
	case p.before.IsNull():
		p.Action = Create
	case len(replace) > 0:
		w.planReplacement(p)
	case p.after.Equal(p.before):
		p.Action = NoOp
	default:
		p.Action = Update
	}
	return p
}

// Replace plans a configuration as -replace and replace_triggered_by force it: the resource is destroyed and created anew.
func (w *Walk) Replace(r *Resource, config Values) *Plan {
	w.tf.t.Helper()
	p := w.Plan(r, config)
	if p.Action == NoOp || p.Action == Update {
		w.planReplacement(p)
	}
	return p
}

// planReplacement plans again without the prior state. Core keeps only the errors of that second call.
func (w *Walk) planReplacement(p *Plan) {
	w.tf.t.Helper()
	p.destroyed = p.private
	said := p.Diagnostics
	w.plan(p, tftypes.NewValue(p.before.Type(), nil), w.config(p.resource.Type, p.config))
	p.Diagnostics = slices.Concat(said, p.Diagnostics[len(said):].Errors())
	p.Action = Replace
}

// plan asks the provider and checks what core checks. It gives the attributes that force a replacement.
func (w *Walk) plan(p *Plan, prior, config tftypes.Value) []*tftypes.AttributePath {
	t := w.tf.t
	t.Helper()
	block := w.block(p.resource.Type)
	proposed := config
	if !config.IsNull() {
		proposed = propose(t, block, prior, config)
	}
	req := &tfprotov6.PlanResourceChangeRequest{
		TypeName: p.resource.Type, PriorState: w.dynamic(prior), ProposedNewState: w.dynamic(proposed), Config: w.dynamic(config), PriorPrivate: p.private,
	}
	if !prior.IsNull() {
		req.PriorIdentity = w.priorIdentity(p.resource)
	}
	resp, err := w.server.PlanResourceChange(w.tf.context(), req)
	w.must(err)
	said := diagnosticsOf(t, resp.Diagnostics)
	p.Diagnostics = append(p.Diagnostics, said...)
	if len(said.Errors()) > 0 {
		return nil
	}
	p.after, p.private = w.value(p.resource.Type, resp.PlannedState), resp.PlannedPrivate
	p.After = valuesOf(t, p.after)
	if !w.tf.BeforeIdentity {
		p.identity = resp.PlannedIdentity
	}
	checkPlan(t, block, prior, config, p.after)
	return resp.RequiresReplace
}

// Apply carries a plan out. As core does, it plans once more with what is known by now and compares; config is the configuration
// then, nil for the one that was planned. A no-op is not applied.
func (w *Walk) Apply(p *Plan, config Values) Diagnostics {
	w.tf.t.Helper()
	switch p.Action {
	case Replace:
		diags := w.Destroy(p)
		if len(diags.Errors()) > 0 {
			return diags
		}
		return append(diags, w.Make(p, config)...)
	case Delete:
		return w.Destroy(p)
	case NoOp:
		return nil
	case Create, Update:
		return w.Make(p, config)
	default:
		w.tf.t.Fatalf("A plan with errors cannot be applied:\n%s", p.Diagnostics)
		return nil
	}
}

// Make is the create or update of a plan. For a replacement it is the half that creates, which with create_before_destroy comes first.
func (w *Walk) Make(p *Plan, config Values) Diagnostics {
	t, r := w.tf.t, p.resource
	t.Helper()
	if config == nil {
		config = p.config
	}
	prior, private := p.before, r.private
	if p.Action == Replace {
		prior, private = tftypes.NewValue(p.before.Type(), nil), nil
	}
	again := &Plan{resource: r, config: config, before: prior, private: private}
	w.plan(again, prior, w.config(r.Type, config))
	if errs := again.Diagnostics.Errors(); len(errs) > 0 {
		return errs
	}
	checkCompatible(t, "Provider produced inconsistent final plan", p.after, again.after)
	resp, err := w.server.ApplyResourceChange(w.tf.context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: r.Type, PriorState: w.dynamic(prior), PlannedState: w.dynamic(again.after), Config: w.dynamic(w.config(r.Type, config)), PlannedPrivate: again.private,
		PlannedIdentity: again.identity,
	})
	w.must(err)
	diags := slices.Concat(again.Diagnostics, diagnosticsOf(t, resp.Diagnostics))
	state := w.value(r.Type, resp.NewState)
	if len(diags.Errors()) > 0 {
		w.checkTaint(p, state)
		if p.Action == Update && !state.IsNull() {
			// Core keeps what a failed update says that it has reached.
			r.state, r.private = state, slices.Clone(resp.Private)
		}
		return diags
	}
	checkCompatible(t, "Provider produced inconsistent result after apply", again.after, state)
	if !state.IsFullyKnown() {
		t.Errorf("Provider returned unknown values after apply: %s", state)
	}
	w.checkWriteOnly(r.Type, "an applied state", state)
	r.state, r.private, r.identity = state, slices.Clone(resp.Private), resp.NewIdentity
	p.made = true
	return diags
}

// checkTaint: a create that fails and leaves state behind taints the resource, and the next apply would destroy what it adopted.
func (w *Walk) checkTaint(p *Plan, state tftypes.Value) {
	w.tf.t.Helper()
	if p.Action != Update && !state.IsNull() {
		w.tf.t.Errorf("A failed %s left state behind, which taints the resource: %s", p.Action, state)
	}
}

// Destroy is the destroy of a plan. For a replacement it is the half that destroys.
func (w *Walk) Destroy(p *Plan) Diagnostics {
	t, r := w.tf.t, p.resource
	t.Helper()
	gone := tftypes.NewValue(p.before.Type(), nil)
	private := p.private
	if p.Action == Replace {
		private = p.destroyed
	}
	resp, err := w.server.ApplyResourceChange(w.tf.context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: r.Type, PriorState: w.dynamic(p.before), PlannedState: w.dynamic(gone), Config: w.dynamic(gone), PlannedPrivate: private,
		PlannedIdentity: p.identity,
	})
	w.must(err)
	diags := diagnosticsOf(t, resp.Diagnostics)
	state := w.value(r.Type, resp.NewState)
	if state.IsNull() != (len(diags.Errors()) == 0) {
		t.Errorf("A destroy left %s and said:\n%s", state, diags)
	}
	// With create_before_destroy the new object is in state already.
	if state.IsNull() && !p.made {
		r.state, r.private, r.identity = tftypes.Value{}, nil, nil
	}
	return diags
}
