// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"fmt"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

const correct = " Correct the configuration; nothing was written."

// refusals are configs that a broker refuses: at which entity, the path of the error, and its detail.
var refusals = map[string]struct {
	entity       string
	config       configs
	path, detail string
}{
	"read-only (C-28)": {"1", configs{"log.dirs": "/elsewhere"}, `config["log.dirs"]`,
		"INVALID_REQUEST: Cannot update these configs dynamically: [log.dirs]."},
	"read-only at the default": {clusterDefault, configs{"log.dirs": "/elsewhere"}, `config["log.dirs"]`,
		"INVALID_REQUEST: Cannot update these configs dynamically: [log.dirs]."},
	"security without listener": {"1", configs{"ssl.keystore.location": "/k.p12"}, `config["ssl.keystore.location"]`,
		"INVALID_REQUEST: These security configs can be dynamically updated only per-listener using the listener prefix: [ssl.keystore.location]."},
	"per broker only": {clusterDefault, configs{"listener.name.external.ssl.keystore.location": "/k.p12"}, `config["listener.name.external.ssl.keystore.location"]`,
		"INVALID_REQUEST: Cannot update these configs at default cluster level, broker id must be specified: [listener.name.external.ssl.keystore.location]."},
	"too many threads": {"1", configs{"num.io.threads": "1000"}, `config["num.io.threads"]`,
		"INVALID_REQUEST: Invalid value org.apache.kafka.common.config.ConfigException: Dynamic thread count update validation failed for num.io.threads=1000, " +
			"value should not be greater than double the current value 4 for configuration Invalid dynamic configuration." +
			" A thread count can be halved or doubled at most at a time: from 4 to any of 2 to 8."},
	"too few threads at the default": {clusterDefault, configs{"num.io.threads": "1"}, `config["num.io.threads"]`,
		"INVALID_REQUEST: Invalid value org.apache.kafka.common.config.ConfigException: Dynamic thread count update validation failed for num.io.threads=1, " +
			"value should be at least half the current value 4 for configuration Invalid dynamic configuration." +
			" A thread count can be halved or doubled at most at a time: from 4 to any of 2 to 8."},
	"too many cleaners": {"1", configs{"log.cleaner.threads": "3"}, `config["log.cleaner.threads"]`,
		"INVALID_REQUEST: Invalid value org.apache.kafka.common.config.ConfigException: Log cleaner threads cannot be increased to more than double the current value 1 " +
			"for configuration Invalid dynamic configuration. A thread count can be halved or doubled at most at a time: from 1 to any of 1 to 2."},
	"not a number": {"2", configs{"log.retention.bytes": "abc"}, `config["log.retention.bytes"]`,
		"INVALID_REQUEST: Invalid value abc for configuration log.retention.bytes: Not a number of type LONG."},
	"replicas while Kafka keeps eligible leader replicas (C-39)": {"1", configs{"min.insync.replicas": "2"}, `config["min.insync.replicas"]`,
		"INVALID_CONFIG: Broker-level min.insync.replicas cannot be altered while ELR is enabled."},
}

// declare is a resource of the entity of this name.
func declare(entity string, config any) values {
	if entity == clusterDefault {
		return ofDefault(config)
	}
	return values{"broker_id": int(entity[0] - '0'), "config": config}
}

func named(entity string) string {
	if entity == clusterDefault {
		return "the cluster default"
	}
	return "broker " + entity
}

