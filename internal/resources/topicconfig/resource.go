// SPDX-License-Identifier: MPL-2.0

// Package topicconfig is the resource kafka_topic_config: the whole set of a topic's own configs. What it shares with other config
// resources is entityconfig's; here is what only topics have.
package topicconfig

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithIdentity       = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

// Resource is kafka_topic_config.
type Resource struct{ engine *entityconfig.Engine }

// New makes an unconfigured resource.
func New() resource.Resource { return &Resource{} }

// Metadata gives the type name.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_topic_config"
}

// Configure takes the provider's client.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	if data := resources.From(req.ProviderData, &resp.Diagnostics); data != nil {
		r.engine = data.ConfigEngine(kind{}, judge{kafka: data.Kafka})
	}
}

// ValidateConfig refuses a key that is declared twice.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	entityconfig.ValidateConfig(ctx, req, resp)
}

// ModifyPlan plans the set and has the brokers check it.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.engine != nil {
		r.engine.ModifyPlan(ctx, req, resp)
	}
}

// Create makes the declared set the topic's whole set.
func (r *Resource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	r.engine.Create(ctx, req, resp)
}

// Read refreshes state from the topic.
func (r *Resource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	r.engine.Read(ctx, req, resp)
}

// Update writes what changed.
func (r *Resource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	r.engine.Update(ctx, req, resp)
}

// Delete resets the configs that state knows; the topic stays.
func (r *Resource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	r.engine.Delete(ctx, req, resp)
}

// ImportState takes a topic's name, as id or as identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if req.ID != "" {
		if err := CheckName(req.ID); err != nil {
			resp.Diagnostics.AddError("Malformed import id", "The import id of kafka_topic_config is the name of the topic. "+err.Error())
			return
		}
	}
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root(attrTopic), path.Root(attrTopic), req, resp)
	entityconfig.ImportState(ctx, resp)
}
