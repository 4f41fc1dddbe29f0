// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-log/tflog"

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

// KnownNames are those that the live brokers describe.
func (j judge) KnownNames(ctx context.Context) []string {
	described, err := j.describe(ctx)
	if err != nil {
		tflog.Debug(ctx, "no names of broker configs to suggest from", map[string]any{"error": err.Error()})
	}
	return described.names()
}

// Inspect finds mistyped keys and secrets in the open, which a broker would store, and warns where a broker hides a cluster default.
func (j judge) Inspect(ctx context.Context, planned entityconfig.Planned) diag.Diagnostics {
	if planned.Destroys {
		return nil
	}
	described, err := j.describe(ctx)
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot plan the configs of "+planned.Entity.String(),
			"The live brokers could not be asked which configs they know: "+err.Error()+".")}
	}
	diags := j.available(ctx, planned.Entity)
	diags.Append(judgeKeys(planned, described)...)
	if planned.Entity == kafkaapi.ClusterDefault() {
		diags.Append(shadows(planned, described)...)
	}
	return diags
}

// available refuses a change of a broker that is down: only the broker itself can take it.
func (j judge) available(ctx context.Context, entity kafkaapi.Entity) diag.Diagnostics {
	err := j.kafka.ListConfigs(ctx, []kafkaapi.Entity{entity}, kafkaapi.ListConfigsOptions{})[0].Err
	if !errors.Is(err, kafkaapi.ErrBrokerUnavailable) {
		return nil // everything else is said by the validation
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot change the configs of "+entity.String(),
		"Only the broker itself can take the change, and "+err.Error()+". Start it and plan again, or take the change back.")}
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
