// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
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
	p := planning{Resource: r, declaration: d, topic: plan.Topic.ValueString(), resp: resp}
	var state *model
	if !req.State.Raw.IsNull() {
		state = &model{}
		resp.Diagnostics.Append(req.State.Get(ctx, state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if state == nil || !state.Topic.Equal(plan.Topic) {
		p.create(ctx, config, plan, known)
		return
	}
	remembered, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if !resp.Diagnostics.HasError() {
		p.update(ctx, config, plan, *state, remembered, known)
	}
}

// planning is one call of ModifyPlan.
type planning struct {
	*Resource
	declaration declaration
	topic       string
	resp        *resource.ModifyPlanResponse
}

// unknownLayout leaves to apply what is not known yet. What is configured stays as it is.
func (p planning) unknownLayout(ctx context.Context, config, plan model) {
	if config.Assignment.IsNull() {
		plan.Assignment = types.MapUnknown(replicaLists)
	}
	if config.Partitions.IsNull() {
		plan.Partitions = types.Int32Unknown()
	}
	if config.ReplicationFactor.IsNull() {
		plan.ReplicationFactor = types.Int32Unknown()
	}
	plan.Pending = types.BoolUnknown()
	p.setPlan(ctx, plan)
}

func (p planning) setPlan(ctx context.Context, plan model) {
	for name, value := range map[string]any{
		attrAssignment: plan.Assignment, attrPartitions: plan.Partitions, attrReplicationFactor: plan.ReplicationFactor, attrPending: plan.Pending,
	} {
		p.resp.Diagnostics.Append(p.resp.Plan.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// create plans for a topic that state does not know: an explicit layout as it is, a computed one unknown, as there is no snapshot
// that both plans of a run could be made from. The warning of the cost prints what it will be.
func (p planning) create(ctx context.Context, config, plan model, known bool) {
	if !known || p.declaration.explicit == nil {
		p.unknownLayout(ctx, config, plan)
	} else {
		plan.setLayout(p.declaration.explicit)
		plan.Pending = types.BoolUnknown()
		p.setPlan(ctx, plan)
	}
	if !known || plan.Topic.IsUnknown() || p.kafka == nil {
		return
	}
	l, ok := p.read(ctx)
	if !ok {
		return
	}
	wanted, err := target(p.topic, p.declaration, l.targets, memory{Brokers: rememberBrokers(l.brokers)})
	if err != nil {
		p.refuseTarget(err, l.targets)
		return
	}
	p.check(ctx, l, wanted, p.declaration.explicit == nil)
}

// update plans the change of a topic that state knows, from configuration, state and private state alone.
func (p planning) update(ctx context.Context, config, plan, state model, remembered memory, known bool) {
	if !known {
		p.unknownLayout(ctx, config, plan)
		return
	}
	before := assignmentOf(state.Assignment)
	wanted, err := target(p.topic, p.declaration, before, remembered)
	if err != nil {
		p.refuseTarget(err, before)
		return
	}
	changes := !wanted.Equal(before)
	plan.setLayout(wanted)
	plan.Pending = plannedPending(changes, plan.Wait.ValueBool(), state.Pending, remembered)
	p.setPlan(ctx, plan)
	if !changes || p.kafka == nil {
		return
	}
	l, ok := p.read(ctx)
	if !ok {
		return
	}
	if stale := outgrown(l, before, wanted, remembered, p.declaration.skip); stale != "" {
		p.resp.Diagnostics.AddError(fmt.Sprintf("The cluster changed since the layout of topic %q was read", p.topic), stale+" Plan again.")
		return
	}
	p.check(ctx, l, wanted, false)
}

// plannedPending: apply finishes what is pending unless it is told not to wait for moves that run.
func plannedPending(changes, wait bool, was types.Bool, remembered memory) types.Bool {
	switch {
	case wait:
		return types.BoolValue(false)
	case changes:
		return types.BoolUnknown()
	case was.ValueBool() && remembered.Moving:
		return types.BoolValue(true)
	default:
		return types.BoolValue(false)
	}
}

// read asks for the layout as it is. Where the topic is not there yet, there is nothing to check and nothing wrong.
func (p planning) read(ctx context.Context) (live, bool) {
	l, err := readLive(ctx, p.kafka, p.topic)
	var notListed *notListedError
	switch {
	case err == nil:
		return l, true
	case errors.Is(err, kafkaapi.ErrUnknownTopic):
	case errors.As(err, &notListed):
		p.resp.Diagnostics.AddWarning(fmt.Sprintf("Moves of topic %q are not known", p.topic), explain(err)+" The plan is made as if nothing moved.")
		return l, true
	default:
		p.resp.Diagnostics.AddError(fmt.Sprintf("Cannot read the layout of topic %q", p.topic), explain(err))
	}
	return live{}, false
}

// refuseTarget reports a declaration that no layout can satisfy, on the attribute that is to blame.
func (p planning) refuseTarget(err error, present placement.Assignment) {
	summary := fmt.Sprintf("The layout declared for topic %q is impossible", p.topic)
	var fewer *placement.FewerPartitionsError
	if errors.As(err, &fewer) {
		p.resp.Diagnostics.AddAttributeError(path.Root(attrPartitions), fmt.Sprintf("Topic %q cannot have fewer partitions", p.topic), fewerText(fewer.Current, fewer.Wanted))
		return
	}
	at := path.Root(attrPlacement)
	if p.declaration.replicationFactor > 0 {
		at = path.Root(attrReplicationFactor)
	}
	p.resp.Diagnostics.AddAttributeError(at, summary, fmt.Sprintf("%v. The topic has %d partitions now.", err, len(present)))
}

func fewerText(current, wanted int) string {
	return fmt.Sprintf("The topic has %d partitions and the configuration wants %d. Kafka cannot take partitions away, and this provider never recreates a topic; "+
		"raise the number to at least %d, or copy the data to a new topic.", current, wanted, current)
}

// check refuses what cannot work or should not happen and tells the cost of the rest. print has the whole layout printed, where the
// plan itself does not show it.
func (p planning) check(ctx context.Context, l live, wanted placement.Assignment, print bool) {
	f, err := gather(ctx, p.kafka, l, wanted, p.declaration)
	if err != nil {
		p.resp.Diagnostics.AddError(fmt.Sprintf("Cannot check the layout planned for topic %q", p.topic), explain(err))
		return
	}
	for _, found := range findings(f) {
		if found.check == "" || !contains(p.declaration.skip, found.check) {
			found.report(p.topic, p.declaration.explicit != nil, &p.resp.Diagnostics)
		}
	}
	if p.resp.Diagnostics.HasError() {
		return
	}
	if err := validateGrowth(ctx, p.kafka, l, wanted); err != nil {
		p.resp.Diagnostics.AddError(fmt.Sprintf("The brokers refuse new partitions of topic %q", p.topic), explain(err))
		return
	}
	p.warn(ctx, f, print)
}
