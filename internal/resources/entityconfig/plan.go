// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
)

// ModifyPlan plans the shared attributes and, where the plan changes the entity, has the brokers check it. A nil engine is that of a
// provider that is not configured, as in terraform validate: there is nothing to plan with.
func (e *Engine) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if e == nil {
		return
	}
	if req.Plan.Raw.IsNull() {
		e.planDestroy(ctx, req, resp)
		return
	}
	configuration, diags := readValues(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	entity, known, diags := e.Kind.Entity(ctx, req.Plan)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root(attrSensitiveKeys), plannedSensitiveKeys(configuration))...)

	p := planning{Engine: e, entity: entity, configuration: configuration, resp: resp}
	switch stays, diags := e.stays(ctx, req, entity); {
	case diags.HasError():
		resp.Diagnostics.Append(diags...)
	case stays:
		p.claim(ctx, req, true)
		p.update(ctx, req)
	case known:
		if req.State.Raw.IsNull() {
			p.claim(ctx, req, false)
		} else {
			// A replacement by another entity. Terraform calls again without the prior state, which is when the new entity is claimed,
			// but drops the warnings of that call: they must come from here.
			e.planDestroy(ctx, req, resp)
		}
		p.create(ctx)
	}
}

// plannedSensitiveKeys are the declared sensitive names; not known only while one of the maps is not known as a whole.
func plannedSensitiveKeys(v values) types.Set {
	if v.sensitive.IsUnknown() || v.writeOnly.IsUnknown() {
		return types.SetUnknown(types.StringType)
	}
	return setValue(v.sensitiveNames())
}

// stays tells whether the plan keeps an existing resource's entity.
func (e *Engine) stays(ctx context.Context, req resource.ModifyPlanRequest, planned kafkaapi.Entity) (bool, diagnostics) {
	if req.State.Raw.IsNull() {
		return false, nil
	}
	prior, _, diags := e.Kind.Entity(ctx, req.State)
	return prior == planned, diags
}

// planning is one call of ModifyPlan for a resource that will exist.
type planning struct {
	*Engine
	entity        kafkaapi.Entity
	configuration values
	prior         values // of an entity that state knows
	resp          *resource.ModifyPlanResponse
}

// claim refuses a second owner of the entity.
func (p planning) claim(ctx context.Context, req resource.ModifyPlanRequest, stays bool) {
	token, diags := ownership.Token(ctx, req.Private, stays)
	p.resp.Diagnostics.Append(diags...)
	if stays {
		p.resp.Diagnostics.Append(ownership.HandOn(ctx, p.resp.Private, token)...)
	}
	if p.resp.Diagnostics.HasError() {
		return
	}
	if p.Run.claim(p.entity, token) {
		if p.Run.leaving(p.entity) {
			p.warnRenamed()
		}
		return
	}
	p.resp.Diagnostics.AddError(fmt.Sprintf("Two resources own the configs of %s", p.entity),
		fmt.Sprintf("Another resource of this configuration declares the whole set of %s, so each would undo the other's changes. "+
			"Merge the two, or remove one of them from the configuration with a removed block that has destroy = false.", p.entity))
}

// warnRenamed warns of a plan that destroys one owner of the entity and creates another. Terraform orders the two as it likes.
func (p planning) warnRenamed() {
	p.resp.Diagnostics.AddWarning(fmt.Sprintf("The configs of %s change their resource", p.entity),
		fmt.Sprintf("One resource that declares them is destroyed and another one is created, in any order. The set of %s ends as declared, but it may be reset for a moment. "+
			"If the resource was renamed, write a moved block: then nothing changes on the cluster.", p.entity))
}

// update plans the change of an entity that state knows.
func (p planning) update(ctx context.Context, req resource.ModifyPlanRequest) {
	state, diags := readValues(ctx, req.State)
	p.resp.Diagnostics.Append(diags...)
	remembered, diags := readPrivate(ctx, req.Private, state.attributes())
	p.resp.Diagnostics.Append(diags...)
	if p.resp.Diagnostics.HasError() {
		return
	}
	left, err := p.leftAlone(ctx, p.entity, p.configuration)
	if err != nil {
		p.fail(err)
		return
	}
	p.prior = state
	p.keepSpelling(ctx, state, remembered, left)
	if !p.configuration.wholeKnown() {
		return
	}
	resend, diags := p.Kind.Resend(ctx, req.State, req.Config, p.configuration.desired().Keys())
	p.resp.Diagnostics.Append(diags...)
	p.warnStuck(state.state(remembered).Stuck(p.configuration.desired(), left))
	change := updateChange(state, p.configuration, remembered, left, resend)
	if change.Empty() || p.Kafka == nil {
		return
	}
	p.check(ctx, change, updating)
}

// keepSpelling plans the prior map where the configuration says the same by type, so that a respelled value is no change. Keys of
// state that are neither declared nor managed any more stay in the planned map, as apply will not touch them.
func (p planning) keepSpelling(ctx context.Context, state values, remembered private, left configset.LeftAlone) {
	for name, maps := range map[string][2]types.Map{
		attrConfig: {state.config, p.configuration.config}, attrSensitive: {state.sensitive, p.configuration.sensitive},
	} {
		prior, configured := maps[0], maps[1]
		if !elementsKnown(configured) {
			continue
		}
		managed := state.state(remembered).Managed(elements(prior), left)
		if configset.EqualMaps(managed, elements(configured), remembered.Types) {
			p.resp.Diagnostics.Append(p.resp.Plan.SetAttribute(ctx, path.Root(name), prior)...)
		}
	}
}

