// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// C-128: of 300 topics that are read together, one is gone: 299 plan as unchanged, one as a create. Another goes between plan and apply:
// that one's write fails, and the others are written with it in few requests.
func TestOneOfManyIsMissing(t *testing.T) {
	t.Parallel()
	const many, goneBeforePlan, goneBeforeApply = 300, 123, 217
	cluster := testbed.Shared(t)
	topics := cluster.UniqueTopics(t, many)
	rec := testbed.Record(t, cluster)
	tf := terraform(t, rec.BootstrapServers()...)
	resources := make([]*acctest.Resource, many)
	w := tf.Walk()
	each(many, func(i int) {
		resources[i] = tf.Resource(typeName)
		w.Import(resources[i], topics[i]).None(t)
		w.Refresh(resources[i]).None(t)
	})
	deleteTopic(t, cluster, topics[goneBeforePlan])

	w = tf.Walk()
	rec.Reset()
	plans, said := make([]*acctest.Plan, many), make([]acctest.Diagnostics, many)
	each(many, func(i int) {
		said[i] = w.Refresh(resources[i])
		plans[i] = w.Plan(resources[i], values{"topic": topics[i]})
	})
	for i, p := range plans {
		if i == goneBeforePlan {
			if p.Action != acctest.Create {
				t.Errorf("The missing topic's resource plans a %s", p.Action)
			}
			continue
		}
		said[i].None(t)
		planned(t, p, acctest.NoOp, nil)
	}
	if n := rec.Count(int16(kmsg.DescribeConfigs)); n > 60 {
		t.Errorf("%d DescribeConfigs for %d topics", n, many)
	}
	if n := len(rec.Writes()) + len(rec.Validations()); n != 0 {
		t.Errorf("%d writes and validations where nothing changes", n)
	}

	// Brokers that take their time: what comes meanwhile has to go together, however fast this machine is.
	rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.IncrementalAlterConfigs) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(kmsg.Response) { time.Sleep(200 * time.Millisecond) })
	})
	w = tf.Walk()
	rec.Reset()
	each(many, func(i int) {
		if i != goneBeforePlan {
			plans[i] = w.Plan(resources[i], declare(topics[i], configs{"flush.ms": "1000"}))
		}
	})
	if n := len(rec.Validations()); n == 0 || n > 60 {
		t.Errorf("%d validations for %d changes", n, many-1)
	}
	deleteTopic(t, cluster, topics[goneBeforeApply])
	w = tf.Walk()
	rec.Reset()
	each(many, func(i int) {
		if i != goneBeforePlan {
			said[i] = w.Apply(plans[i], nil)
		}
	})
	for i := range said {
		switch i {
		case goneBeforePlan:
		case goneBeforeApply:
			if d := said[i].One(t); !strings.Contains(d.Summary+d.Detail, topics[i]) {
				t.Errorf("The error does not name the topic: %s", d)
			}
		default:
			said[i].None(t)
		}
	}
	if n := len(rec.Writes()); n > 60 {
		t.Errorf("%d writes for %d topics: the missing one took them apart", n, many)
	}
	bench{t: t, cluster: cluster, topic: topics[goneBeforeApply+1]}.has(configs{"flush.ms": "1000"})
}

// each does something for so many resources at once, as Terraform does.
func each(many int, do func(i int)) {
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() { do(i) })
	}
	all.Wait()
}
