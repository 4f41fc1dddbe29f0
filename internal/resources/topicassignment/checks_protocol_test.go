// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// refusedUnlessSkipped plans a configuration: without skip_checks it is refused with the check's name at that place, with it it is not.
func (b bench) refusedUnlessSkipped(r *acctest.Resource, config values, check, at string, says ...string) *acctest.Plan {
	b.t.Helper()
	e := b.tf.Plan(r, config).Diagnostics.One(b.t)
	if e.Path != at {
		b.t.Errorf("It stands at %q, want %q", e.Path, at)
	}
	mentions(b.t, e, append(says, check, "skip_checks", config["topic"].(string))...)
	p := b.tf.Plan(r, config.With("skip_checks", []string{check}))
	p.Diagnostics.NoErrors(b.t)
	return p
}

// Acceptance 4; C-50: uneven_replication_factor.
func TestCheckUnevenReplicationFactor(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}, {2, 3}, {3, 1}})
	r := b.imported(topic)
	want := lists{{1, 2}, {2, 3, 4}, {3, 1}}
	p := b.refusedUnlessSkipped(r, explicit(topic, want), "uneven_replication_factor", "assignment", "2 replicas: partitions [0, 2]; 3 replicas: partitions [1]")
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, want)
	// Adding one more like those that are there adds no unevenness.
	b.tf.Plan(r, explicit(topic, append(want, []int32{1, 5}))).Diagnostics.NoErrors(t)
}

// Acceptance 4: min_insync_replicas.
func TestCheckMinInsyncReplicas(t *testing.T) {
	b := newBench(t)
	topic := testbed.UniqueName(t)
	b.cluster.CreateTopic(t, topic, 1, 3, map[string]string{"min.insync.replicas": "2"})
	r := b.imported(topic)
	b.refusedUnlessSkipped(r, values{"topic": topic, "replication_factor": 1}, "min_insync_replicas", "", "min.insync.replicas is 2", "1 replica(s)", "acks=all")
	b.tf.Plan(r, values{"topic": topic, "replication_factor": 2}).Diagnostics.NoErrors(t)
}

// Acceptance 4; C-51: rack_spread. Fewer replicas alone do not trigger it.
func TestCheckRackSpread(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}})
	r := b.imported(topic)
	skipped := explicit(topic, lists{{1, 4, 2}, {2, 3, 1}, {3, 1, 2}})
	b.refusedUnlessSkipped(r, skipped, "rack_spread", "assignment[0]", "on 3 racks now and would be on 2", "3 replicas can be on 3")
	b.tf.Plan(r, explicit(topic, lists{{1}, {2}, {3}})).Diagnostics.NoErrors(t)
}

// Acceptance 4; C-63: disk_space. A destination says that it has less than what would be copied to it.
func TestCheckDiskSpace(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}})
	b.fill(topic, 1)
	r := b.imported(topic)
	stop := b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != keyDescribeLogDirs || q.Broker != 3 {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(answer kmsg.Response) {
			for i := range answer.(*kmsg.DescribeLogDirsResponse).Dirs {
				answer.(*kmsg.DescribeLogDirsResponse).Dirs[i].UsableBytes = 2 << 20
			}
		})
	})
	defer stop()
	b.refusedUnlessSkipped(r, explicit(topic, lists{{1, 3}}), "disk_space", "assignment", "Broker 3 has too little disk space", "3.1 MiB", "2.0 MiB usable")
	b.tf.Plan(r, explicit(topic, lists{{1, 2}})).Diagnostics.NoErrors(t)
}

// Acceptance 4; C-64: internal_topic, for growth and for moves; both go with the skip. Kafka makes the topic when a group commits.
func TestCheckInternalTopic(t *testing.T) {
	b := newBench(t)
	const topic = "__consumer_offsets"
	offsets := kadm.Offsets{}
	offsets.AddOffset(b.topic(lists{{1}}), 0, 1, -1)
	b.waitFor("a group to commit", func() error {
		answers, err := b.admin.CommitOffsets(t.Context(), testbed.UniqueName(t), offsets)
		if err != nil {
			return err
		}
		return answers.Error()
	})
	r := b.imported(topic)
	before := listsOf(t, r.State()["assignment"])
	b.tf.Empty(r, explicit(topic, before))
	b.refusedUnlessSkipped(r, values{"topic": topic, "partitions": len(before) + 1}, "internal_topic", "", "Kafka's own")
	turned := slices.Clone(before)
	turned[0] = slices.Concat(before[0][1:], before[0][:1])
	p := b.refusedUnlessSkipped(r, explicit(topic, turned), "internal_topic", "assignment", "Kafka's own")
	b.tf.ApplyPlan(p).NoErrors(t)
	b.has(topic, turned)
}

// Acceptance 4; C-62: offline_broker. A broker that is no new target does not block the plan, and a computed layout avoids it.
func TestCheckOfflineBroker(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 5}, {3, 2}})
	r := b.imported(topic)
	b.stopped(5)
	p := b.refusedUnlessSkipped(r, explicit(topic, lists{{1, 5}, {3, 5}}), "offline_broker", "assignment[1]", "Broker 5 is not alive", "Partition 1")
	planned(t, p, acctest.Update, lists{{1, 5}, {3, 5}})
	b.tf.Plan(r, explicit(topic, lists{{1, 5}, {3, 1}})).Diagnostics.NoErrors(t)
	grown := b.tf.Plan(r, computed(topic, 2, 3))
	grown.Diagnostics.NoErrors(t)
	for p, list := range listsOf(t, grown.After["assignment"]) {
		if p == 1 && containsID(list, 5) {
			t.Errorf("Partition 1 would get a replica on a broker that is down: %v", list)
		}
	}
	// C-48: the reason why so many replicas are impossible is that one broker is down.
	mentions(t, b.tf.Plan(r, computed(topic, 2, 5)).Diagnostics.One(t), "5 replicas", "only 4 brokers", "Brokers [5] are down")
	// C-62: moving away from a dead replica is the way to repair.
	b.tf.Apply(r, computed(topic, 2, 2).With("placement", among(1, 2, 3, 4)))
	b.spread(listsOf(t, r.State()["assignment"]), 2, 2)
}
