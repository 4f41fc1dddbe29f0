// SPDX-License-Identifier: MPL-2.0

// Package provider is the provider block: its schema, its environment variables, and what it hands to resources. It makes no broker
// call: the client connects on first use, so a plan is possible before the cluster is.
package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/brokerconfig"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/topicassignment"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/topicconfig"
)

var _ provider.Provider = (*kafkaProvider)(nil)

type kafkaProvider struct{ version string }

// New makes the provider of this version.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &kafkaProvider{version: version} }
}

// Metadata gives the type name, which prefixes every resource.
func (p *kafkaProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "kafka"
	resp.Version = p.version
}

// Configure reads the block and the environment. Every Configure begins a run of its own.
func (p *kafkaProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var m model
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() {
		return
	}
	s, diags := settingsOf(ctx, m, environment{})
	resp.Diagnostics.Append(diags...)
	moves, throttleUnknown, diags := reassignmentSettings(ctx, m.Reassignment, environment{})
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	data := &resources.ProviderData{
		PlanValidation: s.planValidation, UnmanagedKeys: s.unmanagedKeys, Configs: entityconfig.NewRun(), Layouts: &ownership.Claims{}, Offline: s.offline,
		Reassignment: moves, ThrottleUnknown: throttleUnknown,
	}
	if s.offline == "" {
		s.client.LogContext = ctx
		data.Kafka = kafkaapi.NewClient(s.client) //nolint:contextcheck // the context of the log is among the options
		data.Moves = reassign.New(data.Kafka, moves, throttle.New(data.Kafka, moves.ThrottleBytesPerSecond))
	}
	resp.ResourceData = data
	resp.DataSourceData = data
}

// Resources lists the resources.
func (p *kafkaProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{topicconfig.New, brokerconfig.New, topicassignment.New}
}

// DataSources lists the data sources: none yet.
func (p *kafkaProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
