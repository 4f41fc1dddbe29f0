// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The names of the shared attributes.
const (
	attrConfig        = "config"
	attrSensitive     = "sensitive_config"
	attrWriteOnly     = "sensitive_config_wo"
	attrVersion       = "sensitive_config_wo_version"
	attrUnmanaged     = "unmanaged_keys"
	attrSensitiveKeys = "sensitive_keys"
	attrOnDestroy     = "on_destroy"
	attrTimeouts      = "timeouts"
)

// The values of on_destroy.
const (
	destroyReset = "reset"
	destroyKeep  = "keep"
)

// DefaultTimeout bounds create, update and delete where the timeouts block says nothing.
const DefaultTimeout = 5 * time.Minute

// Schema puts the shared attributes beside those that name the entity. noun is how descriptions call it: "topic".
func Schema(ctx context.Context, noun string, entity map[string]schema.Attribute) schema.Schema {
	attributes := map[string]schema.Attribute{
		attrConfig: schema.MapAttribute{
			ElementType: types.StringType,
			Optional:    true,
			Validators:  []validator.Map{mapvalidator.KeysAre(stringvalidator.LengthAtLeast(1)), mapvalidator.ValueStringsAre(wireLength{})},
			MarkdownDescription: "The declared configs of the " + noun + ", by Kafka's names, values as Kafka writes them. Together with the sensitive maps this is " +
				"the whole set: a key that is set on the " + noun + " and not declared is shown as a removal and reset. Absent and `{}` both mean that nothing is declared, " +
				"and so does a `null` element. A key that is removed here is reset to the inherited value. A value may have at most 32767 bytes.",
		},
		attrSensitive: schema.MapAttribute{
			ElementType: types.StringType,
			Optional:    true,
			Sensitive:   true,
			Validators:  []validator.Map{mapvalidator.KeysAre(stringvalidator.LengthAtLeast(1)), mapvalidator.ValueStringsAre(wireLength{})},
			MarkdownDescription: "Declared configs whose values must not be shown. They are kept in state, flagged as sensitive. A value that the brokers show is compared and " +
				"refreshed like those of `config`; one that they hide is written when it changes here or when its key is missing on the " + noun + ". A key may stand in one of the maps only.",
		},
		attrWriteOnly: schema.MapAttribute{
			ElementType: types.StringType,
			Optional:    true,
			WriteOnly:   true,
			Validators: []validator.Map{
				mapvalidator.KeysAre(stringvalidator.LengthAtLeast(1)), mapvalidator.ValueStringsAre(wireLength{}),
				mapvalidator.AlsoRequires(path.MatchRoot(attrVersion)),
			},
			MarkdownDescription: "Declared configs whose values are neither in plan nor in state (Terraform 1.11 or later). They are written when `" + attrVersion + "` changes, " +
				"when a key of it is missing on the " + noun + ", or when a key moves here from another map; a new value under the same version is not written, as Terraform cannot see it.",
		},
		attrVersion: schema.Int64Attribute{
			Optional:            true,
			Validators:          []validator.Int64{int64validator.AlsoRequires(path.MatchRoot(attrWriteOnly))},
			MarkdownDescription: "The version of the values in `" + attrWriteOnly + "`, any number. A change of it writes them again. The two require each other.",
		},
		attrUnmanaged: schema.SetAttribute{
			ElementType: types.StringType,
			Optional:    true,
			Validators:  []validator.Set{setvalidator.ValueStringsAre(Glob{})},
			MarkdownDescription: "Patterns of config keys that this resource leaves alone unless they are declared: never shown, never touched. `*` stands for any characters, dots " +
				"included, `?` for one. They are added to the provider's `unmanaged_keys`.",
		},
		attrSensitiveKeys: schema.SetAttribute{
			ElementType: types.StringType,
			Computed:    true,
			MarkdownDescription: "The names of the " + noun + "'s own configs whose values the brokers hide or that are declared in a sensitive map. A secret that somebody removed, or a foreign " +
				"one that somebody added, shows as a change of this set.",
		},
		attrOnDestroy: schema.StringAttribute{
			Optional:   true,
			Computed:   true,
			Default:    stringdefault.StaticString(destroyReset),
			Validators: []validator.String{stringvalidator.OneOf(destroyReset, destroyKeep)},
			MarkdownDescription: "What a destroy does with the configs: `reset` (the default) resets those that state knows to their inherited values, `keep` leaves them and sends nothing. " +
				"The " + noun + " itself always stays.",
		},
	}
	for name, attribute := range entity {
		attributes[name] = attribute
	}
	return schema.Schema{
		Attributes: attributes,
		Blocks: map[string]schema.Block{attrTimeouts: timeouts.Block(ctx, timeouts.Opts{
			Create: true, Update: true, Delete: true,
			CreateDescription: "How long a create may take, until every live broker shows the new set. A Go duration, default `5m`.",
			UpdateDescription: "How long an update may take, until every live broker shows the new set. A Go duration, default `5m`.",
			DeleteDescription: "How long a destroy may take, until every live broker shows the reset. A Go duration, default `5m`.",
		})},
	}
}
