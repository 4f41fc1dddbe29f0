// SPDX-License-Identifier: MPL-2.0

package schemajson

import (
	"encoding/json"
	"fmt"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// convertProvider turns the protocol's answers into the JSON form's types.
func convertProvider(schemas *tfprotov6.GetProviderSchemaResponse, identities *tfprotov6.GetResourceIdentitySchemasResponse) (*tfjson.ProviderSchema, error) {
	var (
		p   tfjson.ProviderSchema
		err error
	)
	if p.ConfigSchema, err = convertSchema(schemas.Provider); err != nil {
		return nil, fmt.Errorf("provider: %w", err)
	}
	if p.ResourceSchemas, err = convertAll("resource", schemas.ResourceSchemas, convertSchema); err != nil {
		return nil, err
	}
	if p.DataSourceSchemas, err = convertAll("data source", schemas.DataSourceSchemas, convertSchema); err != nil {
		return nil, err
	}
	if p.EphemeralResourceSchemas, err = convertAll("ephemeral resource", schemas.EphemeralResourceSchemas, convertSchema); err != nil {
		return nil, err
	}
	if p.ListResourceSchemas, err = convertAll("list resource", schemas.ListResourceSchemas, convertSchema); err != nil {
		return nil, err
	}
	if p.ActionSchemas, err = convertAll("action", schemas.ActionSchemas, convertAction); err != nil {
		return nil, err
	}
	if p.Functions, err = convertAll("function", schemas.Functions, convertFunction); err != nil {
		return nil, err
	}
	p.ResourceIdentitySchemas, err = convertAll("identity", identities.IdentitySchemas, convertIdentity)
	return &p, err
}

// convertAll converts each value of in; an error names the kind and the type name.
func convertAll[From, To any](kind string, in map[string]From, convert func(From) (To, error)) (map[string]To, error) {
	out := make(map[string]To, len(in))
	for name, value := range in {
		converted, err := convert(value)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", kind, name, err)
		}
		out[name] = converted
	}
	return out, nil
}

func convertSchema(s *tfprotov6.Schema) (*tfjson.Schema, error) {
	block, err := convertBlock(s.Block)
	if err != nil {
		return nil, err
	}
	return &tfjson.Schema{Version: uint64(s.Version), Block: block}, nil
}

func convertAction(a *tfprotov6.ActionSchema) (*tfjson.ActionSchema, error) {
	block, err := convertBlock(a.Schema.Block)
	return &tfjson.ActionSchema{Block: block}, err
}

func convertBlock(b *tfprotov6.SchemaBlock) (*tfjson.SchemaBlock, error) {
	attributes, err := convertAttributes(b.Attributes)
	if err != nil {
		return nil, err
	}
	blocks := make(map[string]*tfjson.SchemaBlockType, len(b.BlockTypes))
	for _, nested := range b.BlockTypes {
		block, err := convertBlock(nested.Block)
		if err != nil {
			return nil, fmt.Errorf("block %s: %w", nested.TypeName, err)
		}
		blocks[nested.TypeName] = &tfjson.SchemaBlockType{
			NestingMode: tfjson.SchemaNestingMode(strings.ToLower(nested.Nesting.String())),
			Block:       block,
			MinItems:    uint64(nested.MinItems),
			MaxItems:    uint64(nested.MaxItems),
		}
	}
	return &tfjson.SchemaBlock{
		Attributes:      attributes,
		NestedBlocks:    blocks,
		Description:     b.Description,
		DescriptionKind: convertKind(b.DescriptionKind),
		Deprecated:      b.Deprecated,
	}, nil
}

func convertAttributes(in []*tfprotov6.SchemaAttribute) (map[string]*tfjson.SchemaAttribute, error) {
	out := make(map[string]*tfjson.SchemaAttribute, len(in))
	for _, a := range in {
		converted := &tfjson.SchemaAttribute{
			Description:     a.Description,
			DescriptionKind: convertKind(a.DescriptionKind),
			Deprecated:      a.Deprecated,
			Required:        a.Required,
			Optional:        a.Optional,
			Computed:        a.Computed,
			Sensitive:       a.Sensitive,
			WriteOnly:       a.WriteOnly,
		}
		var err error
		if a.NestedType != nil {
			converted.AttributeNestedType, err = convertNested(a.NestedType)
		} else {
			converted.AttributeType, err = convertType(a.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", a.Name, err)
		}
		out[a.Name] = converted
	}
	return out, nil
}

func convertNested(o *tfprotov6.SchemaObject) (*tfjson.SchemaNestedAttributeType, error) {
	attributes, err := convertAttributes(o.Attributes)
	return &tfjson.SchemaNestedAttributeType{
		Attributes:  attributes,
		NestingMode: tfjson.SchemaNestingMode(strings.ToLower(o.Nesting.String())),
	}, err
}

// convertType goes through JSON: the protocol and the JSON form write types in the same way.
func convertType(t tftypes.Type) (cty.Type, error) {
	var converted cty.Type
	text, err := t.MarshalJSON() //nolint:staticcheck // the only public encoding of a tftypes.Type
	if err != nil {
		return cty.NilType, err
	}
	err = json.Unmarshal(text, &converted)
	return converted, err
}

func convertKind(k tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	if k == tfprotov6.StringKindMarkdown {
		return tfjson.SchemaDescriptionKindMarkdown
	}
	return tfjson.SchemaDescriptionKindPlain
}
