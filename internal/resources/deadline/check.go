// SPDX-License-Identifier: MPL-2.0

// Package deadline checks the timeouts block of resources.
package deadline

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Check wants positive durations; fallback is what counts where one is left out. The block's own validator refuses only what is no duration.
func Check(given timeouts.Value, fallback time.Duration) diag.Diagnostics {
	var diags diag.Diagnostics
	for name, value := range given.Attributes() {
		text, ok := value.(types.String)
		if !ok || text.IsNull() || text.IsUnknown() {
			continue
		}
		if d, err := time.ParseDuration(text.ValueString()); err == nil && d <= 0 {
			diags.AddAttributeError(path.Root("timeouts").AtName(name), "Timeout is over at once",
				fmt.Sprintf("The timeout %q is not positive, so nothing could be done in it. Give a duration such as 5m, or leave it out for the default of %s.",
					text.ValueString(), fallback))
		}
	}
	return diags
}
