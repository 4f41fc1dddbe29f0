// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// scenario is a run of one resource that needs all that its set grants: the configuration that was applied before, and another one.
type scenario struct {
	resource string
	id       func(topic string) string
	before   func(topic string) values
	after    func(topic string) values
}

var scenarios = []scenario{
	{
		resource: topicConfig,
		id:       func(topic string) string { return topic },
		before:   func(topic string) values { return ofTopic(topic, configs{"flush.ms": "1000"}) },
		after:    func(topic string) values { return ofTopic(topic, configs{"flush.ms": "2000"}) },
	},
	{
		resource: brokerConfig,
		id:       func(string) string { return "3" },
		before:   func(string) values { return values{"broker_id": 3, "config": configs{flush: "7000"}} },
		after:    func(string) values { return values{"broker_id": 3, "config": configs{flush: "8000"}} },
	},
	{
		resource: topicAssignment,
		id:       func(topic string) string { return topic },
		before:   func(topic string) values { return layout(topic, on(1)) },
		after:    func(topic string) values { return layout(topic, on(2), on(3)) },
	},
}

// C-140: with exactly the ACLs of the guide a run goes through and says nothing of a permission that it needs itself, and without any
// one of them it fails or warns, and names that one.
func TestMinimalSets(t *testing.T) {
	for _, s := range scenarios {
		for _, heading := range []string{planOnly, apply, throttled} {
			if heading == throttled && s.resource != topicAssignment {
				continue
			}
			t.Run(s.resource+" "+heading, func(t *testing.T) { s.check(t, heading) })
		}
	}
}

func (s scenario) check(t *testing.T, heading string) {
	b := newBench(t)
	if heading == throttled {
		b.tf.Provider["reassignment"] = values{"throttle_bytes_per_second": 50_000_000}
	}
	for i := range set(t, heading, s.resource, "") {
		topic, r, all := s.begin(b, heading)
		missing := all[i]
		b.cluster.Revoke(t, b.user, missing)
		describes, alters := implied(missing)
		if alters {
			b.grant(describes) // which comes with the other, and is not what is missing
		}
		if said := s.run(b, r, topic, heading); !names(said, missing) {
			t.Errorf("With %v but for %s it says:\n%s", all, missing, said)
		}
		if alters {
			b.cluster.Revoke(t, b.user, describes)
		}
	}
	topic, r, all := s.begin(b, heading)
	b.rec.Reset()
	said := s.run(b, r, topic, heading)
	said.NoErrors(t)
	for _, one := range all {
		if names(said, one) {
			t.Errorf("It has %s and says:\n%s", one, said)
		}
	}
	if heading == planOnly {
		b.untouched()
		return
	}
	if names(said, " on Topic") || names(said, " on Cluster") {
		t.Errorf("It has all that it needs and says:\n%s", said)
	}
	b.admin.Empty(r, s.after(topic))
}

// begin grants the set for a topic of its own, and applies what is there before the run.
func (s scenario) begin(b bench, heading string) (topic string, r *acctest.Resource, acls []string) {
	topic = b.cluster.UniqueTopic(b.t, 1, 1)
	acls = set(b.t, heading, s.resource, topic)
	b.grant(acls...)
	return topic, b.applied(s.resource, s.before(topic)), acls
}

// run refreshes, imports, plans the change and, where that is the grade, applies it, and gives all that was said until an error.
func (s scenario) run(b bench, r *acctest.Resource, topic, heading string) acctest.Diagnostics {
	w := b.tf.Walk()
	said := w.Refresh(r)
	if len(said.Errors()) > 0 {
		return said
	}
	said = append(said, b.tf.Walk().Import(b.tf.Resource(s.resource), s.id(topic))...)
	if len(said.Errors()) > 0 {
		return said
	}
	p := w.Plan(r, s.after(topic))
	said = append(said, p.Diagnostics...)
	if len(said.Errors()) > 0 || heading == planOnly {
		return said
	}
	return append(said, b.tf.ApplyPlan(p)...)
}

// implied is the ACL that comes with another one: who may alter may describe.
func implied(acl string) (describes string, alters bool) {
	rest, alters := strings.CutPrefix(acl, "ALTER")
	return "DESCRIBE" + rest, alters
}

// names tells whether one of the diagnostics names an ACL.
func names(said acctest.Diagnostics, acl string) bool {
	for _, d := range said {
		if contains(d, acl) {
			return true
		}
	}
	return false
}
