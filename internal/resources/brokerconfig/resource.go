// SPDX-License-Identifier: MPL-2.0

// Package brokerconfig is the resource kafka_broker_config: the whole set of dynamic configs of a broker, or of the default that all brokers inherit. What it shares with other config
// resources is entityconfig's; here is what only brokers have.
package brokerconfig

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/resourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

var (
	_ resource.ResourceWithConfigValidators = (*Resource)(nil)
	_ resource.ResourceWithConfigure        = (*Resource)(nil)
	_ resource.ResourceWithIdentity         = (*Resource)(nil)
	_ resource.ResourceWithImportState      = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan       = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig   = (*Resource)(nil)
)

// Resource is kafka_broker_config. Its life cycle is the engine's, which is nil before the provider is configured.
type Resource struct{ *entityconfig.Engine }

// New makes an unconfigured resource.
func New() resource.Resource { return &Resource{} }

// Metadata gives the type name.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_broker_config"
}

// Configure takes the provider's client.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	if data := resources.From(req.ProviderData, &resp.Diagnostics); data != nil {
		r.Engine = data.ConfigEngine(kind{}, judge{kafka: data.Kafka, run: data.Configs})
	}
}

// ConfigValidators want exactly one of a broker and the cluster default.
func (r *Resource) ConfigValidators(context.Context) []resource.ConfigValidator {
	return []resource.ConfigValidator{resourcevalidator.ExactlyOneOf(path.MatchRoot(attrBroker), path.MatchRoot(attrDefault))}
}

// ImportState takes a broker's id or "default", as id or as identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	id := types.StringValue(req.ID)
	if req.ID == "" {
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root(identityBroker), &id)...)
	}
	entity, err := parseID(id.ValueString())
	if err != nil {
		resp.Diagnostics.AddError("Malformed import id", "The import id of kafka_broker_config is the id of a broker, or \"default\" for the cluster default. "+err.Error()+".")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if broker, ok := entity.BrokerID(); ok {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attrBroker), broker)...)
	} else {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attrDefault), true)...)
	}
	entityconfig.ImportState(ctx, resp)
}
