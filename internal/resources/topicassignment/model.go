// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// model is the resource in a configuration, a plan or a state.
type model struct {
	Topic             types.String   `tfsdk:"topic"`
	Assignment        types.Map      `tfsdk:"assignment"`
	Partitions        types.Int32    `tfsdk:"partitions"`
	ReplicationFactor types.Int32    `tfsdk:"replication_factor"`
	Placement         types.Object   `tfsdk:"placement"`
	SkipChecks        types.Set      `tfsdk:"skip_checks"`
	Wait              types.Bool     `tfsdk:"wait_for_completion"`
	Elect             types.Bool     `tfsdk:"elect_preferred_leaders"`
	OnInterruption    types.String   `tfsdk:"on_interruption"`
	Pending           types.Bool     `tfsdk:"reassignment_pending"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`
}

// placementModel is the placement attribute.
type placementModel struct {
	Brokers types.Set    `tfsdk:"brokers"`
	Racks   types.String `tfsdk:"racks"`
}

// declaration is what a configuration asks for.
type declaration struct {
	// explicit is the whole layout; nil where it is to be computed from the rest.
	explicit placement.Assignment
	// partitions and replicationFactor are 0 where they follow the topic.
	partitions, replicationFactor int
	// allowed is nil where every broker may hold replicas.
	allowed []int32
	racks   placement.RackMode
	skip    []string
}

// declared reads a configuration; known is false while any part of the layout is not known.
func (m model) declared(ctx context.Context) (d declaration, known bool, diags diag.Diagnostics) {
	if m.Assignment.IsUnknown() || m.Partitions.IsUnknown() || m.ReplicationFactor.IsUnknown() || m.Placement.IsUnknown() ||
		!listsKnown(m.Assignment) || m.SkipChecks.IsUnknown() || anyUnknown(m.SkipChecks.Elements()) {
		return d, false, nil
	}
	d.partitions, d.replicationFactor = int(m.Partitions.ValueInt32()), int(m.ReplicationFactor.ValueInt32())
	for _, name := range m.SkipChecks.Elements() {
		if text, ok := name.(types.String); ok {
			d.skip = append(d.skip, text.ValueString())
		}
	}
	if !m.Assignment.IsNull() {
		d.explicit = assignmentOf(m.Assignment)
	}
	if m.Placement.IsNull() {
		return d, true, nil
	}
	var p placementModel
	diags = m.Placement.As(ctx, &p, basetypes.ObjectAsOptions{})
	if p.Brokers.IsUnknown() || anyUnknown(p.Brokers.Elements()) || p.Racks.IsUnknown() {
		return d, false, diags
	}
	if !p.Brokers.IsNull() {
		d.allowed = int32sOf(p.Brokers.Elements())
		slices.Sort(d.allowed)
	}
	switch p.Racks.ValueString() {
	case racksSpread:
		d.racks = placement.RacksSpread
	case racksIgnore:
		d.racks = placement.RacksIgnore
	}
	return d, true, diags
}

func anyUnknown(values []attr.Value) bool { return slices.ContainsFunc(values, attr.Value.IsUnknown) }

// listsKnown tells whether every broker id of an assignment is known.
func listsKnown(m types.Map) bool {
	for _, value := range m.Elements() {
		list, ok := value.(types.List)
		if !ok || list.IsUnknown() || anyUnknown(list.Elements()) {
			return false
		}
	}
	return true
}

func int32sOf(values []attr.Value) []int32 {
	ids := make([]int32, 0, len(values))
	for _, value := range values {
		if n, ok := value.(types.Int32); ok {
			ids = append(ids, n.ValueInt32())
		}
	}
	return ids
}

// assignmentOf reads a map whose keys ValidateConfig has found to be 0 to n-1.
func assignmentOf(m types.Map) placement.Assignment {
	lists := m.Elements()
	all := make(placement.Assignment, len(lists))
	for key, value := range lists {
		p, err := strconv.Atoi(key)
		if list, ok := value.(types.List); ok && err == nil && p >= 0 && p < len(all) {
			all[p] = int32sOf(list.Elements())
		}
	}
	return all
}

// mapOf is the inverse of assignmentOf.
func mapOf(a placement.Assignment) types.Map {
	lists := make(map[string]attr.Value, len(a))
	for p, replicas := range a {
		ids := make([]attr.Value, 0, len(replicas))
		for _, id := range replicas {
			ids = append(ids, types.Int32Value(id))
		}
		lists[strconv.Itoa(p)] = types.ListValueMust(types.Int32Type, ids)
	}
	return types.MapValueMust(replicaLists, lists)
}

// setLayout fills in what follows from a layout.
func (m *model) setLayout(a placement.Assignment) {
	m.Assignment = mapOf(a)
	m.Partitions = types.Int32Value(int32(len(a)))
	m.ReplicationFactor = uniform(a)
}

// uniform is the number of replicas that all partitions have, null where they differ.
func uniform(a placement.Assignment) types.Int32 {
	lengths := map[int]bool{}
	for _, replicas := range a {
		lengths[len(replicas)] = true
	}
	if len(lengths) != 1 {
		return types.Int32Null()
	}
	for length := range maps.Keys(lengths) {
		return types.Int32Value(int32(length))
	}
	return types.Int32Null()
}
