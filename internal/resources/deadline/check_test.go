// SPDX-License-Identifier: MPL-2.0

package deadline

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestCheck(t *testing.T) {
	for text, refused := range map[string]bool{"5m": false, "1ns": false, "0s": true, "-5m": true, "nonsense": false} {
		given := timeouts.Value{Object: types.ObjectValueMust(map[string]attr.Type{"create": types.StringType}, map[string]attr.Value{"create": types.StringValue(text)})}
		diags := Check(given, time.Hour)
		if diags.HasError() != refused {
			t.Errorf("%s: %v", text, diags)
		}
		if refused && !strings.Contains(diags[0].Detail(), "1h0m0s") {
			t.Errorf("%s: %s", text, diags[0].Detail())
		}
	}
	for _, value := range []attr.Value{types.StringNull(), types.StringUnknown()} {
		given := timeouts.Value{Object: types.ObjectValueMust(map[string]attr.Type{"update": types.StringType}, map[string]attr.Value{"update": value})}
		if diags := Check(given, time.Hour); diags.HasError() {
			t.Errorf("%s: %v", value, diags)
		}
	}
}
