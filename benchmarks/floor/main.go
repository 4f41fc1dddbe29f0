// SPDX-License-Identifier: MPL-2.0

// Command floor is a provider with the schemas of ours that does nothing: what Terraform itself costs. `make bench` measures ours
// beside it in one run. With FLOOR=quiet it leaves out the framework's log as ours does, which is more than half of what it costs else.
package main

import (
	"context"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	kafka "github.com/kafka-layout/terraform-provider-kafka/internal/provider"
)

func main() {
	if os.Getenv("FLOOR") == "quiet" {
		kafka.QuietSDKLogs()
	}
	err := providerserver.Serve(context.Background(), func() provider.Provider {
		return floorProvider{kafka.New("floor")()}
	}, providerserver.ServeOpts{Address: "registry.terraform.io/kafka-layout/kafka"})
	if err != nil {
		log.Fatal(err)
	}
}

// floorProvider has our schema and connects to nothing.
type floorProvider struct{ provider.Provider }

// Configure does nothing.
func (floorProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

// Resources are ours with nothing behind their schemas.
func (p floorProvider) Resources(ctx context.Context) []func() resource.Resource {
	var all []func() resource.Resource
	for _, constructor := range p.Provider.Resources(ctx) {
		all = append(all, func() resource.Resource { return floorResource{constructor()} })
	}
	return all
}

// floorResource copies the plan into state.
type floorResource struct{ resource.Resource }

// ModifyPlan plans nothing for what a provider computes, so that a plan without changes is one.
func (floorResource) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	known, err := tftypes.Transform(req.Plan.Raw, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if !v.IsKnown() {
			return tftypes.NewValue(v.Type(), nil), nil
		}
		return v, nil
	})
	if err != nil {
		resp.Diagnostics.AddError("Cannot plan", err.Error())
		return
	}
	resp.Plan.Raw = known
}

// IdentitySchema is ours.
func (r floorResource) IdentitySchema(ctx context.Context, req resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	if with, ok := r.Resource.(resource.ResourceWithIdentity); ok {
		with.IdentitySchema(ctx, req, resp)
	}
}

// Create copies.
func (floorResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	identify(ctx, req.Plan, resp.Identity, &resp.Diagnostics)
}

// Read keeps state.
func (floorResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	identify(ctx, req.State, resp.Identity, &resp.Diagnostics)
}

// Update copies.
func (floorResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
	identify(ctx, req.Plan, resp.Identity, &resp.Diagnostics)
}

// Delete does nothing.
func (floorResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

type diagnostics = diag.Diagnostics

type reader interface {
	GetAttribute(ctx context.Context, at path.Path, target any) diagnostics
}

// identify sets the identity, which Terraform wants after every call.
func identify(ctx context.Context, from reader, identity *tfsdk.ResourceIdentity, diags *diagnostics) {
	if _, ofTopic := identity.Schema.GetAttributes()["topic"]; !ofTopic {
		diags.Append(identity.SetAttribute(ctx, path.Root("broker"), "floor")...)
		return
	}
	var topic types.String
	diags.Append(from.GetAttribute(ctx, path.Root("topic"), &topic)...)
	diags.Append(identity.SetAttribute(ctx, path.Root("topic"), topic)...)
}
