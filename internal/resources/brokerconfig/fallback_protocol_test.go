// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// withoutIncremental has the brokers offer no IncrementalAlterConfigs, as Kafka before 2.3.
func (b bench) withoutIncremental() {
	b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.ApiVersions) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(r kmsg.Response) {
			versions := r.(*kmsg.ApiVersionsResponse)
			versions.ApiKeys = slices.DeleteFunc(versions.ApiKeys, func(k kmsg.ApiVersionsResponseApiKey) bool { return k.ApiKey == int16(kmsg.IncrementalAlterConfigs) })
		})
	})
}

// wroteSet fails the test unless exactly one write was sent, an AlterConfigs with this complete set.
func (b bench) wroteSet(name string, want configs) {
	b.t.Helper()
	writes := b.rec.Writes()
	if len(writes) != 1 {
		b.t.Fatalf("%d writes where one is due:\n%s", len(writes), b.rec)
	}
	body, ok := writes[0].Body.(*kmsg.AlterConfigsRequest)
	if !ok || len(body.Resources) != 1 || body.Resources[0].ResourceName != name {
		b.t.Fatalf("Not one AlterConfigs of %q: %s", name, writes[0])
	}
	got := configs{}
	for _, c := range body.Resources[0].Configs {
		got[c.Name] = deref(c.Value)
	}
	if !reflect.DeepEqual(got, want) {
		b.t.Fatalf("The write says %v, want %v", got, want)
	}
}

// C-14; acceptance line 10 (a capped cluster): without IncrementalAlterConfigs the complete set is written, with the values of what is
// left alone and with the declared secrets.
func TestCompleteSet(t *testing.T) {
	b := newBench(t)
	b.withoutIncremental()
	b.outside("1", map[string]any{"leader.replication.throttled.rate": "1000000", "log.roll.ms": "7200000", "log.flush.interval.ms": "7000"})
	config := values{
		"broker_id": 1, "config": configs{"log.segment.delete.delay.ms": "86400000"}, "unmanaged_keys": []string{"log.roll.*"},
		"sensitive_config_wo": configs{storePassword: topSecret}, "sensitive_config_wo_version": 1,
	}
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, config)
	mentions(t, p.Diagnostics.OneWarning(t), `log.flush.interval.ms = "7000"`)
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.wroteSet("1", configs{"log.segment.delete.delay.ms": "86400000", "leader.replication.throttled.rate": "1000000", "log.roll.ms": "7200000", storePassword: topSecret})
	b.tf.Empty(r, config)

	config["config"] = configs{"log.segment.delete.delay.ms": "3600000"}
	b.rec.Reset()
	b.tf.Apply(r, config).None(t)
	b.wroteSet("1", configs{"log.segment.delete.delay.ms": "3600000", "leader.replication.throttled.rate": "1000000", "log.roll.ms": "7200000", storePassword: topSecret})
	b.rec.Reset()
	b.tf.Destroy(r).NoErrors(t)
	b.wroteSet("1", configs{"leader.replication.throttled.rate": "1000000", "log.roll.ms": "7200000"})
	b.has("1", configs{"leader.replication.throttled.rate": "1000000", "log.roll.ms": "7200000"})
}

// C-14: a hidden value that would be lost is a refusal that names its key; one that the plan removes is none. Nothing else is lost.
func TestCompleteSetWithHiddenValues(t *testing.T) {
	b := newBench(t)
	b.withoutIncremental()
	b.outside("1", map[string]any{"com.example.foreign": otherSecret})
	config := ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"}).With("unmanaged_keys", []string{"com.example.*"})
	lost := []string{"would lose the hidden values of com.example.foreign", "Declare these keys with their values in a sensitive map", "nothing was written"}
	for _, settled := range []bool{false, true} { // whether brokers validate, by the plan of another broker
		w := b.tf.Walk()
		if settled {
			w.Plan(b.tf.Resource(typeName), ofBroker(2, configs{"log.segment.delete.delay.ms": "86400000"})).Diagnostics.None(t)
		}
		refused := w.Plan(b.tf.Resource(typeName), config).Diagnostics.One(t)
		mentions(t, refused, append(lost, "Cannot plan the configs of broker 1")...)
		shown(t, refused.String())
	}
	b.tf.Provider["plan_validation"] = "off"
	p := b.tf.Plan(b.tf.Resource(typeName), config)
	p.Diagnostics.NoErrors(t)
	failed := b.tf.ApplyPlan(p).One(t)
	mentions(t, failed, append(lost, "Cannot create the configs of broker 1")...)
	shown(t, failed.String())
	b.has("1", configs{"com.example.foreign": hidden})
	b.tf.Provider["plan_validation"] = "error"
	r := b.tf.Resource(typeName)
	p = b.tf.Plan(r, ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"}))
	p.Diagnostics.NoErrors(t)
	if text := p.Diagnostics.Warnings().String(); !strings.Contains(text, "The planned configs of broker 1 are not checked") || !strings.Contains(text, "com.example.foreign, which this plan changes") {
		t.Errorf("%s", text)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has("1", configs{"log.segment.delete.delay.ms": "86400000"})
}

// C-39 through complete sets: Kafka's own min.insync.replicas is part of what is written, so that nothing fails.
func TestCompleteSetOfTheDefault(t *testing.T) {
	b := newBench(t)
	b.withoutIncremental()
	config := ofDefault(configs{"log.segment.delete.delay.ms": "86400000"})
	r := b.tf.Resource(typeName)
	b.tf.Apply(r, config).None(t)
	b.tf.Empty(r, config)
	b.rec.Reset()
	b.tf.Destroy(r).None(t)
	b.wroteSet(clusterDefault, configs{minInSyncReplicas: "1"})
	if p := b.tf.Plan(b.tf.Resource(typeName), ofDefault(configs{"log.dirs": "/x"})); p.Action != acctest.Action("") {
		t.Errorf("The plan is a %s", p.Action)
	}
}
