// SPDX-License-Identifier: MPL-2.0

package ownership

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// An object has one owner, however often that one claims it.
func TestClaim(t *testing.T) {
	var claims Claims
	for i, c := range []struct {
		object, token string
		sole          bool
	}{{"orders", "a", true}, {"audit", "b", true}, {"orders", "a", true}, {"orders", "b", false}, {"orders", "a", false}, {"audit", "b", true}} {
		if got := claims.Claim(c.object, c.token); got != c.sole {
			t.Errorf("Claim %d of %s by %s: %v", i, c.object, c.token, got)
		}
	}
	if !claims.Claimed("orders") || claims.Claimed("third") {
		t.Error("Claimed and unclaimed are not told apart")
	}
}

// Of many that claim at once, exactly one hears that it is alone.
func TestClaimAtOnce(t *testing.T) {
	var claims Claims
	var sole atomic.Int32
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			if claims.Claim("orders", string(rune('A'+i))) {
				sole.Add(1)
			}
		})
	}
	wg.Wait()
	if sole.Load() != 1 {
		t.Errorf("%d heard that they are alone", sole.Load())
	}
}

// A resource that stays takes a new token each time; one that is created takes the one that was handed on.
func TestToken(t *testing.T) {
	kept := private{}
	first, diags := Token(t.Context(), kept, true)
	diags.Append(HandOn(t.Context(), kept, first)...)
	created, more := Token(t.Context(), kept, false)
	again, evenMore := Token(t.Context(), kept, true)
	other, rest := Token(t.Context(), private{}, false)
	diags = append(append(append(diags, more...), evenMore...), rest...)
	if diags.HasError() || first == "" || created != first || again == first || other == first {
		t.Errorf("first %s, created %s, again %s, other %s; %v", first, created, again, other, diags)
	}
}

type private map[string][]byte

func (p private) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return p[key], nil }

func (p private) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}