// Acceptance line 3; C-28, C-29, C-39: what a broker refuses is an error in the plan of a create and of an update, on the path of the
// key, in the broker's words; nothing is written.
func TestRefusedAtPlan(t *testing.T) {
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			r := b.tf.Resource(typeName)
			want := acctest.Diagnostic{Path: c.path, Summary: fmt.Sprintf("The brokers refuse the planned create of the configs of %s", named(c.entity)), Detail: c.detail + correct}
			if got := b.tf.Plan(r, declare(c.entity, c.config)).Diagnostics.One(t); got != want {
				t.Errorf("Create: %s\nwant %s", got, want)
			}
			if n := len(b.rec.Writes()); n != 0 {
				t.Errorf("%d writes were sent", n)
			}
			b.setUp(r, declare(c.entity, configs{"log.flush.interval.ms": "9000"}))
			want.Summary = fmt.Sprintf("The brokers refuse the planned update of the configs of %s", named(c.entity))
			if got := b.tf.Plan(r, declare(c.entity, c.config)).Diagnostics.One(t); got != want {
				t.Errorf("Update: %s\nwant %s", got, want)
			}
			if n := len(b.rec.Writes()); n != 0 {
				t.Errorf("%d writes were sent", n)
			}
			b.has(c.entity, configs{"log.flush.interval.ms": "9000"})
		})
	}
}

// C-29: what plan did not check, apply says in the same words on the same path, and nothing changes. A refused create leaves nothing behind.
func TestRefusedAtApply(t *testing.T) {
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.tf.Provider["plan_validation"] = "off"
			r := b.tf.Resource(typeName)
			want := acctest.Diagnostic{Path: c.path, Detail: c.detail + correct}
			for _, action := range []acctest.Action{acctest.Create, acctest.Update} {
				p := b.tf.Plan(r, declare(c.entity, c.config))
				planned(t, p, action, c.config)
				want.Summary = fmt.Sprintf("Cannot %s the configs of %s", action, named(c.entity))
				if got := b.tf.ApplyPlan(p).One(t); got != want {
					t.Errorf("%s\nwant %s", got, want)
				}
				b.tf.Apply(r, declare(c.entity, configs{"log.flush.interval.ms": "9000"}))
			}
			if n := len(b.rec.Validations()); n != 0 {
				t.Errorf("%d validations were sent", n)
			}
			b.has(c.entity, configs{"log.flush.interval.ms": "9000"})
		})
	}
}

// With plan_validation = "warn" a refusal is a warning of the same words, and the apply then fails.
func TestRefusalAsWarning(t *testing.T) {
	b := newBench(t)
	b.tf.Provider["plan_validation"] = "warn"
	r := b.tf.Resource(typeName)
	p := b.tf.Plan(r, ofBroker(1, configs{"log.dirs": "/elsewhere"}))
	want := refusals["read-only (C-28)"]
	if got := p.Diagnostics.OneWarning(t); got.Path != want.path || got.Detail != want.detail+correct {
		t.Errorf("%s", got)
	}
	b.tf.ApplyPlan(p).One(t)
	b.has("1", configs{})
}

// The values that a hint names are taken.
func TestThreadCountsInSteps(t *testing.T) {
	b := newBench(t)
	r := b.tf.Resource(typeName)
	for _, n := range []string{"8", "4", "3", "1", "2", "4"} {
		b.setUp(r, ofBroker(1, configs{"num.io.threads": n}))
	}
	b.tf.Destroy(r)
	b.has("1", configs{})
}

// A reset is a change too: of a thread count that is too far from what it goes back to, the destroy plan says so.
func TestDestroyThatIsRefused(t *testing.T) {
	b := newBench(t)
	r := b.applied(ofBroker(1, configs{"num.io.threads": "8"}))
	b.setUp(r, ofBroker(1, configs{"num.io.threads": "16"}))
	got := b.tf.Plan(r, nil).Diagnostics.One(t)
	mentions(t, got, "The brokers refuse the planned destroy of the configs of broker 1", "value should be at least half the current value 16", "from 16 to any of 8 to 32")
	if n := len(b.rec.Writes()); n != 0 || got.Path != "" {
		t.Errorf("%d writes were sent: %s", n, got)
	}
	b.setUp(r, ofBroker(1, configs{"num.io.threads": "8"}))
	b.tf.Destroy(r)
}
