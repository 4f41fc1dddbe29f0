// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// NewServer gives what serves the provider over protocol 6: the framework's server, which lets go of a request when it is answered.
//
// By itself (1.19) it keeps the context of each request, and with it the request's loggers, until Terraform stops the provider: about
// 50 kB for each resource of a plan, 300 MB for 5000. Requests that there are only some of in a run are left to the framework.
func NewServer(version string) func() tfprotov6.ProviderServer {
	framework := providerserver.NewProtocol6(New(version)())
	return func() tfprotov6.ProviderServer {
		plain := framework()
		all, ok := plain.(frameworkServer)
		if !ok {
			return plain // Memory is then all that is lost, and TestServerLetsGoOfRequests fails.
		}
		return &server{frameworkServer: all}
	}
}

// frameworkServer is all that the framework's server serves. What a wrapper leaves out would not be there for Terraform.
type frameworkServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

type server struct {
	frameworkServer
	passing passing
}

// ConfigureProvider's context is the one that stays: it has the loggers for what goes on after the request that began it.
func (s *server) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.passing.keep(ctx)
	return s.frameworkServer.ConfigureProvider(ctx, req)
}

func (s *server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.ValidateResourceConfig)
}

func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.UpgradeResourceState)
}

func (s *server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.UpgradeResourceIdentity)
}

func (s *server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.ImportResourceState)
}

func (s *server) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.MoveResourceState)
}

func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.ReadResource)
}

func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.PlanResourceChange)
}

func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return pass(ctx, &s.passing, req, s.frameworkServer.ApplyResourceChange)
}

// pass has a request served with a context that can be let go of.
func pass[Q, A any](ctx context.Context, p *passing, request Q, serve func(context.Context, Q) (A, error)) (A, error) {
	ctx, release := p.begin(ctx)
	defer release()
	return serve(ctx, request)
}
