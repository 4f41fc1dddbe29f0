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

// Resource is kafka_topic_config. Its life cycle is the engine's, which is nil before the provider is configured.
type Resource struct{ *entityconfig.Engine }

// New makes an unconfigured resource.
func New() resource.Resource { return &Resource{} }

// Metadata gives the type name.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_topic_config"
}

// Configure takes the provider's client.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	if data := resources.From(req.ProviderData, &resp.Diagnostics); data != nil {
		r.Engine = data.ConfigEngine(kind{}, judge{kafka: data.Kafka, run: data.Configs})
	}
}

// ImportState takes a topic's name, as id or as identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if req.ID != "" {
		if err := resources.CheckTopicName(req.ID); err != nil {
			resp.Diagnostics.AddError("Malformed import id", "The import id of kafka_topic_config is the name of the topic. "+err.Error())
			return
		}
	}
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root(attrTopic), path.Root(attrTopic), req, resp)
	entityconfig.ImportState(ctx, resp)
}
