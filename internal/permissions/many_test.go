// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 3: one topic of a hundred is hidden, and one may only be read. They are read, validated and written together, and the others neither
// fail nor are taken apart because of it.
func TestTopicConfigsRefusedAmongMany(t *testing.T) {
	const many, hidden, readable = 100, 41, 67
	b := newBench(t)
	topics := b.cluster.UniqueTopics(t, many)
	var grants []string
	for i, topic := range topics {
		switch i {
		case hidden:
		case readable:
			grants = append(grants, onTopic("DESCRIBE_CONFIGS", topic))
		default:
			grants = append(grants, onTopic("ALTER_CONFIGS", topic))
		}
	}
	b.grant(grants...)
	resources, plans := make([]*acctest.Resource, many), make([]*acctest.Plan, many)
	w := b.tf.Walk()
	each(topics, func(i int) {
		resources[i] = b.tf.Resource(topicConfig)
		plans[i] = w.Plan(resources[i], ofTopic(topics[i], configs{"flush.ms": "1000"}))
	})
	for i, p := range plans {
		switch i {
		case hidden:
			mentions(t, p.Diagnostics.One(t), topics[i], onTopic("DESCRIBE_CONFIGS", topics[i]))
		case readable:
			mentions(t, p.Diagnostics.OneWarning(t), "not checked by the brokers", onTopic("ALTER_CONFIGS", topics[i]))
		default:
			p.Diagnostics.None(t)
		}
	}
	said := make([]acctest.Diagnostics, many)
	b.rec.Reset()
	w = b.tf.Walk()
	each(topics, func(i int) {
		if i != hidden {
			said[i] = w.Apply(plans[i], nil)
		}
	})
	for i := range said {
		if i == readable {
			mentions(t, said[i].One(t), topics[i], "missing permission: "+onTopic("ALTER_CONFIGS", topics[i]))
			continue
		}
		said[i].None(t)
	}
	if n := len(b.rec.Writes()); n > 30 {
		t.Errorf("%d writes for %d topics: a refusal took them apart", n, many)
	}
	// Both are applied by somebody who may, and the hidden one stays hidden.
	for _, i := range []int{hidden, readable} {
		resources[i] = b.applied(topicConfig, ofTopic(topics[i], configs{"flush.ms": "1000"}))
	}
	b.rec.Reset()
	w = b.tf.Walk()
	each(topics, func(i int) { said[i] = w.Refresh(resources[i]) })
	onlyHidden(t, resources, said, hidden, onTopic("DESCRIBE_CONFIGS", topics[hidden]))
	if n := b.rec.Count(int16(kmsg.DescribeConfigs)); n > 30 {
		t.Errorf("%d DescribeConfigs for %d topics: a refusal took them apart", n, many)
	}
}

// The same for layouts: one topic of many may not be seen.
func TestAssignmentsRefusedAmongMany(t *testing.T) {
	const many, hidden = 30, 11
	b := newBench(t)
	topics := b.cluster.UniqueTopics(t, many)
	grants := []string{"DESCRIBE on Cluster"}
	resources := make([]*acctest.Resource, many)
	admin := b.admin.Walk()
	for i, topic := range topics {
		resources[i] = b.tf.Resource(topicAssignment)
		if i != hidden {
			grants = append(grants, onTopic("DESCRIBE", topic))
		}
	}
	each(topics, func(i int) { admin.Import(resources[i], topics[i]).NoErrors(t) })
	b.grant(grants...)
	said := make([]acctest.Diagnostics, many)
	w := b.tf.Walk()
	each(topics, func(i int) { said[i] = w.Refresh(resources[i]) })
	onlyHidden(t, resources, said, hidden, onTopic("DESCRIBE", topics[hidden]))
}

// onlyHidden fails the test unless a refresh failed for one resource, naming an ACL, and none was dropped from state.
func onlyHidden(t *testing.T, resources []*acctest.Resource, said []acctest.Diagnostics, hidden int, acl string) {
	t.Helper()
	for i := range said {
		if i == hidden {
			mentions(t, said[i].One(t), "missing permission: "+acl)
		} else {
			said[i].None(t)
		}
		if !resources[i].Exists() {
			t.Errorf("Resource %d was dropped from state", i)
		}
	}
}

// each does something for all topics at once, as Terraform does for resources.
func each(topics []string, do func(i int)) {
	var all sync.WaitGroup
	for i := range topics {
		all.Go(func() { do(i) })
	}
	all.Wait()
}
