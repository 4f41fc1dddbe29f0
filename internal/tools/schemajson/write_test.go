// SPDX-License-Identifier: MPL-2.0

package schemajson_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/kafka-layout/terraform-provider-kafka/internal/tools/schemajson"
)

// answers is a provider server that knows its schemas and nothing else.
type answers struct {
	tfprotov6.ProviderServer
	schemas    tfprotov6.GetProviderSchemaResponse
	identities tfprotov6.GetResourceIdentitySchemasResponse
	err        error
}

func (a *answers) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &a.schemas, a.err
}

func (a *answers) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &a.identities, nil
}

func everyKind() *answers {
	stringMap := tftypes.Map{ElementType: tftypes.String}
	parameter := &tfprotov6.FunctionParameter{Name: "brokers", Type: stringMap, AllowNullValue: true, Description: "brokers by id"}
	block := &tfprotov6.Schema{Version: 2, Block: &tfprotov6.SchemaBlock{
		Description:     "a resource",
		DescriptionKind: tfprotov6.StringKindMarkdown,
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: "topic", Type: tftypes.String, Required: true, Description: "the topic"},
			{Name: "secrets", Type: stringMap, Optional: true, WriteOnly: true, Sensitive: true, DescriptionKind: tfprotov6.StringKindMarkdown},
			{Name: "old", Type: tftypes.Bool, Optional: true, Computed: true, Deprecated: true},
			{Name: "placement", Optional: true, NestedType: &tfprotov6.SchemaObject{
				Nesting:    tfprotov6.SchemaObjectNestingModeSingle,
				Attributes: []*tfprotov6.SchemaAttribute{{Name: "brokers", Type: tftypes.Set{ElementType: tftypes.Number}, Optional: true}},
			}},
		},
		BlockTypes: []*tfprotov6.SchemaNestedBlock{{
			TypeName: "timeouts", Nesting: tfprotov6.SchemaNestedBlockNestingModeSingle, MaxItems: 1,
			Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "create", Type: tftypes.String, Optional: true}}},
		}},
	}}
	return &answers{
		schemas: tfprotov6.GetProviderSchemaResponse{
			Provider:                 &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}},
			ResourceSchemas:          map[string]*tfprotov6.Schema{"kafka_thing": block},
			DataSourceSchemas:        map[string]*tfprotov6.Schema{"kafka_data": block},
			EphemeralResourceSchemas: map[string]*tfprotov6.Schema{"kafka_ephemeral": block},
			ListResourceSchemas:      map[string]*tfprotov6.Schema{"kafka_thing": block},
			ActionSchemas:            map[string]*tfprotov6.ActionSchema{"kafka_act": {Schema: block}},
			Functions: map[string]*tfprotov6.Function{"spread": {
				Summary: "spreads", Description: "spreads replicas", DeprecationMessage: "use another",
				Parameters: []*tfprotov6.FunctionParameter{parameter}, VariadicParameter: parameter,
				Return: &tfprotov6.FunctionReturn{Type: tftypes.List{ElementType: tftypes.String}},
			}},
		},
		identities: tfprotov6.GetResourceIdentitySchemasResponse{IdentitySchemas: map[string]*tfprotov6.ResourceIdentitySchema{
			"kafka_thing": {Version: 1, IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
				{Name: "topic", Type: tftypes.String, RequiredForImport: true, Description: "the topic"},
				{Name: "cluster", Type: tftypes.String, OptionalForImport: true},
			}},
		}},
	}
}

func written(t *testing.T, server tfprotov6.ProviderServer) *tfjson.ProviderSchema {
	t.Helper()
	var out bytes.Buffer
	if err := schemajson.Write(t.Context(), &out, "kafka", server); err != nil {
		t.Fatal(err)
	}
	var document tfjson.ProviderSchemas
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatalf("not what a reader of terraform's form accepts: %v\n%s", err, out.String())
	}
	schema, ok := document.Schemas["kafka"]
	if !ok {
		t.Fatalf("no schemas under the key kafka:\n%s", out.String())
	}
	return schema
}

