// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
)

// Read makes state tell the truth about the layout, and takes the snapshot that the next plan is made from.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	// First of all: an identity is wanted after every read, also of a topic that is gone.
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(attrTopic), state.Topic)...)
	remembered, diags := readMemory(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	topic := state.Topic.ValueString()
	if r.kafka == nil {
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot read the layout of topic %q", topic), r.offline)
		return
	}
	l, err := readRefreshed(ctx, r.kafka, topic)
	if err == nil {
		throttled := l.throttled
		l, err = settled(ctx, r.kafka, l, assignmentOf(state.Assignment))
		l.throttled = throttled
	}
	var notListed *notListedError
	switch {
	case errors.Is(err, kafkaapi.ErrUnknownTopic) && remembered.Imported:
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot import the layout of topic %q", topic), missing(topic))
	case errors.Is(err, kafkaapi.ErrUnknownTopic):
		resp.State.RemoveResource(ctx)
	case errors.As(err, &notListed) && !remembered.Imported:
		resp.Diagnostics.AddWarning(fmt.Sprintf("The layout of topic %q was not refreshed", topic),
			explain(err)+" What is moving cannot be told from what is at rest, so the last known layout stands.")
	case err != nil:
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot read the layout of topic %q", topic), explain(err))
	default:
		r.store(ctx, state, l, remembered, resp)
	}
}

func movesText(l live, partitions []int32) string {
	texts := make([]string, 0, len(partitions))
	for _, p := range partitions {
		texts = append(texts, fmt.Sprintf("%d adding %s, removing %s", p, idList(l.moving[p].Adding), idList(l.moving[p].Removing)))
	}
	return strings.Join(texts, "; ")
}

func missing(topic string) string {
	return fmt.Sprintf("The topic %q does not exist; create it first, for example with kafka-topics.sh --create --topic %s, and run this again.", topic, topic)
}

// store writes the layout as it is into state. While somebody else moves partitions elsewhere, the last layout is kept for these.
func (r *Resource) store(ctx context.Context, state model, l live, remembered memory, resp *resource.ReadResponse) {
	last := assignmentOf(state.Assignment)
	if remembered.Imported {
		last = l.targets // a move that is under way leads to what is imported
	}
	layout := reached(l, last, last)
	foreign := l.elsewhere(last)
	if len(foreign) > 0 {
		resp.Diagnostics.AddWarning(fmt.Sprintf("Partitions of topic %q are on the way elsewhere", l.topic),
			fmt.Sprintf("Somebody else, or an apply that was killed, is moving partitions %s to other brokers than state knows: %s. Until that is done, their last known replicas stand.",
				idList(foreign), movesText(l, foreign)))
	}
	next := refreshed(remembered, l, foreign)
	next.LeftOver = throttle.LeftOn(l.throttled, l.moves)
	state.setLayout(layout)
	state.Pending = next.pending()
	if state.Wait.IsNull() {
		state.Wait = types.BoolValue(true) // after an import: what the defaults would have filled in
	}
	if state.Elect.IsNull() {
		state.Elect = types.BoolValue(true)
	}
	if state.OnInterruption.IsNull() {
		state.OnInterruption = types.StringValue(string(reassign.Continue))
	}
	for name, value := range map[string]any{
		attrAssignment: state.Assignment, attrPartitions: state.Partitions, attrReplicationFactor: state.ReplicationFactor,
		attrWait: state.Wait, attrElect: state.Elect, attrOnInterruption: state.OnInterruption, attrPending: state.Pending,
	} {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	resp.Diagnostics.Append(next.write(ctx, resp.Private)...)
}

// stillMoving are the lists of those partitions that are in flight.
func stillMoving(began map[int32][]int32, l live) map[int32][]int32 {
	left := maps.Clone(began)
	maps.DeleteFunc(left, func(p int32, _ []int32) bool { _, moving := l.moving[p]; return !moving })
	return left
}

// refreshed is the memory after a refresh: the brokers as they are, whether moves to the layout in state are in flight, and the
// elections that are still owed.
func refreshed(remembered memory, l live, foreign []int32) memory {
	return memory{
		Brokers: rememberBrokers(l.brokers), TopicID: l.id, Moving: len(l.moving) > len(foreign),
		Former: stillMoving(remembered.Former, l), Throttle: remembered.Throttle,
		Owed: slices.DeleteFunc(misled(l, remembered.Owed), func(p int32) bool { return slices.Contains(foreign, p) }),
	}
}
