// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/kafka-layout/terraform-provider-kafka/internal/provider"
)

// Terraform is one configuration of the provider.
type Terraform struct {
	// Provider are the attributes of the provider block. A test may change them between walks.
	Provider Values
	// Context is given to every call of the provider; nil is the test's own. A test that interrupts a run cancels it.
	Context context.Context //nolint:containedctx // it plays the part of Terraform's stop signal
	// BeforeIdentity plays a Terraform older than 1.12, which never sends a stored identity back.
	BeforeIdentity bool

	t testing.TB
}

// New makes a Terraform with a provider block.
func New(t testing.TB, attributes Values) *Terraform { return &Terraform{Provider: attributes, t: t} }

// For gives the same Terraform to another test, as a subtest.
func (tf *Terraform) For(t testing.TB) *Terraform {
	other := *tf
	other.Provider = maps.Clone(tf.Provider)
	other.t = t
	return &other
}

func (tf *Terraform) context() context.Context {
	if tf.Context != nil {
		return tf.Context
	}
	return tf.t.Context()
}

// Walk is one process of the provider: what it keeps in memory is gone with it.
type Walk struct {
	tf     *Terraform
	server tfprotov6.ProviderServer
	schema *tfprotov6.GetProviderSchemaResponse
}

// Start starts a provider without configuring it, as terraform validate does.
func (tf *Terraform) Start() *Walk {
	tf.t.Helper()
	w := &Walk{tf: tf, server: provider.NewServer("test")()}
	schema, err := w.server.GetProviderSchema(tf.context(), &tfprotov6.GetProviderSchemaRequest{})
	w.must(err)
	w.schema = schema
	diagnosticsOf(tf.t, schema.Diagnostics).None(tf.t)
	return w
}

// Configure starts a provider, validates its block and configures it.
func (tf *Terraform) Configure() (*Walk, Diagnostics) {
	tf.t.Helper()
	w := tf.Start()
	config := w.dynamic(encode(tf.t, w.schema.Provider.ValueType(), tf.Provider))
	valid, err := w.server.ValidateProviderConfig(tf.context(), &tfprotov6.ValidateProviderConfigRequest{Config: config})
	w.must(err)
	if diags := diagnosticsOf(tf.t, valid.Diagnostics); len(diags.Errors()) > 0 {
		return w, diags
	}
	resp, err := w.server.ConfigureProvider(tf.context(), &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.11.4", Config: config})
	w.must(err)
	return w, append(diagnosticsOf(tf.t, valid.Diagnostics), diagnosticsOf(tf.t, resp.Diagnostics)...)
}

// Walk is [Terraform.Configure] for a provider block that is right.
func (tf *Terraform) Walk() *Walk {
	tf.t.Helper()
	w, diags := tf.Configure()
	diags.None(tf.t)
	return w
}

func (w *Walk) must(err error) {
	w.tf.t.Helper()
	if err != nil {
		w.tf.t.Fatalf("The provider's server failed: %v", err)
	}
}

func (w *Walk) dynamic(value tftypes.Value) *tfprotov6.DynamicValue {
	w.tf.t.Helper()
	d, err := tfprotov6.NewDynamicValue(value.Type(), value)
	w.must(err)
	return &d
}

func (w *Walk) value(typeName string, d *tfprotov6.DynamicValue) tftypes.Value {
	w.tf.t.Helper()
	typ := w.block(typeName).ValueType()
	if d == nil {
		return tftypes.NewValue(typ, nil)
	}
	v, err := d.Unmarshal(typ)
	w.must(err)
	return v
}

func (w *Walk) block(typeName string) *tfprotov6.SchemaBlock {
	w.tf.t.Helper()
	schema, ok := w.schema.ResourceSchemas[typeName]
	if !ok {
		w.tf.t.Fatalf("The provider has no resource %q, only %s", typeName, strings.Join(slices.Sorted(maps.Keys(w.schema.ResourceSchemas)), ", "))
	}
	return schema.Block
}

func (w *Walk) config(typeName string, values Values) tftypes.Value {
	w.tf.t.Helper()
	return encode(w.tf.t, w.block(typeName).ValueType(), values)
}

// Validate is what terraform validate does with one resource block.
func (w *Walk) Validate(typeName string, values Values) Diagnostics {
	w.tf.t.Helper()
	resp, err := w.server.ValidateResourceConfig(w.tf.context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: typeName, Config: w.dynamic(w.config(typeName, values)),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	w.must(err)
	return diagnosticsOf(w.tf.t, resp.Diagnostics)
}
