// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// refuses answers a request as a broker does that denies it.
func (b bench) refuses(key int16, deny func(kmsg.Response)) (stop func()) {
	return b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != key {
			return testbed.Forward()
		}
		answer := q.Body.ResponseKind()
		deny(answer)
		return testbed.Answer(answer)
	})
}

// C-70: without DESCRIBE on the cluster nobody knows what moves: a refresh keeps the last state and warns, an import and an apply fail.
func TestMayNotListMoves(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	r := b.imported(topic)
	p := b.tf.Plan(r, explicit(topic, lists{{1}, {3}}))
	b.reassign(topic, map[int32][]int32{0: {4}})
	b.has(topic, lists{{4}, {2}})
	defer b.refuses(keyList, func(answer kmsg.Response) {
		answer.(*kmsg.ListPartitionReassignmentsResponse).ErrorCode = kerr.ClusterAuthorizationFailed.Code
	})()
	mentions(t, b.tf.Walk().Refresh(r).OneWarning(t), topic, "DESCRIBE on Cluster", "last known layout")
	inState(t, r, lists{{1}, {2}}, false)
	mentions(t, b.tf.Walk().Import(b.tf.Resource(typeName), topic).One(t), topic, "DESCRIBE on Cluster")
	b.reassign(topic, map[int32][]int32{0: {1}})
	b.has(topic, lists{{1}, {2}})
	b.rec.Reset()
	mentions(t, b.tf.ApplyPlan(p).One(t), topic, "DESCRIBE on Cluster")
	b.quiet()
}

// C-74: the brokers refuse one partition. The others are moved, the error names the one in the brokers' words, state has what was
// reached, and the next plan shows the rest.
func TestOnePartitionRefused(t *testing.T) {
	b := newBench(t)
	before, want := lists{{1}, {2}, {3}}, lists{{2}, {3}, {4}}
	topic := b.topic(before)
	r := b.imported(topic)
	p := b.tf.Plan(r, explicit(topic, want))
	p.Diagnostics.NoErrors(t)
	stop := b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		body, ok := q.Body.(*kmsg.AlterPartitionAssignmentsRequest)
		if !ok {
			return testbed.Forward()
		}
		for i := range body.Topics[0].Partitions {
			if one := &body.Topics[0].Partitions[i]; one.Partition == 1 {
				b.reassign(topic, map[int32][]int32{0: {2}, 2: {4}})
			}
		}
		answer := q.Body.ResponseKind().(*kmsg.AlterPartitionAssignmentsResponse)
		t := kmsg.NewAlterPartitionAssignmentsResponseTopic()
		t.Topic = topic
		for _, one := range body.Topics[0].Partitions {
			a := kmsg.NewAlterPartitionAssignmentsResponseTopicPartition()
			if a.Partition = one.Partition; a.Partition == 1 {
				text := "no room on broker 3"
				a.ErrorCode, a.ErrorMessage = kerr.InvalidReplicaAssignment.Code, &text
			}
			t.Partitions = append(t.Partitions, a)
		}
		answer.Topics = append(answer.Topics, t)
		return testbed.Answer(answer)
	})
	mentions(t, b.tf.ApplyPlan(p).One(t), topic, "partitions [1]", "INVALID_REPLICA_ASSIGNMENT", "no room on broker 3")
	stop()
	inState(t, r, lists{{2}, {2}, {4}}, false)
	p = b.tf.Plan(r, explicit(topic, want))
	planned(t, p, acctest.Update, want)
	b.rec.Reset()
	b.tf.ApplyPlan(p).NoErrors(t)
	b.sends(map[int32][]int32{1: {3}})
	b.has(topic, want)
}

// C-79: a cluster without the requests to move replicas: what needs a move fails at plan, in one sentence; the rest works.
func TestClusterCannotMove(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	defer b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.ApiVersions) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(answer kmsg.Response) {
			a := answer.(*kmsg.ApiVersionsResponse)
			a.ApiKeys = slices.DeleteFunc(a.ApiKeys, func(one kmsg.ApiVersionsResponseApiKey) bool {
				return one.ApiKey == keyReassign || one.ApiKey == keyList
			})
		})
	})()
	r := b.imported(topic)
	b.tf.Empty(r, computed(topic, 2, 1))
	mentions(t, b.tf.Plan(r, computed(topic, 2, 2)).Diagnostics.One(t), topic, "cannot move replicas", "AlterPartitionReassignments", "2.4")
	b.quiet()
	b.tf.Apply(r, computed(topic, 3, 1))
	if got := listsOf(t, r.State()["assignment"]); len(got) != 3 {
		t.Errorf("State has %v", got)
	}
}
