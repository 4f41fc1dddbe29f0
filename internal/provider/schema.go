// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// model is the provider block.
type model struct {
	BootstrapServers types.List   `tfsdk:"bootstrap_servers"`
	ClusterID        types.String `tfsdk:"cluster_id"`
	ClientID         types.String `tfsdk:"client_id"`
	RequestTimeout   types.String `tfsdk:"request_timeout"`
	PlanValidation   types.String `tfsdk:"plan_validation"`
	UnmanagedKeys    types.Set    `tfsdk:"unmanaged_keys"`
	TLS              types.Object `tfsdk:"tls"`
	SASL             types.Object `tfsdk:"sasl"`
	Reassignment     types.Object `tfsdk:"reassignment"`
}

// Schema is the provider block's schema.
func (p *kafkaProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Keeps the dynamic configs of an Apache Kafka cluster's topics and brokers, and the layout of its topics, as code: what is declared is the whole set, and the brokers themselves check every plan.",
		Attributes: map[string]schema.Attribute{
			attrBootstrapServers: schema.ListAttribute{
				ElementType: types.StringType,
				Optional:    true,
				Validators:  []validator.List{listvalidator.SizeAtLeast(1), listvalidator.ValueStringsAre(address{})},
				MarkdownDescription: "Addresses of brokers as `host:port`, of which at least one must be reachable; the others are found through it. " +
					"Environment: `KAFKA_BOOTSTRAP_SERVERS`, separated by commas.",
			},
			attrClusterID: schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
				MarkdownDescription: "The id of the only cluster that this configuration is for. On any other cluster plan and apply are refused before anything is read or written. " +
					"Environment: `KAFKA_CLUSTER_ID`. Default: any cluster.",
			},
			attrClientID: schema.StringAttribute{
				Optional:            true,
				Validators:          []validator.String{stringvalidator.LengthAtLeast(1)},
				MarkdownDescription: "The client id that quotas and audit logs of the brokers see. Environment: `KAFKA_CLIENT_ID`. Default: `" + defaultClientID + "`.",
			},
			attrRequestTimeout: schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{duration{}},
				MarkdownDescription: "How long one request at one broker may take, connection included, as a Go duration such as `30s`, a day at most. A broker that does not answer in that time is named, and another " +
					"one is asked where any will do. Environment: `KAFKA_REQUEST_TIMEOUT`. Default: `30s`.",
			},
			attrPlanValidation: schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{stringvalidator.OneOf(planValidations...)},
				MarkdownDescription: "What a broker's refusal of a planned change becomes: an `error`, a warning (`warn`), or nothing as the brokers are not asked (`off`). " +
					"Environment: `KAFKA_PLAN_VALIDATION`. Default: `error`.",
			},
			attrUnmanagedKeys: schema.SetAttribute{
				ElementType: types.StringType,
				Optional:    true,
				Validators:  []validator.Set{setvalidator.ValueStringsAre(entityconfig.Glob{})},
				MarkdownDescription: "Patterns of config keys that no resource shows or touches unless it declares them. `*` stands for any characters, dots included, `?` for one. " +
					"Environment: `KAFKA_UNMANAGED_KEYS`, separated by commas. Default: none.",
			},
			attrTLS:          tlsAttribute(),
			attrSASL:         saslAttribute(),
			attrReassignment: reassignmentAttribute(),
		},
	}
}
