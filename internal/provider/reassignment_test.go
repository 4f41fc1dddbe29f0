// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func reassignmentBlock(throttle, moves types.Int64, stall types.String) types.Object {
	return types.ObjectValueMust(
		map[string]attr.Type{attrThrottle: types.Int64Type, attrMaxMovesPerBroker: types.Int64Type, attrStallTimeout: types.StringType},
		map[string]attr.Value{attrThrottle: throttle, attrMaxMovesPerBroker: moves, attrStallTimeout: stall})
}

// Each leaf decides for itself, and its variable counts only where it is absent, also not where it is unknown.
func TestReassignmentSettings(t *testing.T) {
	none := reassignmentBlock(types.Int64Null(), types.Int64Null(), types.StringNull())
	environment := map[string]string{
		"KAFKA_REASSIGNMENT_THROTTLE_BYTES_PER_SECOND": "1000000", "KAFKA_REASSIGNMENT_MAX_MOVES_PER_BROKER": "2", "KAFKA_REASSIGNMENT_STALL_TIMEOUT": "3m",
	}
	for name, c := range map[string]struct {
		block types.Object
		env   map[string]string
		want  string
	}{
		"absent":      {types.ObjectNull(none.AttributeTypes(t.Context())), nil, "0 5 10m0s false"},
		"empty":       {none, nil, "0 5 10m0s false"},
		"environment": {none, environment, "1000000 2 3m0s false"},
		"some of each": {reassignmentBlock(types.Int64Value(70000), types.Int64Null(), types.StringValue("5s")), environment,
			"70000 2 5s false"},
		"unknown leaf":  {reassignmentBlock(types.Int64Unknown(), types.Int64Value(7), types.StringNull()), environment, "0 7 3m0s true"},
		"unknown block": {types.ObjectUnknown(none.AttributeTypes(t.Context())), environment, "0 5 10m0s true"},
	} {
		t.Run(name, func(t *testing.T) {
			s, unknown, diags := reassignmentSettings(t.Context(), c.block, env(c.env))
			if got := fmt.Sprint(s.ThrottleBytesPerSecond, s.MaxMovesPerBroker, s.StallTimeout, unknown); got != c.want || len(diags) > 0 {
				t.Errorf("%s, want %s; %v", got, c.want, diags)
			}
		})
	}
}

// C-82: what an environment variable has is judged like the attribute.
func TestReassignmentEnvironmentIsJudged(t *testing.T) {
	for variable, value := range map[string]string{
		"KAFKA_REASSIGNMENT_THROTTLE_BYTES_PER_SECOND": "0", "KAFKA_REASSIGNMENT_MAX_MOVES_PER_BROKER": "-1", "KAFKA_REASSIGNMENT_STALL_TIMEOUT": "soon",
	} {
		_, _, diags := reassignmentSettings(t.Context(), types.ObjectNull(nil), env(map[string]string{variable: value}))
		if diags.ErrorsCount() != 1 || !strings.Contains(diags[0].Detail(), variable) || !strings.Contains(diags[0].Detail(), value) {
			t.Errorf("%s=%s: %v", variable, value, diags)
		}
	}
	_, _, diags := reassignmentSettings(t.Context(), types.ObjectNull(nil), env(map[string]string{"KAFKA_REASSIGNMENT_THROTTLE_BYTES_PER_SECOND": "10"}))
	if diags.HasError() || diags.WarningsCount() != 1 {
		t.Errorf("A throttle of 10: %v", diags)
	}
}

// C-82: 10 was meant as MB/s. The warning shows the unit, the figure in MB/s, and what it means.
func TestThrottleWarning(t *testing.T) {
	for n, want := range map[int64]string{1: "0.000001 MB/s", 10: "10 is 0.00001 MB/s, at which a gigabyte takes about 27778 hours", 65535: "65535 is 0.065535 MB/s, at which a gigabyte takes about 4 hours", 65536: ""} {
		diags := throttleWarning(path.Root("x"), n)
		if want == "" {
			if len(diags) > 0 {
				t.Errorf("%d: %v", n, diags)
			}
		} else if len(diags) != 1 || !strings.Contains(diags[0].Detail(), want) || !strings.Contains(diags[0].Detail(), "bytes per second") {
			t.Errorf("%d: %v", n, diags)
		}
	}
}
