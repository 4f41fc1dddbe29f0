// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"weak"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

type contextKey struct{}

func TestPassingContexts(t *testing.T) {
	var p passing
	outer, cancelOuter := context.WithCancel(context.WithValue(t.Context(), contextKey{}, "outer"))
	defer cancelOuter()
	ctx, release := p.begin(outer)
	child, cancel := context.WithCancel(ctx)
	defer cancel()
	if ctx.Value(contextKey{}) != "outer" || ctx.Err() != nil || child.Err() != nil {
		t.Error("It is not the given one")
	}
	cancelOuter()
	if ctx.Err() == nil || !errors.Is(child.Err(), context.Canceled) {
		t.Error("The end of the given one does not end it, or not its child")
	}
	release()
	if ctx.Value(contextKey{}) != nil || !errors.Is(ctx.Err(), context.Canceled) {
		t.Error("It has not ended with its release")
	}

	p.keep(context.WithValue(t.Context(), contextKey{}, "kept"))
	ctx, release = p.begin(outer)
	background := context.WithoutCancel(ctx)
	release()
	if background.Value(contextKey{}) != "kept" || background.Err() != nil {
		t.Error("Work that outlives its request has not the values that were kept")
	}
	select {
	case <-ctx.Done():
	default:
		t.Error("It is not done with its release")
	}
}

// What hangs on the context of an answered request can be collected, whichever of the requests it is that come once for each resource.
// The framework's server keeps it, which shows that this test can tell; once it does not, NewServer has no reason to be.
func TestServerLetsGoOfRequests(t *testing.T) {
	type request [1024]byte // as large as a request's loggers
	for name, ask := range map[string]func(s tfprotov6.ProviderServer, ctx context.Context) error{
		"ValidateResourceConfig": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{})
			return err
		},
		"UpgradeResourceState": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{})
			return err
		},
		"UpgradeResourceIdentity": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.UpgradeResourceIdentity(ctx, &tfprotov6.UpgradeResourceIdentityRequest{})
			return err
		},
		"ImportResourceState": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{})
			return err
		},
		"MoveResourceState": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.MoveResourceState(ctx, &tfprotov6.MoveResourceStateRequest{})
			return err
		},
		"ReadResource": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.ReadResource(ctx, &tfprotov6.ReadResourceRequest{})
			return err
		},
		"PlanResourceChange": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{})
			return err
		},
		"ApplyResourceChange": func(s tfprotov6.ProviderServer, ctx context.Context) error {
			_, err := s.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			keeps := func(s tfprotov6.ProviderServer) bool {
				held := func() weak.Pointer[request] {
					r := &request{}
					if err := ask(s, context.WithValue(t.Context(), contextKey{}, r)); err != nil {
						t.Fatal(err)
					}
					return weak.Make(r)
				}()
				runtime.GC()
				runtime.GC()
				defer runtime.KeepAlive(s)
				return held.Value() != nil
			}
			if keeps(NewServer("test")()) {
				t.Error("The request is kept")
			}
			if !keeps(providerserver.NewProtocol6(New("test")())()) {
				t.Error("The framework's server does not keep requests any more: server.go can go")
			}
		})
	}
}
