// SPDX-License-Identifier: MPL-2.0

package schemajson

import (
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func convertIdentity(s *tfprotov6.ResourceIdentitySchema) (*tfjson.IdentitySchema, error) {
	attributes := make(map[string]*tfjson.IdentityAttribute, len(s.IdentityAttributes))
	for _, a := range s.IdentityAttributes {
		identityType, err := convertType(a.Type)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", a.Name, err)
		}
		attributes[a.Name] = &tfjson.IdentityAttribute{
			IdentityType:      identityType,
			Description:       a.Description,
			RequiredForImport: a.RequiredForImport,
			OptionalForImport: a.OptionalForImport,
		}
	}
	return &tfjson.IdentitySchema{Version: uint64(s.Version), Attributes: attributes}, nil
}
