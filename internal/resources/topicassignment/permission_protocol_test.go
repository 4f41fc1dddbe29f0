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

// Acceptance 14: without ALTER on the cluster a plan that moves warns, and apply is refused before anything is written.
func TestMayNotMove(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	r := b.imported(topic)
	defer b.told(func(answer *kmsg.DescribeClusterResponse) {
		if answer.ClusterAuthorizedOperations != -1<<31 {
			answer.ClusterAuthorizedOperations &^= 1 << 7
		}
	})()
	p := b.tf.Plan(r, computed(topic, 2, 2))
	p.Diagnostics.NoErrors(t)
	mentions(t, warned(t, p.Diagnostics, "The principal may not move"), topic, "ALTER on Cluster")
	b.rec.Reset()
	mentions(t, b.tf.ApplyPlan(p).One(t), topic, "ALTER on Cluster", "Nothing was written")
	if n := len(b.rec.Writes()); n > 0 {
		t.Errorf("%d writes:\n%s", n, b.rec)
	}
	// New partitions alone need no such permission.
	p = b.tf.Plan(r, computed(topic, 2, 1))
	for _, d := range p.Diagnostics {
		if d.Summary == "The principal may not move replicas of topic \""+topic+"\"" {
			t.Errorf("Nothing moves: %s", d)
		}
	}
	b.tf.ApplyPlan(p).NoErrors(t)
}

// Acceptance 14: without ALTER on the topic the brokers do not check new partitions; the plan says so and stays possible.
func TestMayNotAddPartitions(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	r := b.imported(topic)
	defer b.refuses(keyCreatePartitions, func(answer kmsg.Response) {
		one := kmsg.NewCreatePartitionsResponseTopic()
		one.Topic, one.ErrorCode = topic, kerr.TopicAuthorizationFailed.Code
		answer.(*kmsg.CreatePartitionsResponse).Topics = append(answer.(*kmsg.CreatePartitionsResponse).Topics, one)
	})()
	p := b.tf.Plan(r, computed(topic, 2, 1))
	p.Diagnostics.NoErrors(t)
	mentions(t, warned(t, p.Diagnostics, "The brokers did not check"), topic, "ALTER on Topic")
	mentions(t, b.tf.ApplyPlan(p).One(t), topic, "ALTER on Topic", "TOPIC_AUTHORIZATION_FAILED")
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

// C-19: only the partition count changes, and nobody may read or write the topic's configs.
func TestNoConfigsNeeded(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	r := b.imported(topic)
	defer b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != int16(kmsg.DescribeConfigs) {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(answer kmsg.Response) {
			for i := range answer.(*kmsg.DescribeConfigsResponse).Resources {
				answer.(*kmsg.DescribeConfigsResponse).Resources[i].ErrorCode = kerr.TopicAuthorizationFailed.Code
				answer.(*kmsg.DescribeConfigsResponse).Resources[i].Configs = nil
			}
		})
	})()
	b.tf.Apply(r, computed(topic, 2, 1))
	for _, q := range b.rec.Writes() {
		if q.Key != keyCreatePartitions {
			t.Errorf("A write that is none of new partitions: %s", q)
		}
	}
	if got := listsOf(t, r.State()["assignment"]); len(got) != 2 {
		t.Errorf("State has %v", got)
	}
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