func TestWriteEveryKindHasTheWholeBlock(t *testing.T) {
	p := written(t, everyKind())
	for kind, block := range map[string]*tfjson.SchemaBlock{
		"resource":           p.ResourceSchemas["kafka_thing"].Block,
		"data source":        p.DataSourceSchemas["kafka_data"].Block,
		"ephemeral resource": p.EphemeralResourceSchemas["kafka_ephemeral"].Block,
		"list resource":      p.ListResourceSchemas["kafka_thing"].Block,
		"action":             p.ActionSchemas["kafka_act"].Block,
	} {
		t.Run(kind, func(t *testing.T) { checkBlock(t, block) })
	}
	if got := p.ResourceSchemas["kafka_thing"].Version; got != 2 {
		t.Errorf("schema version %d, want 2", got)
	}
}

func checkBlock(t *testing.T, b *tfjson.SchemaBlock) {
	t.Helper()
	if b.Description != "a resource" || b.DescriptionKind != tfjson.SchemaDescriptionKindMarkdown {
		t.Errorf("description %q of kind %q", b.Description, b.DescriptionKind)
	}
	if a := b.Attributes["topic"]; !a.Required || a.AttributeType != cty.String || a.DescriptionKind != tfjson.SchemaDescriptionKindPlain {
		t.Errorf("topic: %+v", a)
	}
	if a := b.Attributes["secrets"]; !a.WriteOnly || !a.Sensitive || !a.AttributeType.Equals(cty.Map(cty.String)) {
		t.Errorf("secrets: %+v", a)
	}
	if a := b.Attributes["old"]; !a.Deprecated || !a.Computed || !a.Optional {
		t.Errorf("old: %+v", a)
	}
	nested := b.Attributes["placement"].AttributeNestedType
	if nested == nil || nested.NestingMode != tfjson.SchemaNestingModeSingle || !nested.Attributes["brokers"].AttributeType.Equals(cty.Set(cty.Number)) {
		t.Errorf("placement: %+v", nested)
	}
	timeouts := b.NestedBlocks["timeouts"]
	if timeouts == nil || timeouts.NestingMode != tfjson.SchemaNestingModeSingle || timeouts.MaxItems != 1 || timeouts.Block.Attributes["create"] == nil {
		t.Errorf("timeouts: %+v", timeouts)
	}
}

func TestWriteIdentityAndFunction(t *testing.T) {
	p := written(t, everyKind())
	identity := p.ResourceIdentitySchemas["kafka_thing"]
	if identity.Version != 1 || !identity.Attributes["topic"].RequiredForImport || !identity.Attributes["cluster"].OptionalForImport {
		t.Errorf("identity: %+v", identity)
	}
	f := p.Functions["spread"]
	if f.Summary != "spreads" || f.DeprecationMessage != "use another" || !f.ReturnType.Equals(cty.List(cty.String)) {
		t.Errorf("function: %+v", f)
	}
	for kind, parameter := range map[string]*tfjson.FunctionParameter{"fixed": f.Parameters[0], "variadic": f.VariadicParameter} {
		if parameter.Name != "brokers" || !parameter.IsNullable || !parameter.Type.Equals(cty.Map(cty.String)) {
			t.Errorf("%s parameter: %+v", kind, parameter)
		}
	}
}

func TestWriteFails(t *testing.T) {
	diagnosed := everyKind()
	diagnosed.identities.Diagnostics = []*tfprotov6.Diagnostic{{
		Severity: tfprotov6.DiagnosticSeverityError, Summary: "Invalid Schema", Detail: "topic is Computed with a Default",
	}}
	broken := everyKind()
	broken.err = errors.New("no answer")
	for want, server := range map[string]*answers{"topic is Computed with a Default": diagnosed, "GetProviderSchema: no answer": broken} {
		var out bytes.Buffer
		err := schemajson.Write(t.Context(), &out, "kafka", server)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if out.Len() > 0 {
			t.Errorf("printed %q beside an error", out.String())
		}
	}
}
