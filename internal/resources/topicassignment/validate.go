// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/deadline"
)

// ValidateConfig refuses what can be told without asking the cluster: both forms at once or none, and lists that no topic can have.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(deadline.Check(m.Timeouts, defaultTimeout)...)
	resp.Diagnostics.Append(m.checkForms()...)
	if !m.Assignment.IsNull() && !m.Assignment.IsUnknown() {
		resp.Diagnostics.Append(checkLists(m.Assignment.Elements())...)
	}
}

// checkForms wants either every replica or what is needed (KIP-4: INVALID_REQUEST for both).
func (m model) checkForms() diag.Diagnostics {
	var computed []string
	for name, value := range map[string]attr.Value{attrPartitions: m.Partitions, attrReplicationFactor: m.ReplicationFactor, attrPlacement: m.Placement} {
		if !value.IsNull() {
			computed = append(computed, name)
		}
	}
	slices.Sort(computed)
	switch {
	case !m.Assignment.IsNull() && len(computed) > 0:
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(attrAssignment), "Both an assignment and what to compute it from",
			fmt.Sprintf("assignment states every replica, %s state what is needed, so the two exclude each other. Delete the lines of %s to keep every replica as code, "+
				"or the lines of assignment to let the provider place replicas. A configuration that Terraform generated has both.",
				strings.Join(computed, ", "), strings.Join(computed, ", ")))}
	case m.Assignment.IsNull() && len(computed) == 0:
		return diag.Diagnostics{diag.NewErrorDiagnostic("Nothing is declared of the topic's layout",
			"Give assignment, or at least one of partitions, replication_factor and placement.")}
	}
	return nil
}

// checkLists wants keys 0 to n-1 and lists of distinct broker ids.
func checkLists(lists map[string]attr.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	if len(lists) == 0 {
		diags.AddAttributeError(path.Root(attrAssignment), "The assignment is empty", "A topic has at least one partition. Give the replicas of each, from partition 0 on.")
	}
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		if p, err := strconv.Atoi(key); err != nil || p < 0 || p >= len(lists) || strconv.Itoa(p) != key {
			diags.AddAttributeError(path.Root(attrAssignment), fmt.Sprintf("There is no partition %q", key),
				fmt.Sprintf("There are %d lists, so their keys are the partitions 0 to %d, all of them, written without leading zeros. %s", len(lists), len(lists)-1, firstMissing(lists)))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(lists)) {
		list, ok := lists[key].(types.List)
		if !ok || list.IsUnknown() {
			continue
		}
		if fault := faultOf(list); fault != "" {
			at := path.Root(attrAssignment)
			if p, err := strconv.Atoi(key); err == nil && p >= 0 {
				at = listPath(p)
			}
			diags.AddAttributeError(at, fmt.Sprintf("The replicas of partition %s are invalid", key), fault)
		}
	}
	return diags
}

// listPath is the list of a partition, for a diagnostic. The key is a number although the map's keys are strings: Terraform panics
// ("not a string") where a string key is to be found in a map whose keys are written as numbers, as in { 0 = [1, 2] }.
func listPath(partition int) path.Path {
	return path.Root(attrAssignment).AtListIndex(partition)
}

// firstMissing names the partition that a wrong key leaves without a list.
func firstMissing(lists map[string]attr.Value) string {
	for p := range len(lists) {
		if _, ok := lists[strconv.Itoa(p)]; !ok {
			return fmt.Sprintf("Partition %d has no list.", p)
		}
	}
	return ""
}

// faultOf says in a sentence what is wrong with one list, empty where nothing is.
func faultOf(list types.List) string {
	if list.IsNull() || len(list.Elements()) == 0 {
		return "A partition has at least one replica; the list is empty."
	}
	seen := map[int32]bool{}
	for _, value := range list.Elements() {
		id, ok := value.(types.Int32)
		switch {
		case !ok || id.IsUnknown():
			continue
		case id.IsNull() || id.ValueInt32() < 0:
			return "A broker id is a number from 0 up."
		case seen[id.ValueInt32()]:
			return fmt.Sprintf("Broker %d is listed twice; each broker holds at most one replica of a partition.", id.ValueInt32())
		}
		seen[id.ValueInt32()] = true
	}
	return ""
}
