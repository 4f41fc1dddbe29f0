// SPDX-License-Identifier: MPL-2.0

package topicconfig

import (
	"context"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

const attrTopic = "topic"

// Schema is the shared one and the topic.
func (r *Resource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = entityconfig.Schema(ctx, "topic", map[string]schema.Attribute{
		attrTopic: schema.StringAttribute{
			Required:      true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			Validators:    []validator.String{topicName{}},
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

var legalName = regexp.MustCompile(`^[a-zA-Z0-9._-]{1,249}$`)

// CheckName gives an error with Kafka's rule for a name that no topic can have (org.apache.kafka.common.internals.Topic).
func CheckName(name string) error {
	if !legalName.MatchString(name) || name == "." || name == ".." {
		return fmt.Errorf("%q is no name of a topic: Kafka takes 1 to 249 of the characters a-z, A-Z, 0-9, '.', '_' and '-', and neither \".\" nor \"..\"", name)
	}
	return nil
}

// NameValidator validates names of topics.
func NameValidator() validator.String { return topicName{} }

// topicName validates names of topics.
type topicName struct{}

func (topicName) Description(context.Context) string { return "value must be a legal topic name" }

func (t topicName) MarkdownDescription(ctx context.Context) string { return t.Description(ctx) }

func (topicName) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := CheckName(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Illegal topic name", err.Error()+".")
	}
}
