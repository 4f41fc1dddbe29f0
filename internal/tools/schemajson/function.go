// SPDX-License-Identifier: MPL-2.0

package schemajson

import (
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func convertFunction(f *tfprotov6.Function) (*tfjson.FunctionSignature, error) {
	returned, err := convertType(f.Return.Type)
	if err != nil {
		return nil, fmt.Errorf("return type: %w", err)
	}
	signature := &tfjson.FunctionSignature{
		Description:        f.Description,
		Summary:            f.Summary,
		DeprecationMessage: f.DeprecationMessage,
		ReturnType:         returned,
	}
	for _, parameter := range f.Parameters {
		converted, err := convertParameter(parameter)
		if err != nil {
			return nil, err
		}
		signature.Parameters = append(signature.Parameters, converted)
	}
	if f.VariadicParameter != nil {
		if signature.VariadicParameter, err = convertParameter(f.VariadicParameter); err != nil {
			return nil, err
		}
	}
	return signature, nil
}

func convertParameter(p *tfprotov6.FunctionParameter) (*tfjson.FunctionParameter, error) {
	parameterType, err := convertType(p.Type)
	if err != nil {
		return nil, fmt.Errorf("parameter %s: %w", p.Name, err)
	}
	return &tfjson.FunctionParameter{
		Name:        p.Name,
		Description: p.Description,
		IsNullable:  p.AllowNullValue,
		Type:        parameterType,
	}, nil
}
