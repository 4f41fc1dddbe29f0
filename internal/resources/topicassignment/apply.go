// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// applying is one create or update.
type applying struct {
	kafka  Kafka
	topic  string
	wanted placement.Assignment
	plan   model
	diags  *diag.Diagnostics
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
	r.mustBeOnline(plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	a := applying{kafka: r.kafka, topic: plan.Topic.ValueString(), plan: plan, diags: &resp.Diagnostics}
	l, err := readLive(ctx, r.kafka, a.topic)
	if err != nil {
		a.fail(err)
		return
	}
	if a.wanted, err = target(a.topic, d, l.targets, memory{Brokers: rememberBrokers(l.brokers)}); err != nil {
		a.fail(err)
		return
	}
	if !a.stillAllowed(ctx, l, d) {
		return
	}
	l, owed, err := a.bring(ctx, l)
	if err != nil {
		a.fail(err)
		return
	}
	plan.setLayout(a.wanted)
	next := a.result(l, owed)
	plan.Pending = types.BoolValue(next.Moving || len(next.Owed) > 0)
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
	remembered, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	timeout, diags := plan.Timeouts.Update(ctx, defaultTimeout)
	resp.Diagnostics.Append(diags...)
	d, _, diags := config.declared(ctx)
	resp.Diagnostics.Append(diags...)
	before := assignmentOf(state.Assignment)
	a := applying{kafka: r.kafka, topic: plan.Topic.ValueString(), wanted: assignmentOf(plan.Assignment), plan: plan, diags: &resp.Diagnostics}
	if resp.Diagnostics.HasError() {
		return
	}
	if a.wanted.Equal(before) && !state.Pending.ValueBool() {
		// Attributes of the provider's own side, such as timeouts: nothing is asked and nothing sent.
		plan.Pending = state.Pending
		resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
		return
	}
	r.mustBeOnline(plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	l, err := readLive(ctx, r.kafka, a.topic)
	if err != nil {
		a.fail(err)
		return
	}
	if reason := outgrown(l, before, a.wanted, remembered, d.skip); reason != "" {
		resp.Diagnostics.AddError(fmt.Sprintf("The cluster changed since the layout of topic %q was planned", a.topic), reason+" Nothing was written. Plan again.")
		return
	}
	if !a.stillAllowed(ctx, l, d) {
		return
	}
	if err := a.cancelOwn(ctx, &l, before); err != nil {
		a.fail(err)
		return
	}
	after, owed, err := a.bring(ctx, l)
	owed = union(owed, misled(after, remembered.Owed))
	next := a.result(after, owed)
	if err != nil {
		a.fail(err)
		if len(after.targets) > 0 {
			plan.setLayout(after.targets)
		} else {
			plan.setLayout(before)
		}
		plan.Pending = types.BoolValue(next.Moving || len(next.Owed) > 0)
		resp.Diagnostics.Append(resp.State.Set(context.WithoutCancel(ctx), plan)...)
		return
	}
	plan.setLayout(a.wanted)
	plan.Pending = types.BoolValue(next.Moving || len(next.Owed) > 0)
	resp.Diagnostics.Append(resp.State.Set(ctx, plan)...)
	resp.Diagnostics.Append(next.write(ctx, resp.Private)...)
}

func (r *Resource) mustBeOnline(plan model, diags *diag.Diagnostics) {
	if r.kafka == nil {
		diags.AddError(fmt.Sprintf("Cannot apply the layout of topic %q", plan.Topic.ValueString()), r.offline)
	}
}

// stillAllowed runs the plan's checks once more, before anything is written: the cluster may have changed since.
func (a applying) stillAllowed(ctx context.Context, l live, d declaration) bool {
	f, err := gather(ctx, a.kafka, l, a.wanted, d)
	if err != nil {
		a.fail(err)
		return false
	}
	ok := true
	for _, found := range findings(f) {
		if found.check == "" || !contains(d.skip, found.check) {
			found.report(a.topic, d.explicit != nil, a.diags)
			ok = false
		}
	}
	return ok
}

func (a applying) fail(err error) {
	detail := explain(err)
	if errors.Is(err, kafkaapi.ErrUnknownTopic) {
		detail = missing(a.topic)
	}
	a.diags.AddError(fmt.Sprintf("Cannot apply the layout of topic %q", a.topic), detail)
}

// result is what the next plan has to know.
func (a applying) result(l live, owed []int32) memory {
	return memory{Brokers: rememberBrokers(l.brokers), TopicID: l.id, Moving: len(l.moving) > 0, Owed: owed}
}

// cancelOwn takes back moves of an earlier apply that the new plan contradicts: those to the lists in state. Overwriting them in
// flight gets stuck on Kafka 4.3 and 4.4 (kafka.md 3.2).
func (a applying) cancelOwn(ctx context.Context, l *live, before placement.Assignment) error {
	cancel := map[int32][]int32{}
	for _, p := range l.elsewhere(a.wanted) {
		if slices.Equal(l.targets[p], listAt(before, int(p))) {
			cancel[p] = nil
		}
	}
	if len(cancel) == 0 {
		return nil
	}
	result := a.kafka.AlterTopics(ctx, []kafkaapi.TopicAlteration{{Topic: a.topic, Reassign: cancel}}, false)[0]
	for _, err := range result.Refused {
		if !errors.Is(err, kafkaapi.ErrNoReassignment) {
			return err
		}
	}
	return a.poll(ctx, l, func(l live) bool {
		return !slices.ContainsFunc(slices.Collect(maps.Keys(cancel)), func(p int32) bool { _, there := l.moving[p]; return there })
	})
}

// bring leads the topic from l to the wanted layout: it waits for moves of others, adds partitions, moves, waits, and has leaders
// elected. owed are elections that are still to be done. The layout that it gives is the last one seen, also with an error.
func (a applying) bring(ctx context.Context, l live) (_ live, owed []int32, err error) {
	foreign := l.elsewhere(a.wanted)
	if len(foreign) > 0 {
		if err := a.poll(ctx, &l, func(l live) bool { return len(l.elsewhere(a.wanted)) == 0 }); err != nil {
			return l, nil, fmt.Errorf("waiting for somebody else's moves of partitions %s: %w", idList(foreign), err)
		}
	}
	if err := a.addPartitions(ctx, &l); err != nil {
		return l, nil, err
	}
	lists := submissions(l, a.wanted)
	touched := union(slices.Collect(maps.Keys(lists)), slices.Collect(maps.Keys(l.moving)))
	refused := a.submit(ctx, lists)
	if len(refused) == len(lists) && len(lists) > 0 {
		return l, nil, &refusedError{refused}
	}
	if !a.plan.Wait.ValueBool() {
		if err := readMoves(ctx, a.kafka, &l); err != nil {
			return l, touched, err
		}
		return l, a.toElect(touched), partial(refused)
	}
	if err := a.awaitMoved(ctx, &l, refused); err != nil {
		return l, nil, err
	}
	if owed = a.elect(ctx, &l, touched); len(refused) > 0 {
		return l, owed, &refusedError{refused}
	}
	return l, owed, nil
}

func (a applying) toElect(touched []int32) []int32 {
	if !a.plan.Elect.ValueBool() {
		return nil
	}
	return touched
}

// addPartitions grows the topic; never while it moves, as new partitions would get the replica count of the move (kafka.md 3.1).
func (a applying) addPartitions(ctx context.Context, l *live) error {
	if len(a.wanted) <= len(l.targets) {
		return nil
	}
	if err := a.poll(ctx, l, func(l live) bool { return len(l.moving) == 0 }); err != nil {
		return err
	}
	if err := grow(ctx, a.kafka, *l, a.wanted, false); err != nil {
		return err
	}
	return a.poll(ctx, l, func(l live) bool { return len(l.targets) >= len(a.wanted) })
}

// submit starts the moves and gives the partitions that were refused.
func (a applying) submit(ctx context.Context, lists map[int32][]int32) map[int32]error {
	if len(lists) == 0 {
		return nil
	}
	return a.kafka.AlterTopics(ctx, []kafkaapi.TopicAlteration{{Topic: a.topic, Reassign: lists}}, false)[0].Refused
}

// refusedError names each partition that the brokers refused to move.
type refusedError struct{ partitions map[int32]error }

func (e *refusedError) Error() string {
	var parts []string
	for _, p := range slices.Sorted(maps.Keys(e.partitions)) {
		parts = append(parts, fmt.Sprintf("partition %d: %v", p, e.partitions[p]))
	}
	return "the brokers refused to move " + strings.Join(parts, "; ")
}

// Unwrap lets one of the refusals be recognised.
func (e *refusedError) Unwrap() []error { return slices.Collect(maps.Values(e.partitions)) }

func partial(refused map[int32]error) error {
	if len(refused) == 0 {
		return nil
	}
	return &refusedError{refused}
}
