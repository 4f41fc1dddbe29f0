// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int32validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int32planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

const (
	attrBroker     = "broker_id"
	attrDefault    = "cluster_default"
	attrReload     = "reload_trigger"
	identityBroker = "broker"
)

// Schema is the shared one and which broker it is about.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = entityconfig.Schema(ctx, "broker or cluster default", map[string]schema.Attribute{
		attrBroker: schema.Int32Attribute{
			Optional:      true,
			PlanModifiers: []planmodifier.Int32{int32planmodifier.RequiresReplace()},
			Validators:    []validator.Int32{int32validator.AtLeast(0)},
			MarkdownDescription: "The id of the broker whose own dynamic configs are managed. Exactly one of `broker_id` and `cluster_default` is given. A change replaces the resource: " +
				"the configs of the former broker are reset as a destroy would do.",
		},
		attrDefault: schema.BoolAttribute{
			Optional:            true,
			PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplace()},
			Validators:          []validator.Bool{boolvalidator.Equals(true)},
			MarkdownDescription: "`true` manages the cluster default: the dynamic configs that every broker inherits unless it has its own. `false` is invalid. A change replaces the resource.",
		},
		attrReload: schema.StringAttribute{
			Optional: true,
			Validators: []validator.String{
				stringvalidator.ConflictsWith(path.MatchRoot(attrDefault)),
			},
			MarkdownDescription: "Any text, such as a hash of a certificate. A change of it sends the declared key-store and trust-store configs again, unchanged, so that the broker reloads files " +
				"whose content changed under the same path. Only with `broker_id`: brokers reload on a write to their own configs.",
		},
	})
	resp.Schema.MarkdownDescription = "The whole set of dynamic configs of one broker, or of the cluster default. What is declared is set, what is set and not declared is shown as drift and reset; " +
		"static configs (server.properties) are never part of the set. The broker itself checks every change at plan."
}

// IdentitySchema names a broker by its id in decimal, the cluster default by "default".
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		identityBroker: identityschema.StringAttribute{RequiredForImport: true, Description: "The id of the broker, or default for the cluster default."},
	}}
}
