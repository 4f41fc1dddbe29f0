// SPDX-License-Identifier: MPL-2.0

// Package resources holds what the provider hands to its resources.
package resources

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
)

// ProviderData is what every resource of a run shares. One value is made for each Configure of the provider.
type ProviderData struct {
	// Kafka is nil while the cluster's address is not known; Offline then says why, in one sentence.
	Kafka   *kafkaapi.Client
	Offline string
	// PlanValidation and UnmanagedKeys are the provider's attributes of these names.
	PlanValidation entityconfig.PlanValidation
	UnmanagedKeys  configset.Globs
	// Configs is what the config resources know of each other.
	Configs *entityconfig.Run
	// Reassignment is the provider's attribute of this name; the throttle may not be known yet at plan.
	Reassignment    reassign.Settings
	ThrottleUnknown bool
	// Moves is the executor of all reassignments, nil while Kafka is.
	Moves *reassign.Executor
	// Layouts are the topics whose layout a resource owns.
	Layouts *ownership.Claims
}

// From takes the provider data out of a Configure request. It is nil before the provider is configured, as in terraform validate.
func From(data any, diags *diag.Diagnostics) *ProviderData {
	if data == nil {
		return nil
	}
	shared, ok := data.(*ProviderData)
	if !ok {
		diags.AddError("Unexpected provider data", fmt.Sprintf("Expected *resources.ProviderData, got %T. Please report this to the provider developers.", data))
	}
	return shared
}

// ConfigEngine makes the engine of a config resource.
func (d *ProviderData) ConfigEngine(kind entityconfig.Kind, judge entityconfig.Judge) *entityconfig.Engine {
	engine := &entityconfig.Engine{
		Kind: kind, Judge: judge, Offline: d.Offline, Validation: d.PlanValidation, Unmanaged: d.UnmanagedKeys, Run: d.Configs,
	}
	if d.Kafka != nil {
		// Only a client that is there: a nil pointer in an interface is not nil.
		engine.Kafka = d.Kafka
	}
	return engine
}
