// SPDX-License-Identifier: MPL-2.0

// Package schemajson writes a provider's schemas in the form of `terraform providers schema -json`.
//
// It asks the provider over the plugin protocol in this process, so that it needs no Terraform CLI and shows kinds that
// an old CLI leaves out of its answer (resource identity before 1.12, actions and list resources before 1.14).
package schemajson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// formatVersion is the one that Terraform writes since 1.1.
const formatVersion = "1.0"

// Write asks server for its schemas and prints them to out as indented JSON, under the short provider name. A
// diagnostic about the schemas, a warning too, is an error: the framework finds wrong combinations of Computed, Default
// and write-only there.
func Write(ctx context.Context, out io.Writer, name string, server tfprotov6.ProviderServer) error {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return fmt.Errorf("GetProviderSchema: %w", err)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return fmt.Errorf("GetResourceIdentitySchemas: %w", err)
	}
	if err := diagnosticsError(schemas.Diagnostics, identities.Diagnostics); err != nil {
		return err
	}
	provider, err := convertProvider(schemas, identities)
	if err != nil {
		return err
	}
	document, err := json.MarshalIndent(tfjson.ProviderSchemas{
		FormatVersion: formatVersion,
		Schemas:       map[string]*tfjson.ProviderSchema{name: provider},
	}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", document)
	return err
}

// diagnosticsError joins all diagnostics into one error; nil if there are none.
func diagnosticsError(lists ...[]*tfprotov6.Diagnostic) error {
	var errs []error
	for _, list := range lists {
		for _, d := range list {
			errs = append(errs, fmt.Errorf("%s: %s: %s", d.Severity, d.Summary, d.Detail))
		}
	}
	return errors.Join(errs...)
}
