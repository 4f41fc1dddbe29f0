// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

const attrTopic = "topic"

// Schema is the shared one and the topic.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = entityconfig.Schema(ctx, "topic", map[string]schema.Attribute{
		attrTopic: schema.StringAttribute{
			Required:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			Validators:    []validator.String{resources.TopicNameValidator()},
			MarkdownDescription: "The name of the topic, which must exist when the resource is applied. A change replaces the resource: the configs of the former topic " +
				"are reset as a destroy would do. The topics themselves stay.",
		},
	})
	resp.Schema.MarkdownDescription = "The whole set of a topic's own configs. What is declared is set, what is set and not declared is shown as drift and reset. " +
		"The brokers themselves check every change at plan. The topic is neither created nor deleted."
}

// IdentitySchema names a topic by its name.
func (r *Resource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		attrTopic: identityschema.StringAttribute{RequiredForImport: true, Description: "The name of the topic."},
	}}
}
