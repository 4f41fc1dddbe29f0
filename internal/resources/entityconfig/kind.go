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

	// LeftAlone are the keys of such an entity that belong to somebody else unless they are declared, at least one.
	LeftAlone(entity kafkaapi.Entity) []string

	// Resend are the declared keys, of those given, that an update writes although their values stay.
	Resend(ctx context.Context, state, configuration Attributes, keys []string) ([]string, diag.Diagnostics)

	// Missing is the sentence for an apply that finds no such entity: what is missing and how to make it.
	Missing(entity kafkaapi.Entity) string
}

// Judge asks the brokers what a resource package wants to know of its entity. Its answers become errors and warnings, never planned
// values: those would differ between two plans of one run.
type Judge interface {
	// Kept are the keys of the entity that the cluster sets itself and does not let go of.
	Kept(ctx context.Context, entity kafkaapi.Entity) ([]string, error)

	// ValidateAbsent asks, at plan, whether an entity that does not exist yet could be made with these configs. Only a refusal of the
	// configs is returned, everything else is nil: whatever makes the entity decides on the rest.
	ValidateAbsent(ctx context.Context, entity kafkaapi.Entity, configs map[string]string) error

	// Inspect says what is wrong with a planned change that brokers would accept, and what a person should know before it is applied.
	Inspect(ctx context.Context, planned Planned) diag.Diagnostics

	// InspectsFirst: Inspect may refuse a change, so that brokers are not asked about it before. Otherwise both are done side by side.
	InspectsFirst() bool

	// Validates tells whether brokers can be asked to validate a change of the entity without writing it, and warns if not. keep are the
	// known values of sensitive keys that stay (kafkaapi.Alteration). The error is of a broker that could not be asked about it;
	// *kafkaapi.HiddenValuesError where that takes a complete set and not all of it is known.
	Validates(ctx context.Context, entity kafkaapi.Entity, keep map[string]string) (bool, diag.Diagnostics, error)

	// Lost says what an error that came instead of an answer means for the entity.
	Lost(ctx context.Context, entity kafkaapi.Entity, err error) Loss

	// Hint adds to a broker's refusal of a key what the broker did not say: the name that was meant, the values that it would take. Sentences,
	// each with a blank before it; empty where there is nothing to add.
	Hint(ctx context.Context, entity kafkaapi.Entity, key string) string

	// Confirm looks, after a write that all brokers show, whether it has also taken effect.
	Confirm(ctx context.Context, entity kafkaapi.Entity, change configset.Change) diag.Diagnostics
}

// Loss is what became of an entity that gives no answer.
type Loss int

// The losses.
const (
	// NotLost: the error is an error.
	NotLost Loss = iota
	// Down: the entity exists and cannot be reached; what is known of it stays known.
	Down
	// Gone: the entity is no more.
	Gone
)

// Planned is a change that a plan is about to show.
type Planned struct {
	Entity kafkaapi.Entity
	Change configset.Change
	// Plain are the keys of the change that come from the config attribute, sorted.
	Plain []string
	// Secrets are the declared values that must not be shown.
	Secrets []string
	// Hidden are the keys of which no value may be shown, the one on the entity included: those that a sensitive map declares or
	// declared when it was last applied.
	Hidden []string
	// Refusals is what a refusal becomes.
	Refusals PlanValidation
	// Destroys: the change is that of a destroy.
	Destroys bool
}
