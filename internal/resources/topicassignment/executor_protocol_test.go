// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 1; C-75: thirty topics move in one apply, ten at a time. No broker ever has more copies than it may, each broker's rate is
// written once, the polls are one stream for all, and nothing is left.
func TestThirtyTopics(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	const limit, topics = 4, 30
	b.reassignment(values{"max_moves_per_broker": limit, "throttle_bytes_per_second": 20_000_000})
	leaders := map[string][]int32{}
	var names []string
	var plans []*acctest.Plan
	for i := range topics {
		first := int32(1 + i%5)
		next := func(n int32) int32 { return (first+n-1)%5 + 1 }
		topic := b.topic(lists{{first, next(1)}, {next(1), next(2)}})
		b.cluster.Produce(t, topic, 2, 3<<20)
		leaders[topic], names = []int32{first, next(1)}, append(names, topic)
		config := explicit(topic, lists{{first, next(2)}, {next(1), next(3)}}).With("skip_checks", []string{"rack_spread"})
		p := b.tf.Plan(b.imported(topic), config)
		planned(t, p, acctest.Update, lists{{first, next(2)}, {next(1), next(3)}})
		plans = append(plans, p)
	}
	mentions(t, warned(t, plans[0].Diagnostics, "What the new layout"), "At the throttle of 19 MiB per second (20 MB/s) for each broker that takes at least")
	b.rec.Reset()
	stop := b.watchMoves(leaders)
	start := time.Now()
	for i, diags := range b.together(plans, 10) {
		diags.NoErrors(t)
		if len(diags.Warnings()) > 1 { // that of the cost
			t.Errorf("Topic %d: %s", i, diags)
		}
	}
	took := time.Since(start)
	most, samples := stop()
	busiest := 0
	for id, n := range most {
		busiest = max(busiest, n)
		if n > limit {
			t.Errorf("Broker %d had %d copies at a time", id, n)
		}
	}
	if samples < 10 || busiest < limit {
		t.Errorf("%d samples, and at most %d copies at a broker: the limit was not put to the test", samples, busiest)
	}
	rates := map[string]int{}
	for _, q := range b.rec.Writes() {
		alter, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest)
		for i := range alterResources(alter, ok) {
			if r := alter.Resources[i]; r.ResourceType == kmsg.ConfigResourceTypeBroker && r.Configs[0].Op == kmsg.IncrementalAlterConfigOpSet {
				rates[r.ResourceName]++
			}
		}
	}
	for id, n := range rates {
		if n != 1 {
			t.Errorf("The rate of broker %s was written %d times", id, n)
		}
	}
	if len(rates) != 5 {
		t.Errorf("The rates of %d brokers were written", len(rates))
	}
	polls, most1 := 0, 0
	for _, q := range b.rec.RequestsOf(keyList) {
		n := len(q.Body.(*kmsg.ListPartitionReassignmentsRequest).Topics)
		polls, most1 = polls+1, max(most1, n)
	}
	byName := map[string]int{}
	for _, q := range b.rec.Requests() {
		byName[kmsg.NameForKey(q.Key)]++
	}
	t.Logf("Requests: %v", byName)
	t.Logf("%s, %d lists of up to %d topics, %d copies at most, %d samples, %d requests", took, polls, most1, busiest, samples, len(b.rec.Requests()))
	if limit := int(took.Seconds()*20) + 3*topics; polls > limit || most1 < 5 {
		t.Errorf("%d lists of up to %d topics in %s, want %d at most", polls, most1, took, limit)
	}
	for _, topic := range names {
		first := leaders[topic][0]
		next := func(n int32) int32 { return (first+n-1)%5 + 1 }
		b.has(topic, lists{{first, next(2)}, {next(1), next(3)}})
	}
	if left := b.throttleKeys(); left != "" {
		t.Errorf("Kafka's own tool still shows\n%s", left)
	}
}

func alterResources(alter *kmsg.IncrementalAlterConfigsRequest, ok bool) []kmsg.IncrementalAlterConfigsRequestResource {
	if !ok {
		return nil
	}
	return alter.Resources
}

// Acceptance line 11: beside Kafka's own time, the move of an empty topic costs two seconds at most.
func TestOverheadOfSmallMove(t *testing.T) {
	b := newBench(t)
	var kafka, provider []time.Duration
	for range 3 {
		topic := b.topic(lists{{1, 2}})
		start := time.Now()
		b.reassign(topic, map[int32][]int32{0: {1, 3}})
		b.has(topic, lists{{1, 3}})
		kafka = append(kafka, time.Since(start))

		other := b.topic(lists{{1, 2}})
		p := b.tf.Plan(b.imported(other), explicit(other, lists{{1, 3}}))
		start = time.Now()
		b.tf.ApplyPlan(p).NoErrors(t)
		provider = append(provider, time.Since(start))
	}
	t.Logf("By hand %s, with the provider %s", kafka, provider)
	if slices.Min(provider) > slices.Max(kafka)+2*time.Second {
		t.Errorf("By hand it takes %s, with the provider %s", kafka, provider)
	}
}

