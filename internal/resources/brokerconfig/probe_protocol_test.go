// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"context"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// platform answers requests that alter brokers' configs in place of Apache Kafka, which carries the rest out.
func (b bench) platform(answer func(q testbed.Request, body *kmsg.IncrementalAlterConfigsRequest) testbed.Verdict) (stop func()) {
	return b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		body, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest)
		if !ok || body.Resources[0].ResourceType != kmsg.ConfigResourceTypeBroker {
			return testbed.Forward()
		}
		return answer(q, body)
	})
}

// refuse answers an alteration with an error for each of its resources.
func refuse(body *kmsg.IncrementalAlterConfigsRequest, code *kerr.Error, message string) testbed.Verdict {
	response := body.ResponseKind().(*kmsg.IncrementalAlterConfigsResponse)
	for _, resource := range body.Resources {
		answer := kmsg.NewIncrementalAlterConfigsResponseResource()
		answer.ResourceType, answer.ResourceName = resource.ResourceType, resource.ResourceName
		answer.ErrorCode, answer.ErrorMessage = code.Code, &message
		response.Resources = append(response.Resources, answer)
	}
	return testbed.Answer(response)
}

// Apache Kafka honours validate_only, which one request of a run finds out; nothing is stored. A plan that changes
// nothing asks nothing.
func TestProbeOfApacheKafka(t *testing.T) {
	b := newBench(t)
	r1, r2 := b.tf.Resource(typeName), b.tf.Resource(typeName)
	w := b.tf.Walk()
	for r, config := range map[*acctest.Resource]values{r1: ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"}), r2: ofDefault(configs{"log.segment.delete.delay.ms": "3600000"})} {
		w.Plan(r, config).Diagnostics.None(t)
	}
	probes, others := b.probes()
	if len(probes) != 1 || len(others) != 2 || len(b.rec.Writes()) != 0 {
		t.Fatalf("Not one probe, two validations and no write:\n%s", b.rec)
	}
	for _, name := range []string{"1", "2", "3", clusterDefault} {
		b.has(name, configs{})
	}
	b.rec.Reset()
	b.tf.Walk().Plan(r1, ofBroker(1, nil)).Diagnostics.None(t)
	b.quiet()
}

// A platform that refuses unknown keys. Nothing is written, nothing more is asked, one warning of the run says so.
func TestPlatformThatRefusesUnknownKeys(t *testing.T) {
	b := newBench(t)
	b.platform(func(_ testbed.Request, body *kmsg.IncrementalAlterConfigsRequest) testbed.Verdict {
		if isProbe(body.Resources[0].Configs[0].Name) {
			return refuse(body, kerr.InvalidConfig, "Unknown config")
		}
		return testbed.Forward()
	})
	w, first, second := b.tf.Walk(), b.tf.Resource(typeName), b.tf.Resource(typeName)
	config := ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"})
	p := w.Plan(first, config)
	mentions(t, p.Diagnostics.OneWarning(t), "Changes of broker configs are not checked at plan", "refuses unknown keys (INVALID_CONFIG)")
	w.Plan(second, ofBroker(2, configs{"log.dirs": "/elsewhere"})).Diagnostics.None(t)
	if probes, others := b.probes(); len(probes) != 1 || len(others) != 0 || len(b.rec.Writes()) != 0 {
		t.Fatalf("Not one probe and nothing else:\n%s", b.rec)
	}
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has("1", configs{"log.segment.delete.delay.ms": "86400000"})
	b.tf.Empty(first, config)
}

// A platform that ignores validate_only. Only the probe is stored, deleted at once and named.
func TestPlatformThatIgnoresValidateOnly(t *testing.T) {
	for _, entity := range []string{"1", clusterDefault} {
		b := newBench(t)
		client := b.cluster.Client(t)
		b.platform(func(q testbed.Request, body *kmsg.IncrementalAlterConfigsRequest) testbed.Verdict {
			if !body.ValidateOnly {
				return testbed.Forward()
			}
			carriedOut := *body
			carriedOut.ValidateOnly = false
			response, err := client.Broker(q.Broker).Request(context.WithoutCancel(t.Context()), &carriedOut)
			if err != nil {
				t.Errorf("Carry a validation out: %v", err)
				return testbed.CloseConnection()
			}
			return testbed.Answer(response)
		})
		w := b.tf.Walk()
		p := w.Plan(b.tf.Resource(typeName), declare(entity, configs{"log.segment.delete.delay.ms": "86400000"}))
		got := p.Diagnostics.OneWarning(t)
		probes, others := b.probes()
		if len(probes) != 1 || len(others) != 0 {
			t.Fatalf("Not one probe and nothing else:\n%s", b.rec)
		}
		key := probes[0].Body.(*kmsg.IncrementalAlterConfigsRequest).Resources[0].Configs[0].Name
		mentions(t, got, "ignores validate_only for brokers and has stored the probe "+key+" of "+named(entity), "deleted again at once")
		b.wrote(entity, map[string]any{key: nil})
		waitFor(t, "the probe to go", func(ctx context.Context) error {
			return send(ctx, client.Broker(1), entity, map[string]any{"log.flush.interval.ms": nil})
		})
		w.Plan(b.tf.Resource(typeName), declare("2", configs{"log.segment.delete.delay.ms": "86400000"})).Diagnostics.None(t)
		if probes, others := b.probes(); len(probes)+len(others) != 1 {
			t.Fatalf("More validations:\n%s", b.rec)
		}
		b.tf.ApplyPlan(p).NoErrors(t)
		b.has(entity, configs{"log.segment.delete.delay.ms": "86400000"})
		b.has("2", configs{})
	}
}

