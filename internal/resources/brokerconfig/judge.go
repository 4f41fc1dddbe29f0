// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// Kafka is what brokers' configs need of a cluster beside what the engine needs.
type Kafka interface {
	entityconfig.Kafka
	Features(ctx context.Context) (map[string]int16, error)
	RegisteredBrokers(ctx context.Context) ([]kafkaapi.RegisteredBroker, error)
}

// judge asks the brokers about brokers.
type judge struct {
	kafka Kafka
	run   *entityconfig.Run
}

const minInSyncReplicas = "min.insync.replicas"

// Kept: with eligible leader replicas on, Kafka holds a cluster-wide min.insync.replicas of its own and refuses to remove it (KIP-966).
func (j judge) Kept(ctx context.Context, entity kafkaapi.Entity) ([]string, error) {
	if entity != kafkaapi.ClusterDefault() {
		return nil, nil
	}
	features, err := j.kafka.Features(ctx)
	if err != nil || features[kafkaapi.FeatureEligibleLeaderReplicas] == 0 {
		return nil, err
	}
	return []string{minInSyncReplicas}, nil
}

// ValidateAbsent: a broker that does not exist has nothing to validate with.
func (judge) ValidateAbsent(context.Context, kafkaapi.Entity, map[string]string) error { return nil }

// InspectsFirst: the first validation of a run sends a probe, which some platforms would store.
func (judge) InspectsFirst() bool { return true }

// Inspect finds mistyped keys and secrets in the open, which a broker would store, and warns where a broker hides a cluster default and
// where brokers delete more than before.
func (j judge) Inspect(ctx context.Context, planned entityconfig.Planned) diag.Diagnostics {
	if planned.Destroys {
		return j.inspectDestroy(ctx, planned)
	}
	brokers, err := j.consult(ctx, planned)
	if err != nil {
		return diag.Diagnostics{notInspected(planned, err)}
	}
	diags := judgeKeys(planned, brokers)
	if planned.Entity == kafkaapi.ClusterDefault() {
		diags.Append(shadows(planned, brokers)...)
	}
	diags.Append(warnLosses(planned, brokers)...)
	return diags
}

// inspectDestroy asks brokers only where the destroy may let them delete data.
func (j judge) inspectDestroy(ctx context.Context, planned entityconfig.Planned) diag.Diagnostics {
	if !touchesRetention(planned.Change) {
		return nil
	}
	brokers, err := j.describe(ctx, planned.Entity)
	if err != nil {
		return warnUnread(planned, err)
	}
	return warnLosses(planned, brokers)
}

// consult asks a named broker, and all others only where it does not know a key: they may run another version.
func (j judge) consult(ctx context.Context, planned entityconfig.Planned) (described, error) {
	brokers, err := j.describe(ctx, planned.Entity)
	types := brokers.types()
	foreign := func(key string) bool { _, known := configset.BrokerKeyType(key, types); return !known }
	if err != nil || !slices.ContainsFunc(planned.Plain, foreign) {
		return brokers, err
	}
	return j.describe(ctx, kafkaapi.ClusterDefault())
}

// notInspected is an error for a broker that is down, as only the broker itself can take a change; for everything else it is what
// a refusal is.
func notInspected(planned entityconfig.Planned, err error) diag.Diagnostic {
	if _, named := planned.Entity.BrokerID(); named && errors.Is(err, kafkaapi.ErrBrokerUnavailable) {
		return diag.NewErrorDiagnostic("Cannot change the configs of "+planned.Entity.String(),
			"Only the broker itself can take the change, and "+err.Error()+". Start it and plan again, or take the change back.")
	}
	summary := "Cannot check the planned configs of " + planned.Entity.String()
	detail := "The brokers could not be asked which configs they know: " + configset.Scrub(err.Error(), planned.Secrets) + "."
	if planned.Refusals == entityconfig.ValidationError {
		return diag.NewErrorDiagnostic(summary, detail)
	}
	return diag.NewWarningDiagnostic(summary, detail)
}

// Lost: a broker that is registered and not alive is down; one that is not registered is gone. Before Kafka 4.0 nobody can tell.
func (j judge) Lost(ctx context.Context, entity kafkaapi.Entity, err error) entityconfig.Loss {
	id, ok := entity.BrokerID()
	if !ok || !errors.Is(err, kafkaapi.ErrBrokerUnavailable) {
		return entityconfig.NotLost
	}
	registered, err := j.kafka.RegisteredBrokers(ctx)
	isIt := func(b kafkaapi.RegisteredBroker) bool { return b.ID == id }
	if err == nil && !slices.ContainsFunc(registered, isIt) {
		return entityconfig.Gone
	}
	return entityconfig.Down
}
