// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
)

// applying is one create, update or destroy of one entity.
type applying struct {
	*Engine
	entity kafkaapi.Entity
	// declared has the values that may be written; in a configuration that includes the write-only ones.
	declared values
	prior    values // of an entity that state knows
	doing    verb
	diags    *diagnostics
}

// Create makes the declared set the whole set of an entity that exists. It leaves no state behind an error: state with an error
// would taint the resource, and the next apply would destroy it; without, the next apply is the same create, which adopts.
func (e *Engine) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	a := e.applying(ctx, req.Plan, req.Config, creating, &resp.Diagnostics)
	resp.Diagnostics.Append(e.Kind.SetIdentity(ctx, resp.Identity, a.entity)...)
	timeout, diags := a.declared.timeouts.Create(ctx, DefaultTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unlock, err := e.Run.lock(ctx, a.entity)
	if err != nil {
		a.fail(ctx, err)
		return
	}
	defer unlock()
	current, err := a.awaitVisible(ctx)
	if err != nil {
		a.fail(ctx, err)
		return
	}
	left, err := e.leftAlone(ctx, a.entity, a.declared)
	if err != nil {
		a.fail(ctx, err)
		return
	}
	change, undeclared := configset.ForCreate(own(a.entity, current), a.declared.desired(), left)
	a.warnLate(undeclared)
	if _, ok := a.write(ctx, change); !ok {
		return
	}
	types := configset.Types(entries(a.entity, current))
	resp.Diagnostics.Append(a.record(ctx, req.Plan, &resp.State, resp.Private, types)...)
}

