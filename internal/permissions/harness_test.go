// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	topicConfig     = "kafka_topic_config"
	brokerConfig    = "kafka_broker_config"
	topicAssignment = "kafka_topic_assignment"
)

type (
	values  = acctest.Values
	configs = map[string]string
)

// bench is a user without rights, a Terraform that connects as it and whose traffic is recorded, and one that may do everything.
type bench struct {
	t       testing.TB
	cluster *testbed.Cluster
	user    string
	rec     *testbed.Recorder
	tf      *acctest.Terraform
	admin   *acctest.Terraform
}

func newBench(t testing.TB) bench {
	t.Helper()
	cluster := own.Cluster(t)
	user, password := newUser(t)
	rec := testbed.RecordListener(t, cluster, listener)
	return bench{
		t: t, cluster: cluster, user: user, rec: rec,
		tf: acctest.New(t, values{
			"bootstrap_servers": rec.BootstrapServers(),
			"sasl":              values{"mechanism": testbed.Plain, "username": user, "password": password},
		}),
		admin: acctest.New(t, values{"bootstrap_servers": cluster.BootstrapServers()}),
	}
}

// grant gives the user ACLs, each an operation on a topic or on the cluster in Kafka's words.
func (b bench) grant(acls ...string) {
	b.t.Helper()
	b.cluster.Grant(b.t, b.user, acls...)
}

// onTopic is an ACL on a topic, as Kafka and the provider say it.
func onTopic(operation, topic string) string { return fmt.Sprintf("%s on Topic %q", operation, topic) }

// applied is a resource that somebody with all rights has applied.
func (b bench) applied(typeName string, config values) *acctest.Resource {
	b.t.Helper()
	r := b.admin.Resource(typeName)
	b.admin.Apply(r, config)
	return r
}

// untouched fails the test if a request to write was sent.
func (b bench) untouched() {
	b.t.Helper()
	if n := len(b.rec.Writes()); n > 0 {
		b.t.Errorf("%d writes:\n%s", n, b.rec)
	}
}

// keeps fails the test unless a step leaves the state of a resource as it is.
func (b bench) keeps(r *acctest.Resource, step func()) {
	b.t.Helper()
	before := r.State()
	step()
	if after := r.State(); !r.Exists() || !reflect.DeepEqual(after, before) {
		b.t.Errorf("The state was\n%v\nand is\n%v", before, after)
	}
}

// contains tells whether a diagnostic's text has another.
func contains(d acctest.Diagnostic, text string) bool {
	return strings.Contains(d.Summary+"\n"+d.Detail, text)
}

// mentions fails the test unless a diagnostic's text has all of these.
func mentions(t testing.TB, d acctest.Diagnostic, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !contains(d, text) {
			t.Errorf("It does not say %q: %s", text, d)
		}
	}
}

// warned gives the one warning whose summary begins with a text.
func warned(t testing.TB, all acctest.Diagnostics, summary string) acctest.Diagnostic {
	t.Helper()
	for _, d := range all.Warnings() {
		if strings.HasPrefix(d.Summary, summary) {
			return d
		}
	}
	t.Fatalf("No warning %q:\n%s", summary, all)
	return acctest.Diagnostic{}
}
