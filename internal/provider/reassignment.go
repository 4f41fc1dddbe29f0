// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

const (
	attrReassignment      = "reassignment"
	attrThrottle          = "throttle_bytes_per_second"
	attrMaxMovesPerBroker = "max_moves_per_broker"
	attrStallTimeout      = "stall_timeout"
)

// lowThrottle is below what anybody means: at less than this a broker takes four hours for a gigabyte, and followers fetch up to a
// mebibyte at once.
const lowThrottle = 64 << 10

// reassignmentModel is the reassignment attribute.
type reassignmentModel struct {
	Throttle          types.Int64  `tfsdk:"throttle_bytes_per_second"`
	MaxMovesPerBroker types.Int64  `tfsdk:"max_moves_per_broker"`
	StallTimeout      types.String `tfsdk:"stall_timeout"`
}

func reassignmentAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional:            true,
		MarkdownDescription: "How replicas are moved: one set of limits for every `kafka_topic_assignment` of a run.",
		Attributes: map[string]schema.Attribute{
			attrThrottle: schema.Int64Attribute{
				Optional:   true,
				Validators: []validator.Int64{int64validator.AtLeast(1), throttleRate{}},
				MarkdownDescription: "How many bytes per second each broker copies in, and out, for moves: `52428800` is 50 MiB/s. It must be more than producers write to the partitions that move, " +
					"or their copies never catch up. Environment: `KAFKA_REASSIGNMENT_THROTTLE_BYTES_PER_SECOND`. Default: no throttle.",
			},
			attrMaxMovesPerBroker: schema.Int64Attribute{
				Optional:   true,
				Validators: []validator.Int64{int64validator.Between(1, 1<<20)},
				MarkdownDescription: "How many replicas may be on their way into or out of one broker at a time, over all topics of a run: copies in, copies out as a leader, and replicas that leave it. " +
					"Environment: `KAFKA_REASSIGNMENT_MAX_MOVES_PER_BROKER`. Default: `5`.",
			},
			attrStallTimeout: schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{duration{}},
				MarkdownDescription: "How long a move may go without progress before the apply gives it up with the reason, as a Go duration, a day at most. Where a destination or every source is down, " +
					"a minute is enough. Environment: `KAFKA_REASSIGNMENT_STALL_TIMEOUT`. Default: `10m`.",
			},
		},
	}
}

// reassignmentSettings puts the attribute and the environment together. A value that is not known yet counts as not given, and for the
// throttle that is told: only a plan can meet one.
func reassignmentSettings(ctx context.Context, value types.Object, env environment) (s reassign.Settings, throttleUnknown bool, diags diag.Diagnostics) {
	s = reassign.Settings{MaxMovesPerBroker: reassign.DefaultMaxMovesPerBroker, StallTimeout: reassign.DefaultStallTimeout}
	if value.IsUnknown() {
		return s, true, nil
	}
	var m reassignmentModel
	if !value.IsNull() {
		diags = value.As(ctx, &m, basetypes.ObjectAsOptions{})
	}
	throttle := leafOf(attrThrottle, text(m.Throttle), env)
	throttle.read(&diags, func(value string) (diag.Diagnostics, error) {
		n, err := positive(value)
		s.ThrottleBytesPerSecond = n
		if err != nil || throttle.variable == "" { // the validator has warned of the attribute
			return nil, err
		}
		return throttleWarning(throttle.path(), n), nil
	})
	leafOf(attrMaxMovesPerBroker, text(m.MaxMovesPerBroker), env).read(&diags, func(value string) (diag.Diagnostics, error) {
		n, err := positive(value)
		s.MaxMovesPerBroker = int(min(n, 1<<20))
		return nil, err
	})
	leafOf(attrStallTimeout, m.StallTimeout, env).read(&diags, func(value string) (_ diag.Diagnostics, err error) {
		s.StallTimeout, err = parseDuration(value)
		return nil, err
	})
	return s, throttle.unknown, diags
}

// leaf is one attribute of the block.
type leaf struct{ source }

func leafOf(attribute string, value types.String, env environment) leaf {
	l := leaf{from(attrReassignment+"_"+attribute, value, nil, env)}
	l.attribute = attribute
	return l
}

func (l leaf) path() path.Path { return path.Root(attrReassignment).AtName(l.attribute) }

// read hands on the value where there is one, and words what is wrong with it.
func (l leaf) read(diags *diag.Diagnostics, use func(value string) (diag.Diagnostics, error)) {
	if l.text() == "" {
		return
	}
	found, err := use(l.text())
	diags.Append(found...)
	if err != nil {
		where := fmt.Sprintf("the attribute %s of %s", l.attribute, attrReassignment)
		if l.variable != "" {
			where = "the environment variable " + l.variable
		}
		diags.AddAttributeError(l.path(), fmt.Sprintf("Invalid %s of the provider", l.attribute), fmt.Sprintf("The value of %s cannot be used: %v.", where, err))
	}
}

// text spells a number as an environment variable would.
func text(n types.Int64) types.String {
	switch {
	case n.IsUnknown():
		return types.StringUnknown()
	case n.IsNull():
		return types.StringNull()
	}
	return types.StringValue(strconv.FormatInt(n.ValueInt64(), 10))
}

func positive(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a whole number above 0", text)
	}
	return n, nil
}

// throttleRate warns of a throttle that was most likely meant in other units.
type throttleRate struct{}

func (throttleRate) Description(context.Context) string { return "value is in bytes per second" }

func (t throttleRate) MarkdownDescription(ctx context.Context) string { return t.Description(ctx) }

func (throttleRate) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if !req.ConfigValue.IsNull() && !req.ConfigValue.IsUnknown() {
		resp.Diagnostics.Append(throttleWarning(req.Path, req.ConfigValue.ValueInt64())...)
	}
}

func throttleWarning(at path.Path, n int64) diag.Diagnostics {
	if n < 1 || n >= lowThrottle {
		return nil
	}
	perGB := time.Duration(float64(time.Second) * 1e9 / float64(n)).Round(time.Hour)
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(at, "A very low throttle",
		fmt.Sprintf("%s is in bytes per second: %d is %s MB/s, at which a gigabyte takes about %.0f hours. 50 MB/s would be 50000000.",
			attrThrottle, n, strconv.FormatFloat(float64(n)/1e6, 'f', -1, 64), perGB.Hours()))}
}
