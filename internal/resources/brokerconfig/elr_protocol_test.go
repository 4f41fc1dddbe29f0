// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"context"
	"errors"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 13, on; C-39: Kafka's own min.insync.replicas is not shown and not touched by a default that does not declare it.
func TestKeptKeyNotDeclared(t *testing.T) {
	b := newBench(t)
	r := b.tf.Resource(typeName)
	for _, config := range []any{nil, configs{"log.segment.delete.delay.ms": "86400000"}, configs{"log.segment.delete.delay.ms": "3600000"}, configs{}} {
		b.tf.Apply(r, ofDefault(config)).None(t)
		b.tf.Empty(r, ofDefault(config))
	}
	b.tf.Destroy(r).None(t)
	b.has(clusterDefault, configs{minInSyncReplicas: "1"})
}

// Acceptance line 13, on; C-39: declared it is managed; taken out again it stays, which the plan says, and no apply has to fail.
func TestKeptKeyDeclared(t *testing.T) {
	b := newBench(t)
	with, without := ofDefault(configs{minInSyncReplicas: "2", "log.segment.delete.delay.ms": "86400000"}), ofDefault(configs{"log.segment.delete.delay.ms": "86400000"})
	r := b.tf.Resource(typeName)
	b.tf.Apply(r, with).None(t)
	b.has(clusterDefault, configs{minInSyncReplicas: "2", "log.segment.delete.delay.ms": "86400000"})
	b.tf.Empty(r, with)
	b.outside(clusterDefault, map[string]any{minInSyncReplicas: "3"})
	planned(t, b.tf.Plan(r, with), acctest.Update, with["config"])
	b.rec.Reset()
	b.tf.Apply(r, with).None(t)
	b.wrote(clusterDefault, map[string]any{minInSyncReplicas: "2"})

	b.rec.Reset()
	p := b.tf.Plan(r, without)
	planned(t, p, acctest.Update, without["config"])
	mentions(t, p.Diagnostics.OneWarning(t), "Configs of the cluster default stay as they are", minInSyncReplicas)
	b.tf.ApplyPlan(p).NoErrors(t)
	b.quiet()
	b.tf.Empty(r, without)
	b.has(clusterDefault, configs{minInSyncReplicas: "2", "log.segment.delete.delay.ms": "86400000"})
	b.tf.Destroy(r).None(t)

	r = b.tf.Resource(typeName)
	b.tf.Apply(r, with).None(t)
	b.rec.Reset()
	p = b.tf.Plan(r, nil)
	mentions(t, p.Diagnostics.OneWarning(t), "Configs of the cluster default stay as they are", minInSyncReplicas)
	b.tf.ApplyPlan(p).NoErrors(t)
	b.wrote(clusterDefault, map[string]any{"log.segment.delete.delay.ms": nil})
	b.has(clusterDefault, configs{minInSyncReplicas: "2"})
}

// Acceptance line 13, off: without eligible leader replicas the key is one like any other.
func TestWithoutEligibleLeaderReplicas(t *testing.T) {
	cluster := testbed.Own(t, testbed.Options{Brokers: 1})
	withoutFeature(t, cluster, "eligible.leader.replicas.version")
	alter(t, cluster, clusterDefault, map[string]any{minInSyncReplicas: nil})
	b := benchOn(t, cluster)
	with, without := ofDefault(configs{minInSyncReplicas: "2", "log.segment.delete.delay.ms": "86400000"}), ofDefault(configs{"log.segment.delete.delay.ms": "86400000"})
	r := b.tf.Resource(typeName)
	for _, config := range []values{without, with, without} {
		b.tf.Apply(r, config).None(t)
		b.tf.Empty(r, config)
		b.has(clusterDefault, config["config"].(configs))
	}
	b.outside(clusterDefault, map[string]any{minInSyncReplicas: "3"})
	planned(t, b.tf.Plan(r, without), acctest.Update, without["config"])
	inState(t, r, "config", configs{minInSyncReplicas: "3", "log.segment.delete.delay.ms": "86400000"})
	b.tf.Apply(r, without).None(t)
	b.has(clusterDefault, configs{"log.segment.delete.delay.ms": "86400000"})
	b.tf.Apply(r, with)
	b.tf.Destroy(r).None(t)
	b.has(clusterDefault, configs{})
	broker := b.tf.Resource(typeName)
	b.tf.Apply(broker, ofBroker(1, configs{minInSyncReplicas: "2"})).None(t)
	b.tf.Destroy(broker).None(t)
}

// withoutFeature finalizes a feature at level 0 and returns when the broker says so.
func withoutFeature(t testing.TB, cluster *testbed.Cluster, feature string) {
	t.Helper()
	client := cluster.Client(t)
	request := kmsg.NewPtrUpdateFeaturesRequest()
	update := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
	const safeDowngrade = 2
	update.Feature, update.MaxVersionLevel, update.UpgradeType = feature, 0, safeDowngrade
	request.FeatureUpdates, request.TimeoutMillis = append(request.FeatureUpdates, update), 30000
	response, err := request.RequestWith(t.Context(), client)
	if err == nil {
		err = kerr.ErrorForCode(response.ErrorCode)
	}
	if err != nil {
		t.Fatalf("Switch %s off: %v: %s", feature, err, deref(response.ErrorMessage))
	}
	for _, result := range response.Results {
		if err := kerr.ErrorForCode(result.ErrorCode); err != nil {
			t.Fatalf("Switch %s off: %v: %s", feature, err, deref(result.ErrorMessage))
		}
	}
	waitFor(t, feature+" to be off", func(ctx context.Context) error {
		versions := kmsg.NewPtrApiVersionsRequest()
		versions.ClientSoftwareName, versions.ClientSoftwareVersion = "test", "1"
		answer, err := versions.RequestWith(ctx, client)
		if err != nil {
			return err
		}
		for _, finalized := range answer.FinalizedFeatures {
			if finalized.Name == feature && finalized.MaxVersionLevel > 0 {
				return errors.New("it is on")
			}
		}
		return nil
	})
}