// What is known only in an apply, after another resource was applied, is neither probed nor validated: a refused value is refused by its write,
// at the same place, and what brokers accept and never use is an error all the same.
func TestAnApplyLeavesTheCheckToItsWrites(t *testing.T) {
	b := newBench(t)
	config := func(key string, value any) values { return ofBroker(2, values{key: value}) }
	first := b.tf.Plan(b.tf.Resource(typeName), ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"}))
	refused, late := "log.cleaner.threads", b.tf.Resource(typeName)
	p := b.tf.Plan(late, config(refused, acctest.Unknown))
	p.Diagnostics.NoErrors(t)
	w := b.tf.Walk()
	w.Apply(first, nil).NoErrors(t)
	b.rec.Reset()
	if d := w.Apply(p, config(refused, "none")).Errors().One(t); d.Path != `config["log.cleaner.threads"]` {
		t.Errorf("The refusal is %s", d)
	}
	if probes, others := b.probes(); len(probes)+len(others) != 0 {
		t.Errorf("It was validated:\n%s", b.rec)
	}
	mistyped := b.tf.Plan(late, ofBroker(3, acctest.Unknown))
	mistyped.Diagnostics.NoErrors(t)
	if d := w.Apply(mistyped, ofBroker(3, configs{"log.cleaner.treads": "2"})).Errors().One(t); d.Path != `config["log.cleaner.treads"]` {
		t.Errorf("The mistyped key is %s", d)
	}
	if len(b.rec.Writes()) != 1 {
		t.Errorf("A mistyped key was written:\n%s", b.rec)
	}
	b.has("2", configs{})
	if late.Exists() {
		t.Error("A refused create is in state")
	}
}

// One that then refuses the deletion as well: the warning says what is left to do.
func TestPlatformThatKeepsTheProbe(t *testing.T) {
	b := newBench(t)
	client := b.cluster.Client(t)
	b.platform(func(q testbed.Request, body *kmsg.IncrementalAlterConfigsRequest) testbed.Verdict {
		if !body.ValidateOnly {
			return refuse(body, kerr.PolicyViolation, "No.")
		}
		if err := send(context.WithoutCancel(t.Context()), client.Broker(q.Broker), "1", map[string]any{body.Resources[0].Configs[0].Name: "probe"}); err != nil {
			t.Error(err)
		}
		return testbed.Forward()
	})
	got := b.tf.Plan(b.tf.Resource(typeName), ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"})).Diagnostics.OneWarning(t)
	mentions(t, got, "has stored the probe", "could not be deleted again: POLICY_VIOLATION: No.", "Delete it by hand")
}

// C-143: who may not alter brokers can still plan: one warning per run names the permission, topics are not affected, and apply
// says it as an error.
func TestPlanWithoutPermission(t *testing.T) {
	b := newBench(t)
	b.platform(func(_ testbed.Request, body *kmsg.IncrementalAlterConfigsRequest) testbed.Verdict {
		return refuse(body, kerr.ClusterAuthorizationFailed, "")
	})
	w := b.tf.Walk()
	p := w.Plan(b.tf.Resource(typeName), ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000"}))
	mentions(t, p.Diagnostics.OneWarning(t), "The plan is not checked by the brokers", "ALTER_CONFIGS on Cluster", `first seen at broker 1`)
	w.Plan(b.tf.Resource(typeName), ofBroker(2, configs{"log.segment.delete.delay.ms": "86400000"})).Diagnostics.None(t)
	w.Plan(b.tf.Resource(typeName), ofDefault(configs{"log.segment.delete.delay.ms": "86400000"})).Diagnostics.None(t)
	if probes, others := b.probes(); len(probes) != 1 || len(others) != 0 {
		t.Fatalf("Not one probe and nothing else:\n%s", b.rec)
	}
	var failed acctest.Diagnostics
	for _, d := range b.tf.ApplyPlan(p) {
		if !d.Warning {
			failed = append(failed, d)
		}
	}
	mentions(t, failed.One(t), "Cannot create the configs of broker 1", "Grant ALTER_CONFIGS on Cluster")
}

// C-42, C-143: a platform without requests that alter brokers' configs: one error per resource, at plan; topics are not affected.
func TestPlatformWithoutBrokerConfigs(t *testing.T) {
	b := newBench(t)
	topic := b.cluster.UniqueTopic(t, 1, 1)
	b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		switch body := q.Body.(type) {
		case *kmsg.IncrementalAlterConfigsRequest:
			if body.Resources[0].ResourceType == kmsg.ConfigResourceTypeBroker {
				return refuse(body, kerr.UnsupportedVersion, "")
			}
		case *kmsg.AlterConfigsRequest:
			response := body.ResponseKind().(*kmsg.AlterConfigsResponse)
			answer := kmsg.NewAlterConfigsResponseResource()
			answer.ResourceType, answer.ResourceName, answer.ErrorCode = body.Resources[0].ResourceType, body.Resources[0].ResourceName, kerr.UnsupportedVersion.Code
			response.Resources = append(response.Resources, answer)
			return testbed.Answer(response)
		}
		return testbed.Forward()
	})
	w := b.tf.Walk()
	for _, entity := range []string{"1", "2", clusterDefault} {
		got := w.Plan(b.tf.Resource(typeName), declare(entity, configs{"log.segment.delete.delay.ms": "86400000"})).Diagnostics.One(t)
		mentions(t, got, "Cannot plan the configs of "+named(entity), "does not offer")
	}
	topics := b.tf.Resource("kafka_topic_config")
	b.tf.Apply(topics, values{"topic": topic, "config": configs{"flush.ms": "9000"}}).None(t)
	for _, request := range b.rec.Writes() {
		if !strings.Contains(request.String(), "IncrementalAlterConfigs") {
			t.Errorf("Another write: %s", request)
		}
	}
}
