// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
)

// ModifyPlan plans the layout and, where it changes, checks it against the cluster and tells what it costs. A destroy changes nothing.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var config, plan model
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	d, known, diags := config.declared(ctx)
	resp.Diagnostics.Append(diags...)
	var state *model
	if !req.State.Raw.IsNull() {
		state = &model{}
		resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	}
	remembered, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	p := planning{Resource: r, declaration: d, topic: plan.Topic.ValueString(), config: config, plan: plan, noted: remembered.Throttle, resp: resp}
	if resp.Diagnostics.HasError() {
		return
	}
	switch stays := state != nil && state.Topic.Equal(plan.Topic); {
	case stays:
		p.claim(ctx, req, true)
		p.update(ctx, *state, remembered, known)
	case state == nil && !plan.Topic.IsUnknown():
		p.claim(ctx, req, false)
		p.create(ctx, known)
	default:
		// Another topic. Terraform calls again without the prior state, which is when the topic is claimed, but drops the warnings of
		// that call: they must come from here.
		p.create(ctx, known && !plan.Topic.IsUnknown())
	}
}

// planning is one call of ModifyPlan.
type planning struct {
	*Resource
	declaration  declaration
	topic        string
	config, plan model
	// noted is the throttle that the last apply could not take back.
	noted *reassign.Throttle
	resp  *resource.ModifyPlanResponse
}

// claim refuses a second owner of the topic's layout.
func (p planning) claim(ctx context.Context, req resource.ModifyPlanRequest, stays bool) {
	token, diags := ownership.Token(ctx, req.Private, stays)
	p.resp.Diagnostics.Append(diags...)
	if stays {
		p.resp.Diagnostics.Append(ownership.HandOn(ctx, p.resp.Private, token)...)
	}
	if p.claims == nil || p.resp.Diagnostics.HasError() || p.claims.Claim(p.topic, token) {
		return
	}
	p.resp.Diagnostics.AddError(fmt.Sprintf("Two resources own the layout of topic %q", p.topic),
		fmt.Sprintf("Another resource of this configuration declares the replicas of topic %q, so each would undo the other's moves. "+
			"Merge the two, or remove one of them from the configuration; the topic stays as it is.", p.topic))
}

// unknownLayout leaves to apply what is not known yet. What is configured stays as it is.
func (p planning) unknownLayout(ctx context.Context) {
	if p.config.Assignment.IsNull() {
		p.plan.Assignment = types.MapUnknown(replicaLists)
	}
	if p.config.Partitions.IsNull() {
		p.plan.Partitions = types.Int32Unknown()
	}
	if p.config.ReplicationFactor.IsNull() {
		p.plan.ReplicationFactor = types.Int32Unknown()
	}
	p.plan.Pending = types.BoolUnknown()
	p.setPlan(ctx)
}

func (p planning) setPlan(ctx context.Context) {
	for name, value := range map[string]any{
		attrAssignment: p.plan.Assignment, attrPartitions: p.plan.Partitions, attrReplicationFactor: p.plan.ReplicationFactor, attrPending: p.plan.Pending,
	} {
		p.resp.Diagnostics.Append(p.resp.Plan.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// create plans for a topic that state does not know: an explicit layout as it is, a computed one unknown, as there is no snapshot
// that both plans of a run could be made from. The warning of the cost prints what it will be.
func (p planning) create(ctx context.Context, known bool) {
	if !known || p.declaration.explicit == nil {
		p.unknownLayout(ctx)
	} else {
		p.plan.setLayout(p.declaration.explicit)
		p.plan.Pending = types.BoolUnknown()
		p.setPlan(ctx)
	}
	if known && p.kafka != nil && !p.resp.Diagnostics.HasError() {
		p.preview(ctx, nil)
	}
}

// preview checks what apply is going to compute, as things are now, and prints it. before is the layout in state, nil on create.
func (p planning) preview(ctx context.Context, before placement.Assignment) {
	l, ok := p.read(ctx, before)
	if !ok {
		return
	}
	wanted, err := target(p.topic, p.declaration, l.targets, memory{Brokers: rememberBrokers(l.brokers)})
	if err != nil {
		p.refuseTarget(err, l.targets, rememberBrokers(l.brokers))
		return
	}
	p.check(ctx, l, wanted, before, p.declaration.explicit == nil)
}

// update plans the change of a topic that state knows, from configuration, state and private state alone.
func (p planning) update(ctx context.Context, state model, remembered memory, known bool) {
	if !known {
		p.unknownLayout(ctx)
		return
	}
	before := assignmentOf(state.Assignment)
	wanted, exact, err := planned(p.topic, p.declaration, before, remembered)
	switch {
	case err != nil:
		p.refuseTarget(err, before, remembered.Brokers)
		return
	case len(wanted) < len(before):
		p.refuseTarget(&placement.FewerPartitionsError{Current: len(before), Wanted: len(wanted)}, before, nil)
		return
	case !exact:
		p.unknownLayout(ctx)
		if p.kafka != nil {
			p.preview(ctx, before)
		}
		return
	}
	changes := !wanted.Equal(before)
	p.plan.setLayout(wanted)
	p.plan.Pending = plannedPending(changes, p.plan.Wait, state.Pending, remembered)
	p.setPlan(ctx)
	if !changes || p.kafka == nil || p.resp.Diagnostics.HasError() {
		return
	}
	l, ok := p.read(ctx, before)
	if !ok {
		return
	}
	if stale := outgrown(l, before, wanted, remembered, p.declaration.skip); stale != "" {
		p.resp.Diagnostics.AddError(fmt.Sprintf("The cluster changed since the layout of topic %q was read", p.topic), stale+" Nothing was written. Plan again.")
		return
	}
	p.check(ctx, l, wanted, before, false)
}

// plannedPending: apply finishes what is pending unless it is told not to wait for moves that run.
func plannedPending(changes bool, wait types.Bool, was types.Bool, remembered memory) types.Bool {
	switch {
	case wait.IsUnknown() && (changes || was.ValueBool()):
		return types.BoolUnknown()
	case wait.ValueBool():
		return types.BoolValue(false)
	case changes:
		return types.BoolUnknown()
	case was.ValueBool() && remembered.Moving:
		return types.BoolValue(true)
	default:
		return types.BoolValue(false)
	}
}
