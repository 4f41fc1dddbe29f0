// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// refusedWhole applies a saved plan, which must be refused in the provider's words and before any write.
func (b bench) refusedWhole(p *acctest.Plan, says ...string) {
	b.t.Helper()
	b.rec.Reset()
	mentions(b.t, b.tf.ApplyPlan(p).One(b.t), append(says, "The cluster changed", "Nothing was written", "Plan again")...)
	b.quiet()
}

// Acceptance 16: the topic was moved, or has grown, since the plan.
func TestPlanOutgrownByTheTopic(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}, {2, 3}})
	r := b.imported(topic)
	config := values{"topic": topic, "replication_factor": 3}
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	b.reassign(topic, map[int32][]int32{1: {5, 3}})
	b.has(topic, lists{{1, 2}, {5, 3}})
	b.refusedWhole(p, topic, "Partition 1 has the replicas [5, 3]", "made from [2, 3]")

	p = b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	if _, err := b.admin.UpdatePartitions(t.Context(), 3, topic); err != nil {
		t.Fatal(err)
	}
	b.cluster.WaitTopic(t, topic, 3)
	b.refusedWhole(p, topic, "3 partitions", "made from 2")
	b.tf.Apply(r, config)
	b.tf.Empty(r, config)
}

// Acceptance 16: somebody has brought the topic to the very lists meanwhile. That is what the plan wanted.
func TestPlanOvertaken(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}, {2, 3}})
	r := b.imported(topic)
	want := lists{{1, 3}, {2, 1}}
	p := b.tf.Plan(r, explicit(topic, want))
	b.reassign(topic, map[int32][]int32{1: {2, 1}})
	b.has(topic, lists{{1, 2}, {2, 1}})
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.sends(map[int32][]int32{0: {1, 3}})
	b.has(topic, want)
}

// Acceptance 16: the topic was deleted and made again with the same lists since the plan.
func TestPlanOutgrownByAnotherTopic(t *testing.T) {
	b := newBench(t)
	layout := lists{{1, 2}}
	topic := b.topic(layout)
	r := b.imported(topic)
	p := b.tf.Plan(r, explicit(topic, lists{{1, 3}}))
	p.Diagnostics.NoErrors(t)
	b.delete(topic)
	b.create(topic, layout)
	b.refusedWhole(p, topic, "was deleted and made again")
}

// Acceptance 16: a broker that gets replicas went down since the plan, or stands in another rack; one that does not is no reason.
func TestPlanOutgrownByBrokers(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}, {2, 3}})
	r := b.imported(topic)
	config := explicit(topic, lists{{1, 5}, {2, 3}})
	p := b.tf.Plan(r, config)
	other := b.tf.Plan(r.Copy(), explicit(topic, lists{{1, 3}, {2, 3}}))
	p.Diagnostics.NoErrors(t)
	if err := b.cluster.Stop(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { setRacks(t, b.cluster, map[int]string{5: "rack-b"}) })
	if err := b.cluster.WaitBrokers(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.refusedWhole(p, topic, "broker 5", "which is down")
	setRacks(t, b.cluster, map[int]string{5: "another"})
	b.refusedWhole(p, topic, "broker 5", `was in rack "rack-b" and is in "another"`)
	b.tf.ApplyPlan(other).NoErrors(t)
	b.has(topic, lists{{1, 3}, {2, 3}})
}

// Acceptance 16: a broker that gets replicas has left the cluster since the plan: it was stopped and unregistered. Afterwards it is unknown.
func TestPlanAndABrokerThatLeft(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}})
	r := b.imported(topic)
	config := explicit(topic, lists{{1, 5}})
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	b.stopped(5)
	request := kmsg.NewPtrUnregisterBrokerRequest()
	request.BrokerID = 5
	if answer, err := request.RequestWith(t.Context(), b.client); err != nil || answer.ErrorCode != 0 {
		t.Fatalf("Unregister broker 5: %v, %+v", err, answer)
	}
	b.waitFor("broker 5 to be gone", func() error {
		answer, err := kmsg.NewPtrDescribeClusterRequest().RequestWith(t.Context(), b.client)
		if err == nil && len(answer.Brokers) != 4 {
			err = fmt.Errorf("%d brokers", len(answer.Brokers))
		}
		return err
	})
	b.refusedWhole(p, topic, "broker 5", "has left the cluster")
	mentions(t, b.tf.Plan(r, config).Diagnostics.One(t), "Broker 5 does not exist", "[1, 2, 3, 4]")
}