// updateChange is what an update sends: the difference that the plan shows between state and configuration.
func updateChange(state, configuration values, remembered private, left configset.LeftAlone, resend []string) configset.Change {
	rewrite := !configuration.version.IsNull() && !configuration.version.Equal(state.version)
	return configset.ForUpdate(state.state(remembered), configuration.desired(), remembered.Types, left, rewrite, resend)
}

// warnStuck names keys that are not declared any more and stay nevertheless.
func (p planning) warnStuck(keys []string) {
	if len(keys) == 0 {
		return
	}
	p.resp.Diagnostics.AddWarning(fmt.Sprintf("Configs of %s stay as they are", p.entity),
		fmt.Sprintf("The cluster sets %s itself and refuses to reset it, so its value stays and is left alone from now on.", strings.Join(keys, ", ")))
}

func (p planning) fail(err error) {
	if isMissing(err) {
		p.resp.Diagnostics.AddError(fmt.Sprintf("Cannot plan the configs of %s", p.entity), p.Kind.Missing(p.entity))
		return
	}
	p.resp.Diagnostics.AddError(fmt.Sprintf("Cannot plan the configs of %s", p.entity), p.explain(err, p.configuration.secrets()))
}

// create plans the adoption of an entity that state does not know.
func (p planning) create(ctx context.Context) {
	if p.Kafka == nil || !p.configuration.namesKnown() {
		return
	}
	// A plan of many creates reads as a refresh of many does. Create reads again.
	answer := p.Kafka.ReadConfigs(ctx, p.entity, kafkaapi.ListConfigsOptions{})
	switch {
	case isMissing(answer.Err):
		p.checkAbsent(ctx)
		return
	case answer.Err != nil:
		p.fail(answer.Err)
		return
	}
	left, err := p.leftAlone(ctx, p.entity, p.configuration)
	if err != nil {
		p.fail(err)
		return
	}
	change, undeclared := configset.ForCreate(own(p.entity, answer.Configs), p.configuration.desired(), left)
	p.warnAdoption(undeclared)
	if p.configuration.wholeKnown() && !change.Empty() {
		p.check(ctx, change, creating)
	}
}

// warnAdoption names every key that adopting the entity takes away.
func (p planning) warnAdoption(undeclared []configset.Entry) {
	if len(undeclared) == 0 {
		return
	}
	for _, entry := range undeclared {
		p.Run.nameAdopted(p.entity, entry.Name)
	}
	p.resp.Diagnostics.AddWarning(fmt.Sprintf("Undeclared configs of %s will be reset", p.entity),
		"These configs are set and not declared, so apply resets them to their inherited values:\n\n"+listing(undeclared)+
			"\n\nDeclare them to keep them, or name them in unmanaged_keys to leave them alone.")
}

// listing has a line for each entry; hidden values are not shown.
func listing(entries []configset.Entry) string {
	text := ""
	for i, entry := range entries {
		if i > 0 {
			text += "\n"
		}
		if entry.Hidden {
			text += fmt.Sprintf("  %s (the brokers hide its value)", entry.Name)
		} else {
			text += fmt.Sprintf("  %s = %q", entry.Name, entry.Value)
		}
	}
	return text
}

// planDestroy says what destroying the resource in state does to its entity.
func (e *Engine) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	entity, state, change, stuck, diags := e.destroyChange(ctx, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	p := planning{Engine: e, entity: entity, configuration: state, resp: resp}
	p.warnStuck(stuck)
	if diags.HasError() || change.Empty() || e.Kafka == nil || p.handsOver(ctx, req) {
		return
	}
	p.check(ctx, change, destroying)
}

// handsOver tells whether a destroy finds that another resource of the run has claimed the entity. It is then noted in the planned private
// state, so that apply resets nothing, whichever of the two it does first.
func (p planning) handsOver(ctx context.Context, req resource.ModifyPlanRequest) bool {
	if !req.Plan.Raw.IsNull() {
		return false // a replacement by another entity
	}
	p.Run.markLeaving(p.entity)
	if !p.Run.taken(p.entity) {
		return false
	}
	if !p.Run.hasWritten(p.entity) {
		// Terraform plans the destroy of a replaced object again in the apply, after the create: that is no rename, and Delete says so.
		p.warnRenamed()
	}
	state := p.configuration.attributes() // of a destroy
	remembered, diags := readPrivate(ctx, req.Private, state)
	p.resp.Diagnostics.Append(diags...)
	remembered.HandedOver = true
	p.resp.Diagnostics.Append(remembered.write(ctx, p.resp.Private, state)...)
	return true
}

// destroyChange is what destroying the resource in state sends. stuck are the declared keys that stay nevertheless.
func (e *Engine) destroyChange(ctx context.Context, from Attributes, memory privateReader) (
	entity kafkaapi.Entity, state values, change configset.Change, stuck []string, diags diagnostics,
) {
	entity, _, diags = e.Kind.Entity(ctx, from)
	state, more := readValues(ctx, from)
	diags.Append(more...)
	remembered, more := readPrivate(ctx, memory, state.attributes())
	diags.Append(more...)
	if diags.HasError() || state.onDestroy.ValueString() == destroyKeep {
		return entity, state, change, nil, diags
	}
	left, err := e.leftAlone(ctx, entity, state)
	if err != nil {
		diags.AddError(fmt.Sprintf("Cannot destroy the configs of %s", entity), e.explain(err, state.secrets()))
		return entity, state, change, nil, diags
	}
	prior := state.state(remembered)
	return entity, state, configset.ForDestroy(prior, left), prior.Stuck(configset.Desired{}, left), diags
}
