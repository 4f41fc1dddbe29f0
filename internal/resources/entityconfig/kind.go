// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// Attributes is anything that attributes can be read from: a configuration, a plan, a state.
type Attributes interface {
	GetAttribute(ctx context.Context, at path.Path, target any) diag.Diagnostics
}

// Kind is what a resource package knows of its entity and the engine does not.
type Kind interface {
	// Entity reads which entity the attributes name; known is false while that is not known yet.
	Entity(ctx context.Context, from Attributes) (entity kafkaapi.Entity, known bool, diags diag.Diagnostics)

	// SetIdentity writes the resource's identity.
	SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, entity kafkaapi.Entity) diag.Diagnostics

	// LeftAlone are the keys of such an entity that belong to somebody else unless they are declared.
	LeftAlone(entity kafkaapi.Entity) []string

	// ValidateAbsent asks the brokers, at plan, whether an entity that does not exist yet could be made with these configs. Only a
	// refusal of the configs is returned, everything else is nil: whatever makes the entity decides on the rest.
	ValidateAbsent(ctx context.Context, entity kafkaapi.Entity, configs map[string]string) error

	// KnownNames are the names of the configs that such an entity may carry, for suggestions; none where no broker says so.
	KnownNames(ctx context.Context) []string

	// Missing is the sentence for an apply that finds no such entity: what is missing and how to make it.
	Missing(entity kafkaapi.Entity) string

	// Warnings are what a person should know before the change is applied, beyond the diff itself.
	Warnings(ctx context.Context, planned Planned) diag.Diagnostics
}

// Planned is a change that a plan is about to show.
type Planned struct {
	Entity kafkaapi.Entity
	Change configset.Change
	// Secrets are the declared values that must not be shown.
	Secrets []string
}
