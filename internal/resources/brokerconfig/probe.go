// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/poll"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

const (
	probePrefix = "terraform.provider.kafka.probe."
	// probeTime is how long a stored probe may take to show at every broker: half a second on Kafka 3.9 and 4.0.
	probeTime = 750 * time.Millisecond
)

// Validates finds out, once per run, whether the cluster honours validate_only for brokers: some platforms ignore it and would write
// what a plan only asks about. An unknown key, which Apache Kafka accepts, is sent as a probe; unless it is accepted and not
// stored, brokers are not asked at plan.
func (j judge) Validates(ctx context.Context, entity kafkaapi.Entity, keep map[string]string) (bool, diag.Diagnostics, error) {
	var diags diag.Diagnostics
	var denied error
	honoured, err := entityconfig.Settle(ctx, j.run, "validate_only of brokers", func() (bool, error) {
		reason, err := j.probe(ctx, entity, keep)
		if errors.Is(err, kafkaapi.ErrNotAuthorized) {
			denied = err
			return false, nil
		}
		if reason != "" {
			diags.AddWarning("Changes of broker configs are not checked at plan", reason)
		}
		return reason == "", err
	})
	if err == nil {
		err = denied
	}
	return honoured, diags, err
}

// probe gives the reason why brokers cannot be asked, empty where they can; the error is that of asking.
func (j judge) probe(ctx context.Context, entity kafkaapi.Entity, keep map[string]string) (reason string, err error) {
	key := probePrefix + suffix()
	asked := kafkaapi.Alteration{Entity: entity, Set: map[string]string{key: "probe"}, Keep: keep}
	err = j.kafka.AlterConfigs(ctx, []kafkaapi.Alteration{asked}, true)[0].Err
	var refusal *kafkaapi.Error
	if (errors.Is(err, kafkaapi.ErrInvalidConfig) || errors.Is(err, kafkaapi.ErrPolicyViolation)) && errors.As(err, &refusal) {
		return fmt.Sprintf("This cluster refuses unknown keys (%s), so it is not known whether it honours validate_only for brokers, and is not asked. "+
			"A refusal shows at apply.", refusal.CodeName), nil
	}
	if err != nil {
		return "", err
	}
	stored, err := j.stored(ctx, entity, key)
	if err != nil || !stored {
		return "", err
	}
	return fmt.Sprintf("This cluster ignores validate_only for brokers and has stored the probe %s of %s, which %s", key, entity, j.takeBack(ctx, entity, key, keep)), nil
}

// takeBack deletes a probe that was stored and tells what became of it.
func (j judge) takeBack(ctx context.Context, entity kafkaapi.Entity, key string, keep map[string]string) string {
	deletion := kafkaapi.Alteration{Entity: entity, Delete: []string{key}, Keep: keep}
	if err := j.kafka.AlterConfigs(ctx, []kafkaapi.Alteration{deletion}, false)[0].Err; err != nil {
		return "could not be deleted again: " + err.Error() + ". Delete it by hand."
	}
	return "was deleted again at once. Nothing else was written; a refusal shows at apply."
}

// stored waits for as long as a write may take to show, and tells whether any live broker shows the key. Only an answer that came
// after the wait tells that none does.
func (j judge) stored(ctx context.Context, entity kafkaapi.Entity, key string) (bool, error) {
	end := time.Now().Add(probeTime)
	var there bool
	err := poll.Until(ctx, firstPause, lastPause, func() (bool, error) {
		last := !time.Now().Before(end)
		var err error
		there, err = j.shows(ctx, entity, key)
		return there || last, err
	})
	return there, err
}

// shows tells whether any broker that can be asked for the entity shows the key. Of several, one that goes away meanwhile is left out.
func (j judge) shows(ctx context.Context, entity kafkaapi.Entity, key string) (bool, error) {
	views := []*int32{nil} // a named broker itself
	if entity == kafkaapi.ClusterDefault() {
		cluster, err := j.kafka.Cluster(ctx)
		if err != nil {
			return false, err
		}
		views = nil
		for _, broker := range cluster.Brokers {
			views = append(views, &broker.ID)
		}
	}
	answered := false
	var away error
	for _, at := range views {
		answer := j.kafka.ListConfigs(ctx, []kafkaapi.Entity{entity}, kafkaapi.ListConfigsOptions{At: at})[0]
		if _, there := find(answer.Configs, key); there {
			return true, nil
		}
		answered = answered || answer.Err == nil
		if away = answer.Err; away != nil && !errors.Is(away, kafkaapi.ErrBrokerUnavailable) {
			return false, away
		}
	}
	if answered {
		return false, nil
	}
	return false, away
}

func suffix() string {
	raw := make([]byte, 4)
	_, _ = rand.Read(raw) // never fails (crypto/rand)
	return hex.EncodeToString(raw)
}
