// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const (
	probePrefix = "terraform.provider.kafka.probe."
	// probeTime is how long a stored probe may take to show at every broker: half a second on Kafka 3.9 and 4.0 (kafka.md 9.3).
	probeTime = 750 * time.Millisecond
)

// Validates finds out, once per run, whether the cluster honours validate_only for brokers: some platforms ignore it and would write
// what a plan only asks about. An unknown key, which Apache Kafka accepts, is sent as a probe; unless it is accepted and not
// stored, brokers are not asked at plan.
func (j judge) Validates(ctx context.Context, entity kafkaapi.Entity) (bool, diag.Diagnostics) {
	var diags diag.Diagnostics
	honoured := j.run.Settle("validate_only of brokers", func() bool {
		var reason string
		reason, diags = j.probe(ctx, entity)
		if reason != "" {
			diags.AddWarning("Changes of broker configs are not checked at plan", reason)
		}
		return reason == "" && !diags.HasError()
	})
	return honoured, diags
}

// probe gives the reason why brokers cannot be asked, empty where they can.
func (j judge) probe(ctx context.Context, entity kafkaapi.Entity) (reason string, diags diag.Diagnostics) {
	key := probePrefix + suffix()
	asked := kafkaapi.Alteration{Entity: entity, Set: map[string]string{key: "probe"}}
	err := j.kafka.AlterConfigs(ctx, []kafkaapi.Alteration{asked}, true)[0].Err
	var refusal *kafkaapi.Error
	switch {
	case errors.Is(err, kafkaapi.ErrNotAuthorized) && errors.As(err, &refusal):
		return fmt.Sprintf("The principal of this provider lacks a permission, first seen at %s: %s. Whoever applies needs it.", entity, refusal.Permission), nil
	case errors.As(err, &refusal):
		return fmt.Sprintf("This cluster refuses unknown keys (%s), so it is not known whether it honours validate_only for brokers, and is not asked. "+
			"A refusal shows at apply.", refusal.CodeName), nil
	case err != nil:
		diags.AddError("Cannot plan the configs of "+entity.String(), "The brokers could not be asked: "+err.Error()+".")
		return "", diags
	case !j.stored(ctx, entity, key):
		return "", nil
	}
	reason = fmt.Sprintf("This cluster ignores validate_only for brokers and has stored the probe %s of %s", key, entity)
	if err := j.kafka.AlterConfigs(ctx, []kafkaapi.Alteration{{Entity: entity, Delete: []string{key}}}, false)[0].Err; err != nil {
		return reason + ", which could not be deleted again: " + err.Error() + ". Delete it by hand.", nil
	}
	return reason + ", which was deleted again at once. Nothing else was written; a refusal shows at apply.", nil
}

// stored waits for as long as a write may take to show, and tells whether any live broker shows the key.
func (j judge) stored(ctx context.Context, entity kafkaapi.Entity, key string) bool {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval = 20 * time.Millisecond
	for {
		if j.shows(ctx, entity, key) {
			return true
		}
		timer := time.NewTimer(pauses.NextBackOff())
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

func (j judge) shows(ctx context.Context, entity kafkaapi.Entity, key string) bool {
	cluster, err := j.kafka.Cluster(ctx)
	if err != nil {
		return false
	}
	for _, broker := range cluster.Brokers {
		if id, named := entity.BrokerID(); named && id != broker.ID {
			continue
		}
		answer := j.kafka.ListConfigs(ctx, []kafkaapi.Entity{entity}, kafkaapi.ListConfigsOptions{At: &broker.ID})[0]
		if _, there := find(answer.Configs, key); there {
			return true
		}
	}
	return false
}

func suffix() string {
	raw := make([]byte, 4)
	_, _ = rand.Read(raw) // never fails (crypto/rand)
	return hex.EncodeToString(raw)
}
