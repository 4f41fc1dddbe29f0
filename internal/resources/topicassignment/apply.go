// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
)

// applying is one create or update.
type applying struct {
	kafka       Kafka
	mover       Mover
	topic       string
	declaration declaration
	// before is the layout in state, nil on create; began are the lists before moves that an earlier apply left in flight, as it noted.
	before, wanted placement.Assignment
	began          map[int32][]int32
	// wait is false where the moves are left to themselves once they are accepted.
	wait, elects bool
	interruption reassign.Interruption
	// throttle is the provider's, noted what an earlier apply could not take back.
	throttle int64
	noted    *reassign.Throttle
	diags    *diag.Diagnostics
	// held is the throttle that the executor did not take back, former what the partitions in flight had before.
	held   reassign.Throttle
	former map[int32][]int32
}

func (r *Resource) applying(plan model, d declaration, diags *diag.Diagnostics) *applying {
	if r.kafka == nil {
		diags.AddError(fmt.Sprintf("Cannot apply the layout of topic %q", plan.Topic.ValueString()), r.offline)
	}
	// What is planned as not pending has to be finished, whatever wait_for_completion says.
	promised := !plan.Pending.IsUnknown() && !plan.Pending.ValueBool()
	return &applying{
		kafka: r.kafka, mover: r.mover, topic: plan.Topic.ValueString(), declaration: d,
		wait: plan.Wait.ValueBool() || promised, elects: plan.Elect.ValueBool(),
		interruption: reassign.Interruption(plan.OnInterruption.ValueString()), throttle: r.throttle, diags: diags,
	}
}

// Create brings an existing topic to the declared layout. It leaves no state behind an error, so that nothing is tainted: the next
// apply is the same create, which takes over what was begun.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(attrTopic), plan.Topic)...)
	timeout, diags := plan.Timeouts.Create(ctx, defaultTimeout)
	resp.Diagnostics.Append(diags...)
	d, _, diags := config.declared(ctx)
	resp.Diagnostics.Append(diags...)
	a := r.applying(plan, d, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	l, err := a.begin(ctx, d.explicit)
	if err == nil {
		a.wanted, err = target(a.topic, d, l.targets, memory{Brokers: rememberBrokers(l.brokers)})
	}
	if err != nil {
		a.fail(err)
		return
	}
	if !a.allowed(ctx, l) {
		return
	}
	l, owed, err := a.bring(ctx, l, leftUnled(ctx, a.kafka, l, a.wanted))
	var election *electionError
	if errors.As(err, &election) && !refusedAny(err) {
		resp.Diagnostics.AddWarning(fmt.Sprintf("Leaders of topic %q were not elected", a.topic), explain(err)+" The next apply tries it again.")
	} else if err != nil {
		a.fail(err)
		return
	}
	plan.setLayout(a.wanted)
	next := a.remember(l, a.wanted, owed)
	plan.Pending = next.pending()
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(next.write(ctx, resp.Private)...)
}

// Update brings the topic to the planned layout. Where that fails, state holds what was reached.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state, config model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(attrTopic), plan.Topic)...)
	resp.Diagnostics.Append(ownership.Forget(ctx, resp.Private)...)
	remembered, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	timeout, diags := plan.Timeouts.Update(ctx, defaultTimeout)
	resp.Diagnostics.Append(diags...)
	d, _, diags := config.declared(ctx)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	if plan.Assignment.Equal(state.Assignment) && plan.Pending.Equal(state.Pending) {
		// Attributes of the provider's own side, such as timeouts: nothing is asked and nothing sent.
		resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
		return
	}
	a := r.applying(plan, d, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	a.before, a.began, a.noted = assignmentOf(state.Assignment), remembered.Former, remembered.Throttle
	l, ok := a.prepare(ctx, plan, remembered)
	if !ok {
		return
	}
	l, owed, err := a.bring(ctx, l, remembered.Owed)
	layout := a.wanted
	if err != nil {
		a.fail(err)
		layout = reached(l, a.wanted, a.before)
	}
	next := a.remember(l, layout, owed)
	plan.setLayout(layout)
	plan.Pending = next.pending()
	if err == nil && a.wait {
		plan.Pending = types.BoolValue(false)
	}
	kept := context.WithoutCancel(ctx)
	resp.Diagnostics.Append(resp.State.Set(kept, plan)...)
	resp.Diagnostics.Append(next.write(kept, resp.Private)...)
}

// prepare decides what an update leads to and refuses, before anything is written, what does not hold any more.
func (a *applying) prepare(ctx context.Context, plan model, remembered memory) (live, bool) {
	l, err := a.begin(ctx, a.before)
	if err == nil && plan.Assignment.IsUnknown() {
		a.wanted, err = target(a.topic, a.declaration, l.targets, memory{Brokers: rememberBrokers(l.brokers)})
	} else {
		a.wanted = assignmentOf(plan.Assignment)
	}
	if err != nil {
		a.fail(err)
		return l, false
	}
	if reason := outgrown(l, a.before, a.wanted, remembered, a.declaration.skip); reason != "" {
		a.diags.AddError(fmt.Sprintf("The cluster changed since the layout of topic %q was planned", a.topic), reason+" Nothing was written. Plan again.")
		return l, false
	}
	return l, a.allowed(ctx, l)
}

// begin reads the layout that apply starts from.
func (a *applying) begin(ctx context.Context, expected placement.Assignment) (live, error) {
	l, err := readSettled(ctx, a.kafka, a.topic, expected)
	if errors.Is(err, kafkaapi.ErrUnknownTopic) {
		return l, &absentError{topic: a.topic, err: err}
	}
	return l, err
}

// absentError: the topic is to exist before its layout is applied.
type absentError struct {
	topic string
	err   error
}

func (e *absentError) Error() string { return missing(e.topic) }
func (e *absentError) Unwrap() error { return e.err }

// allowed runs the plan's checks once more, before anything is written: the cluster may have changed since.
func (a *applying) allowed(ctx context.Context, l live) bool {
	f, err := gather(ctx, a.kafka, l, a.wanted, a.before, a.declaration)
	if err != nil {
		a.fail(err)
		return false
	}
	ok := true
	for _, found := range findings(f) {
		if !found.skipped(a.declaration.skip) {
			found.report(a.topic, a.declaration.explicit != nil, a.diags)
			ok = false
		}
	}
	if !ok || !moves(f) {
		return ok
	}
	if may, err := a.kafka.MayAlterCluster(ctx); err == nil && !may {
		a.diags.AddError(fmt.Sprintf("Cannot apply the layout of topic %q", a.topic), "Moving replicas needs ALTER on Cluster, which the principal of this provider lacks. Nothing was written. "+
			"Grant it, or connect as another principal.")
		return false
	}
	return true
}

func (a *applying) fail(err error) {
	a.diags.AddError(fmt.Sprintf("Cannot apply the layout of topic %q", a.topic), explain(err))
}

// remember is what the next plan has to know.
func (a *applying) remember(l live, layout placement.Assignment, owed []int32) memory {
	m := memory{Brokers: rememberBrokers(l.brokers), TopicID: l.id, Moving: len(l.toward(layout)) > 0, Owed: owed, Former: a.former}
	if !a.held.Empty() {
		m.Throttle = &a.held
	}
	return m
}
