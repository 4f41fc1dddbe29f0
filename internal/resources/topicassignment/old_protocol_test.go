// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// A cluster that tells only the brokers that are alive, and that has another controller and other texts (Kafka 3.9 on ZooKeeper):
// acceptance 1, 2 and 6 there, growth, and a broker that is down, which cannot be told from one that never was.
func TestOldCluster(t *testing.T) {
	cluster := testbed.Own(t, testbed.Options{Version: "3.9.2", Mode: testbed.ZooKeeper})
	client, rec := cluster.Client(t), testbed.Record(t, cluster)
	b := bench{
		t: t, cluster: cluster, rec: rec, client: client, admin: kadm.NewClient(client),
		tf: acctest.New(t, values{"bootstrap_servers": rec.BootstrapServers()}),
	}
	topic := b.topic(lists{{1}, {2}})
	r := b.imported(topic)
	config := computed(topic, 4, 2)
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	want := listsOf(t, p.After["assignment"])
	b.spread(want, 4, 2)
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, want)
	b.led(topic)
	b.tf.Empty(r, config)
	turned := lists{{want[0][1], want[0][0]}, want[1], want[2], want[3]}
	b.tf.Apply(r, explicit(topic, turned))
	b.has(topic, turned)
	b.led(topic)

	layout := lists{{1, 2}, {2, 1}}
	other := b.topic(layout)
	o := b.imported(other)
	moved := b.tf.Plan(o, explicit(other, lists{{1, 3}, {2, 1}}))
	moved.Diagnostics.NoErrors(t)
	b.stopped(3)
	e := b.tf.Plan(o.Copy(), explicit(other, lists{{1, 3}, {2, 1}})).Diagnostics.One(t)
	if e.Path != "assignment[0]" {
		t.Errorf("It stands at %s", e.Path)
	}
	mentions(t, e, other, "Broker 3 is not alive", "offline_broker")
	b.rec.Reset()
	mentions(t, b.tf.ApplyPlan(moved).One(t), other, "broker 3", "is down or has left", "Plan again")
	b.quiet()
	b.has(other, layout)
}
