// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// PlanValidation is what a broker's refusal at plan time becomes.
type PlanValidation string

// The values of the provider's plan_validation.
const (
	ValidationError PlanValidation = "error"
	ValidationWarn  PlanValidation = "warn"
	ValidationOff   PlanValidation = "off"
)

// Engine runs the config resources of one kind.
type Engine struct {
	Kind  Kind
	Judge Judge
	// Kafka is nil while the cluster's address is not known; Offline then says why, in one sentence.
	Kafka   Kafka
	Offline string
	// Validation and Unmanaged are what the provider block says.
	Validation PlanValidation
	Unmanaged  configset.Globs
	Run        *Run
}

// leftAlone are the keys of an entity that are neither shown nor touched unless declared.
func (e *Engine) leftAlone(ctx context.Context, entity kafkaapi.Entity, v values) (configset.LeftAlone, error) {
	left := configset.LeftAlone{
		Keys: e.Kind.LeftAlone(entity), Patterns: slices.Concat(e.Unmanaged, v.unmanaged),
	}
	if e.Kafka == nil {
		return left, nil
	}
	var err error
	left.Kept, err = e.Judge.Kept(ctx, entity)
	return left, err
}