// Update sends the difference that the plan showed, and nothing where there is none. State stays as it was behind an error; the
// next refresh sees what is there.
func (e *Engine) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	a := e.applying(ctx, req.Plan, req.Config, updating, &resp.Diagnostics)
	resp.Diagnostics.Append(ownership.Forget(ctx, resp.Private)...)
	resp.Diagnostics.Append(e.Kind.SetIdentity(ctx, resp.Identity, a.entity)...)
	state, diags := readValues(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	remembered, diags := readPrivate(ctx, req.Private, state.attributes())
	resp.Diagnostics.Append(diags...)
	resend, diags := e.Kind.Resend(ctx, req.State, req.Config, a.declared.desired().Keys())
	resp.Diagnostics.Append(diags...)
	timeout, diags := a.declared.timeouts.Update(ctx, DefaultTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	a.prior = state
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unlock, err := e.Run.lock(ctx, a.entity)
	if err != nil {
		a.fail(ctx, err)
		return
	}
	defer unlock()
	left, err := e.leftAlone(ctx, a.entity, a.declared)
	if err != nil {
		a.fail(ctx, err)
		return
	}
	types, ok := a.write(ctx, updateChange(state, a.declared, remembered, left, resend))
	if !ok {
		return
	}
	if types == nil {
		types = remembered.Types
	}
	resp.Diagnostics.Append(a.record(ctx, req.Plan, &resp.State, resp.Private, types)...)
}

// Delete resets what the destroy plan showed. Where another resource of the run owns the entity by now (a rename without a moved
// block, a replacement that creates first), it writes nothing: whichever order they run in, the declared set stays.
func (e *Engine) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	entity, state, change, _, diags := e.destroyChange(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	timeout, diags := state.timeouts.Delete(ctx, DefaultTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || change.Empty() {
		return
	}
	if e.Kafka == nil {
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot %s the configs of %s", destroying, entity), e.Offline)
		return
	}
	e.Run.markApplying()
	a := applying{Engine: e, entity: entity, declared: state, doing: destroying, diags: &resp.Diagnostics}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	unlock, err := e.Run.lock(ctx, entity)
	if err != nil {
		a.fail(ctx, err)
		return
	}
	defer unlock()
	remembered, diags := readPrivate(ctx, req.Private, state.attributes())
	resp.Diagnostics.Append(diags...)
	if remembered.HandedOver || e.Run.taken(entity) {
		resp.Diagnostics.AddWarning(fmt.Sprintf("The configs of %s were left as they are", entity),
			"Another resource of this run owns them, so the destroyed one reset nothing. If the resource was renamed, "+
				"a moved block says so and spares this.")
		return
	}
	a.reset(ctx, change)
}

// reset takes the change's keys away. An entity that is gone needs no reset.
func (a applying) reset(ctx context.Context, change configset.Change) {
	err := a.alter(ctx, a.entity, change, a.declared.keep(), false)
	if err == nil {
		_, err = a.awaitShown(ctx, change)
	}
	switch {
	case err == nil:
		a.diags.Append(a.Judge.Confirm(ctx, a.entity, change)...)
	case a.Judge.Lost(ctx, a.entity, err) != Gone:
		a.fail(ctx, err)
	case !isMissing(err):
		a.diags.AddWarning(fmt.Sprintf("The configs of %s were not reset", a.entity),
			"The cluster does not know it any more, so there is nothing to reset.")
	}
}

// applying reads what a create or an update works on.
func (e *Engine) applying(ctx context.Context, plan, configuration Attributes, doing verb, diags *diagnostics) applying {
	e.Run.markApplying()
	entity, _, more := e.Kind.Entity(ctx, plan)
	diags.Append(more...)
	declared, more := readValues(ctx, configuration)
	diags.Append(more...)
	if e.Kafka == nil {
		diags.AddError(fmt.Sprintf("Cannot %s the configs of %s", doing, entity), e.Offline)
	}
	return applying{Engine: e, entity: entity, declared: declared, doing: doing, diags: diags}
}

// write sends the change and waits until the live brokers show it. It gives the value types that they told, nil where nothing had
// to be written. ok is false where an error was reported.
func (a applying) write(ctx context.Context, change configset.Change) (types map[string]configset.Type, ok bool) {
	if change.Empty() {
		return nil, true
	}
	err := a.alter(ctx, a.entity, change, a.declared.keep(), false)
	if err == nil {
		types, err = a.awaitShown(ctx, change)
	}
	if err != nil {
		a.fail(ctx, err)
		return nil, false
	}
	a.diags.Append(a.Judge.Confirm(ctx, a.entity, change)...)
	return types, true
}

// fail reports why the entity could not be dealt with.
func (a applying) fail(ctx context.Context, err error) {
	summary := fmt.Sprintf("Cannot %s the configs of %s", a.doing, a.entity)
	switch {
	case isMissing(err):
		a.diags.AddError(summary, a.Kind.Missing(a.entity))
	case isRefusal(err):
		a.diags.Append(a.refusalOf(ctx, a.entity, a.declared, summary, err, a.doing, false))
	case a.doing == destroying && !errors.Is(err, context.Canceled):
		a.diags.AddError(summary, a.explain(err, a.declared.secrets())+" To forget the resource without resetting anything, use a removed "+
			"block with destroy = false, or set on_destroy = \"keep\".")
	default:
		a.diags.AddError(summary, a.explain(err, a.declared.secrets()))
	}
}

// warnLate names the keys that turned up after the plan: a create makes the declared set the whole set all the same.
func (a applying) warnLate(undeclared []configset.Entry) {
	var late []configset.Entry
	for _, entry := range undeclared {
		if !a.Run.namedAdopted(a.entity, entry.Name) {
			late = append(late, entry)
		}
	}
	if len(late) > 0 {
		a.diags.AddWarning(fmt.Sprintf("More undeclared configs of %s were reset", a.entity),
			"These configs turned up after the plan and were reset to their inherited values:\n\n"+listing(late))
	}
}

// record writes state as it was planned, and what the next plan has to know.
func (a applying) record(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State, memory privateWriter, types map[string]configset.Type) diagnostics {
	a.Run.markWritten(a.entity)
	state.Raw = plan.Raw
	diags := state.SetAttribute(ctx, path.Root(attrSensitiveKeys), plannedSensitiveKeys(a.declared))
	written, more := readValues(ctx, state)
	diags.Append(more...)
	declared := append([]string{}, a.declared.desired().Keys()...)
	diags.Append(private{Declared: declared, Types: types}.write(ctx, memory, written.attributes())...)
	return diags
}
