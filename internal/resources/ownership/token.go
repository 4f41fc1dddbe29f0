// SPDX-License-Identifier: MPL-2.0

package ownership

import (
	"context"
	"crypto/rand"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// PrivateReader is a resource's private state in a request.
type PrivateReader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// PrivateWriter is a resource's private state in a response.
type PrivateWriter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

const tokenKey = "claim"

// Token is the token, as JSON, with which a resource claims what it owns: a new one where the resource stays and where none was handed
// on. Terraform hands private state from the first to the second planning of a forced replacement, and to nobody else, so that a
// resource is told from another one of the same configuration.
func Token(ctx context.Context, from PrivateReader, stays bool) (string, diag.Diagnostics) {
	raw, diags := from.GetKey(ctx, tokenKey)
	if stays || len(raw) == 0 {
		return strconv.Quote(rand.Text()), diags
	}
	return string(raw), diags
}

// HandOn keeps the token for the second planning.
func HandOn(ctx context.Context, to PrivateWriter, token string) diag.Diagnostics {
	return to.SetKey(ctx, tokenKey, []byte(token))
}

// Forget takes the token away from private state that is kept: the state file holds all of it, and nobody needs it after the plan.
func Forget(ctx context.Context, to PrivateWriter) diag.Diagnostics {
	return to.SetKey(ctx, tokenKey, nil)
}