// Adding partitions never waits behind moves of another topic, nor does what copies nothing. C-78: without waiting all is submitted at once.
func TestNothingWaitsBehindOthers(t *testing.T) {
	b := newBench(t)
	b.reassignment(values{"max_moves_per_broker": 1})
	held := b.held(lists{{1, 2}, {1, 2}, {1, 2}})
	grown, ordered, unwatched := b.topic(lists{{1, 2}}), b.topic(lists{{1, 2}}), b.held(lists{{1, 2}, {1, 2}})
	moved := lists{{1, 3}, {1, 3}, {1, 3}}
	p := b.tf.Plan(b.imported(held), explicit(held, moved))
	others := []*acctest.Plan{
		b.tf.Plan(b.imported(grown), explicit(grown, lists{{1, 2}, {1, 3}})), b.tf.Plan(b.imported(ordered), explicit(ordered, lists{{2, 1}})),
		b.tf.Plan(b.imported(unwatched), explicit(unwatched, lists{{1, 3}, {1, 3}}).With("wait_for_completion", false)),
	}
	w, done := b.tf.Walk(), make(chan acctest.Diagnostics, 1)
	b.rec.Reset()
	go func() { done <- w.Apply(p, nil) }()
	b.waits()
	for _, other := range others {
		w.Apply(other, nil).NoErrors(t)
	}
	b.has(grown, lists{{1, 2}, {1, 3}})
	b.has(ordered, lists{{2, 1}})
	b.led(ordered)
	if got := b.moving(unwatched); !slices.Equal(got, []int32{0, 1}) {
		t.Errorf("Of the topic that is not waited for, %v are moving", got)
	}
	if got := b.moving(held); len(got) != 1 {
		t.Errorf("%v are moving at a limit of one", got)
	}
	b.release(unwatched)
	b.release(held)
	(<-done).NoErrors(t)
	b.has(held, moved)
}

// Acceptance line 12; C-74: one partition of twenty is refused. The others are done, the error names it in the broker's words, state has what
// was reached, and the next plan shows only it.
func TestOneOfTwentyRefused(t *testing.T) {
	b := newBench(t)
	var layout, want lists
	for range 20 {
		layout, want = append(layout, []int32{1, 2}), append(want, []int32{1, 3})
	}
	topic := b.topic(layout)
	b.fillPartition(topic, 7)
	b.hold(topic)
	r := b.imported(topic)
	p := b.tf.Plan(r, explicit(topic, want))
	stop := b.rec.Intercept(b.refusing(topic, 7))
	e := b.tf.ApplyPlan(p).One(t)
	stop()
	mentions(t, e, topic, "refused to move partitions [7]", "INVALID_REPLICA_ASSIGNMENT", "no room at the inn")
	reached := slices.Clone(want)
	reached[7] = []int32{1, 2}
	b.has(topic, reached)
	inState(t, r, reached, false)
	again := b.tf.Plan(r, explicit(topic, want))
	planned(t, again, acctest.Update, want)
	mentions(t, warned(t, again.Diagnostics, "What the new layout"), "1 replicas are copied", "7: [1, 2] -> [1, 3]")
	b.rec.Reset()
	b.release(topic)
	b.tf.ApplyPlan(again).NoErrors(t)
	b.sends(map[int32][]int32{7: {1, 3}})
	b.has(topic, want)
}

// refusing plays a controller that refuses one partition: its move is cancelled before the answer, which then says so.
func (b bench) refusing(topic string, partition int32) func(testbed.Request) testbed.Verdict {
	return func(q testbed.Request) testbed.Verdict {
		if q.Key != keyReassign {
			return testbed.Forward()
		}
		return testbed.EditAnswer(func(response kmsg.Response) {
			for _, t := range response.(*kmsg.AlterPartitionAssignmentsResponse).Topics {
				for i := range t.Partitions {
					if t.Topic == topic && t.Partitions[i].Partition == partition {
						b.reassign(topic, map[int32][]int32{partition: nil})
						message := "no room at the inn"
						t.Partitions[i].ErrorCode, t.Partitions[i].ErrorMessage = kerr.InvalidReplicaAssignment.Code, &message
					}
				}
			}
		})
	}
}
