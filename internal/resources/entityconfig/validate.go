// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/deadline"
)

// ValidateConfig refuses a key that two of the three maps declare, and timeouts that are over at once. It asks no broker and needs no
// engine.
func (*Engine) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	v, diags := readValues(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(deadline.Check(v.timeouts, DefaultTimeout)...)
	seen := map[string]string{}
	for _, m := range []struct {
		name string
		of   types.Map
	}{{attrConfig, v.config}, {attrSensitive, v.sensitive}, {attrWriteOnly, v.writeOnly}} {
		for key, value := range m.of.Elements() {
			if value.IsNull() {
				continue
			}
			if first, twice := seen[key]; twice {
				resp.Diagnostics.AddAttributeError(KeyPath(m.name, key, maps.Keys(m.of.Elements())), fmt.Sprintf("Config %q is declared twice", key),
					fmt.Sprintf("The key %q stands in %s and in %s. Declare it in one of them.", key, first, m.name))
				continue
			}
			seen[key] = m.name
		}
	}
}

// maxValueBytes is what a string of the protocol's older encodings can hold. A broker closes the connection on a longer one,
// without a word.
const maxValueBytes = 32767

// wireLength refuses values that the protocol cannot carry.
type wireLength struct{}

func (wireLength) Description(context.Context) string {
	return fmt.Sprintf("value must have at most %d bytes", maxValueBytes)
}

func (w wireLength) MarkdownDescription(ctx context.Context) string { return w.Description(ctx) }

// ValidateString never quotes the value: it may be a secret.
func (wireLength) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if n := len(req.ConfigValue.ValueString()); n > maxValueBytes {
		resp.Diagnostics.AddAttributeError(req.Path, "Config value is too long",
			fmt.Sprintf("The value has %d bytes; Kafka's protocol carries at most %d in one config. Shorten it, or keep the content in a file that the value names.", n, maxValueBytes))
	}
}

// Glob refuses malformed patterns of config keys.
type Glob struct{}

// Description says what a pattern is.
func (Glob) Description(context.Context) string {
	return "value must be a pattern of config keys (* any characters, ? one)"
}

// MarkdownDescription is Description.
func (g Glob) MarkdownDescription(ctx context.Context) string { return g.Description(ctx) }

// ValidateString says what is wrong with a pattern.
func (Glob) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := configset.CheckGlob(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Malformed pattern of config keys", "In "+req.Path.String()+": "+err.Error()+".")
	}
}
