// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	leaderList, followerList = "leader.replication.throttled.replicas", "follower.replication.throttled.replicas"
	leaderRate, followerRate = "leader.replication.throttled.rate", "follower.replication.throttled.rate"
)

// throttledTo configures a throttle of so many bytes per second.
func (b bench) throttledTo(bytesPerSecond int) {
	b.reassignment(values{"throttle_bytes_per_second": bytesPerSecond})
}

// setLists sets a topic's throttled-replica lists, or removes those that are empty.
func (b bench) setLists(topic, leaders, followers string) {
	b.t.Helper()
	var changes []kadm.AlterConfig
	for key, text := range map[string]string{leaderList: leaders, followerList: followers} {
		change := kadm.AlterConfig{Op: kadm.SetConfig, Name: key, Value: &text}
		if text == "" {
			change = kadm.AlterConfig{Op: kadm.DeleteConfig, Name: key}
		}
		changes = append(changes, change)
	}
	answers, err := b.admin.AlterTopicConfigs(b.t.Context(), changes, topic)
	if err = errors.Join(err, answers[0].Err); err != nil {
		b.t.Fatal(err)
	}
	b.showsLists(topic, leaders, followers)
}

// showsLists returns when every broker shows these lists as the topic's own.
func (b bench) showsLists(topic, leaders, followers string) {
	b.t.Helper()
	want := map[string]string{leaderList: leaders, followerList: followers}
	maps.DeleteFunc(want, func(_, text string) bool { return text == "" })
	for _, broker := range b.cluster.Brokers() {
		if broker.Pid == 0 {
			continue
		}
		b.waitFor(fmt.Sprintf("broker %d to show %v", broker.ID, want), func() error {
			request := kmsg.NewPtrDescribeConfigsRequest()
			resource := kmsg.NewDescribeConfigsRequestResource()
			resource.ResourceType, resource.ResourceName, resource.ConfigNames = kmsg.ConfigResourceTypeTopic, topic, []string{leaderList, followerList}
			request.Resources = append(request.Resources, resource)
			answer, err := b.client.Broker(broker.ID).RetriableRequest(b.t.Context(), request)
			if err != nil {
				return err
			}
			got := map[string]string{}
			for _, c := range answer.(*kmsg.DescribeConfigsResponse).Resources[0].Configs {
				if c.Source == kmsg.ConfigSourceDynamicTopicConfig {
					got[c.Name] = *c.Value
				}
			}
			if !maps.Equal(got, want) {
				return fmt.Errorf("it shows %v", got)
			}
			return nil
		})
	}
}

// ratesOf are a broker's own rates.
func (b bench) ratesOf(id int32) map[string]string {
	b.t.Helper()
	found, err := b.admin.DescribeBrokerConfigs(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	own := map[string]string{}
	for _, c := range found[0].Configs {
		if c.Source == kmsg.ConfigSourceDynamicBrokerConfig && strings.HasSuffix(c.Key, "throttled.rate") {
			own[c.Key] = *c.Value
		}
	}
	return own
}

// setRates sets both rates of a broker.
func (b bench) setRates(id int32, bytesPerSecond string) {
	b.t.Helper()
	changes := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: leaderRate, Value: &bytesPerSecond}, {Op: kadm.SetConfig, Name: followerRate, Value: &bytesPerSecond}}
	answers, err := b.admin.AlterBrokerConfigs(b.t.Context(), changes, id)
	if err = errors.Join(err, answers[0].Err); err != nil {
		b.t.Fatal(err)
	}
	b.waitFor("the rates to show", func() error {
		if got := b.ratesOf(id); got[leaderRate] != bytesPerSecond || got[followerRate] != bytesPerSecond {
			return fmt.Errorf("they are %v", got)
		}
		return nil
	})
}

// untouched fails the test if Kafka's own tool finds a throttle.
func (b bench) untouched() {
	b.t.Helper()
	if left := b.throttleKeys(); left != "" {
		b.t.Errorf("Left is:\n%s", left)
	}
}

// Acceptance lines 4 and 9; C-94: an update is interrupted in mid-move. The throttle stays for what goes on, the state knows it, and is
// pending; the next apply has another throttle, which takes effect on the moves that it takes over. Then nothing is left.
func TestThrottleOutlivesInterrupt(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	topic := b.topic(lists{{1, 2}})
	b.cluster.Produce(t, topic, 1, 20_000_000)
	b.throttledTo(100_000)
	r := b.imported(topic)
	want := lists{{1, 3}}
	e := b.interrupted(b.tf.Plan(r, explicit(topic, want)), topic, 0)
	mentions(t, e, "partitions [0] are still being moved, and go on, throttled")
	b.showsLists(topic, "0:1,0:2", "0:3")
	for _, id := range []int32{1, 2, 3} {
		if got := b.ratesOf(id); got[leaderRate] != "100000" || got[followerRate] != "100000" {
			t.Errorf("Broker %d has %v", id, got)
		}
	}
	inState(t, r, want, true)
	b.throttledTo(50_000_000)
	p := b.tf.Plan(r, explicit(topic, want))
	planned(t, p, acctest.Update, want)
	diags := b.tf.ApplyPlan(p)
	diags.None(t) // no rate is taken for somebody else's: they were noted
	inState(t, r, want, false)
	b.has(topic, want)
	b.untouched()
	b.tf.Empty(r, explicit(topic, want))
}

// Acceptance line 5: a cancel takes the throttle along.
func TestCancelTakesThrottleBack(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	layout := lists{{2, 1}}
	topic := b.topic(layout)
	b.cluster.Produce(t, topic, 1, 20_000_000)
	b.throttledTo(100_000)
	r := b.imported(topic)
	e := b.interrupted(b.tf.Plan(r, explicit(topic, lists{{2, 1, 3}}).With("on_interruption", "cancel")), topic, 0)
	mentions(t, e, "partitions [0] were cancelled")
	b.has(topic, layout)
	b.untouched()
	inState(t, r, layout, false)
}

// Acceptance line 13: two applies in two processes at once, on different topics and the same brokers, with the same throttle. When the first
// ends, the other's moves are still held to their rates; when both have ended, nothing is left.
func TestTwoApplies(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	short, long := b.topic(lists{{1, 2}}), b.topic(lists{{1, 2}})
	b.cluster.Produce(t, short, 1, 1_000_000)
	b.cluster.Produce(t, long, 1, 48_000_000) // 24 s: the short one may take a while on a busy machine
	b.throttledTo(2_000_000)
	other := b
	other.tf = acctest.New(t, values{"bootstrap_servers": b.rec.BootstrapServers(), "reassignment": values{"throttle_bytes_per_second": 2_000_000}})
	r, s := b.imported(short), other.imported(long)
	p, q := b.tf.Plan(r, explicit(short, lists{{1, 3}})), other.tf.Plan(s, explicit(long, lists{{1, 3}}))
	slow := other.background(q)
	b.waitFor("the longer move to begin", func() error {
		if len(b.moving(long)) == 0 {
			return errors.New("it does not move")
		}
		return nil
	})
	diags := b.tf.ApplyPlan(p)
	diags.NoErrors(t)
	b.has(short, lists{{1, 3}})
	b.showsLists(short, "", "")
	if len(b.moving(long)) == 0 {
		t.Fatal("The longer move has ended already")
	}
	for _, id := range []int32{1, 2, 3} {
		if got := b.ratesOf(id); got[leaderRate] != "2000000" || got[followerRate] != "2000000" {
			t.Errorf("While the longer move goes on, broker %d has %v", id, got)
		}
	}
	mentions(t, warned(t, diags, "About the moves"), "stay", long, "same throttle_bytes_per_second")
	(<-slow).NoErrors(t)
	b.has(long, lists{{1, 3}})
	b.untouched()
}

// C-78: without waiting the throttle stays with the moves. When they have ended its entries show as pending, and the next apply takes all back.
func TestThrottleWithoutWaiting(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	topic := b.topic(lists{{1, 2}})
	b.cluster.Produce(t, topic, 1, 2_000_000)
	b.throttledTo(1_000_000)
	r := b.imported(topic)
	config := explicit(topic, lists{{1, 3}}).With("wait_for_completion", false)
	b.tf.Apply(r, config)
	inState(t, r, lists{{1, 3}}, true)
	b.showsLists(topic, "0:1,0:2", "0:3")
	b.has(topic, lists{{1, 3}})
	p := b.tf.Plan(r, config)
	planned(t, p, acctest.Update, lists{{1, 3}})
	if p.After["reassignment_pending"] != false {
		t.Errorf("Pending is planned as %v", p.After["reassignment_pending"])
	}
	b.tf.ApplyPlan(p).None(t)
	inState(t, r, lists{{1, 3}}, false)
	b.untouched()
	b.tf.Empty(r, config)
}

// Acceptance line 6; C-93: an apply was killed in mid-move, so that nobody noted anything. The next plan shows the change and the moves in
// flight; apply takes both over, with its own throttle, and leaves nothing.
func TestThrottleOfKilledApply(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	topic := b.topic(lists{{1, 2}})
	b.cluster.Produce(t, topic, 1, 20_000_000)
	r := b.imported(topic)
	b.setLists(topic, "0:1,0:2", "0:3") // what a killed apply had set and submitted
	for _, id := range []int32{1, 2, 3} {
		b.setRates(id, "100000")
	}
	b.reassign(topic, map[int32][]int32{0: {1, 3}})
	b.throttledTo(50_000_000)
	p := b.tf.Plan(r, explicit(topic, lists{{1, 3}}))
	planned(t, p, acctest.Update, lists{{1, 3}})
	mentions(t, warned(t, p.Diagnostics, "What the new layout"), "Partitions [0] are on the way there already")
	diags := b.tf.ApplyPlan(p)
	diags.NoErrors(t)
	mentions(t, warned(t, diags, "About the moves"), "100 kB/s", "earlier run", "50 MB/s")
	inState(t, r, lists{{1, 3}}, false)
	b.has(topic, lists{{1, 3}})
	b.untouched()
}

// C-91: entries of partitions at rest show as pending, and the next apply removes them with the rates that are as
// configured; another rate stays and is named. A "*" is never ours.
func TestLeftOverEntriesArePending(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	layout := lists{{1, 2}, {2, 3}}
	topic := b.topic(layout)
	b.throttledTo(7_000_000)
	r := b.imported(topic)
	b.tf.Empty(r, explicit(topic, layout))
	b.setLists(topic, "1:2", "*")
	b.setRates(2, "7000000")
	b.setRates(3, "8000000")
	b.setLists(topic, "1:2,1:3", "*")
	p := b.tf.Plan(r, explicit(topic, layout))
	planned(t, p, acctest.Update, layout)
	if p.Before["reassignment_pending"] != true || p.After["reassignment_pending"] != false {
		t.Errorf("Pending goes from %v to %v", p.Before["reassignment_pending"], p.After["reassignment_pending"])
	}
	b.rec.Reset()
	diags := b.tf.ApplyPlan(p)
	diags.NoErrors(t)
	stays := warned(t, diags, "About the moves")
	mentions(t, stays, "Broker 3", "8.0 MB/s", "stays", "--delete-config "+leaderRate)
	if strings.Contains(fmt.Sprint(stays), followerRate) {
		t.Errorf("The way out removes a rate that is not told of: %v", stays)
	}
	b.sends(nil)
	b.showsLists(topic, "", "*")
	if got := b.ratesOf(2); len(got) > 0 {
		t.Errorf("Broker 2 has %v", got)
	}
	if got := b.ratesOf(3); got[leaderRate] != "8000000" {
		t.Errorf("Broker 3 has %v", got)
	}
	inState(t, r, layout, false)
	b.tf.Empty(r, explicit(topic, layout))
}

// Entries of a partition that somebody else moves are none of ours, and a move of theirs sets nothing pending.
func TestEntriesOfForeignMove(t *testing.T) {
	b := newBench(t)
	layout := lists{{1, 2}, {1, 2}}
	topic := b.held(layout)
	r := b.imported(topic)
	b.reassign(topic, map[int32][]int32{0: {1, 3}})
	b.setLists(topic, "0:1,0:2", "0:3")
	w := b.tf.Walk()
	diags := w.Refresh(r)
	mentions(t, warned(t, diags, "Partitions of topic"), "0 adding [3]")
	inState(t, r, layout, false)
	b.setLists(topic, "", "")
	b.has(topic, lists{{1, 3}, {1, 2}})
}

// C-65, C-81, C-82: the plan tells how long it takes at the throttle, and whose rates are used instead.
func TestPlanTellsThrottle(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}})
	b.cluster.Produce(t, topic, 1, 20_000_000)
	r := b.imported(topic)
	config := explicit(topic, lists{{1, 3}})
	mentions(t, warned(t, b.tf.Plan(r, config).Diagnostics, "What the new layout"), "There is no throttle")
	b.throttledTo(1_000_000)
	// This package's brokers have a rate of 1000 for topics that are held.
	text := warned(t, b.tf.Plan(r, config).Diagnostics, "What the new layout")
	mentions(t, text, "(1 MB/s)", "Broker 1 has a rate that somebody else set, which is used instead", "1.0 kB/s (1000 bytes per second)", "at least 5h")
	b.unlimited()
	b.waitFor("the rates to be gone", func() error {
		if got := b.ratesOf(1); len(got) > 0 {
			return fmt.Errorf("%v", got)
		}
		return nil
	})
	text = warned(t, b.tf.Plan(r, config).Diagnostics, "What the new layout")
	mentions(t, text, "At the throttle of 977 KiB per second (1 MB/s)", "at least 20s")
	if strings.Contains(text.Detail, "somebody else") {
		t.Errorf("It speaks of others: %s", text)
	}
	for _, wrong := range []int{0, -1} {
		b.throttledTo(wrong)
		if _, diags := b.tf.Configure(); len(diags.Errors()) == 0 {
			t.Errorf("A throttle of %d is accepted", wrong)
		}
	}
}

// C-83: where the throttle cannot be set, nothing is moved, and the error says why.
func TestNothingMovesUnthrottled(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1, 2}})
	b.throttledTo(1_000_000)
	r := b.imported(topic)
	p := b.tf.Plan(r, explicit(topic, lists{{1, 3}}))
	stop := b.rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != 44 {
			return testbed.Forward()
		}
		answer := q.Body.ResponseKind().(*kmsg.IncrementalAlterConfigsResponse)
		for _, asked := range q.Body.(*kmsg.IncrementalAlterConfigsRequest).Resources {
			refused := kmsg.NewIncrementalAlterConfigsResponseResource()
			refused.ResourceType, refused.ResourceName, refused.ErrorCode = asked.ResourceType, asked.ResourceName, 44
			refused.ErrorMessage = kmsg.StringPtr("no throttles here")
			answer.Resources = append(answer.Resources, refused)
		}
		return testbed.Answer(answer)
	})
	e := b.tf.ApplyPlan(p).One(t)
	stop()
	mentions(t, e, topic, "throttle_bytes_per_second cannot be used here", "no throttles here", "remove throttle_bytes_per_second")
	b.sends(nil)
	b.has(topic, lists{{1, 2}})
	b.showsLists(topic, "", "")
}

// Issue 6 "Throttle", refresh: left-over entries of 300 assignments are looked for in some requests, a hundred topics in each.
func TestRefreshOfMany(t *testing.T) {
	b := newBench(t)
	prefix := testbed.UniqueName(t)
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprintf("%s-%d", prefix, i))
	}
	if _, err := b.admin.CreateTopics(t.Context(), 1, 1, nil, names...); err != nil {
		t.Fatal(err)
	}
	admin := b.cluster.Admin(t)
	t.Cleanup(func() { deleteAll(t, admin, names) })
	b.cluster.WaitTopic(t, names[299], 1)
	b.waitFor("all topics to be known", func() error {
		for _, broker := range b.cluster.Brokers() {
			request := kmsg.NewPtrMetadataRequest()
			answer, err := b.client.Broker(broker.ID).RetriableRequest(t.Context(), request)
			if err != nil {
				return err
			}
			if n := len(answer.(*kmsg.MetadataResponse).Topics); n < len(names) {
				return fmt.Errorf("broker %d knows %d", broker.ID, n)
			}
		}
		return nil
	})
	resources := make([]*acctest.Resource, len(names))
	w := b.tf.Walk()
	for i, name := range names {
		resources[i] = b.tf.Resource(typeName)
		w.Import(resources[i], name).NoErrors(t)
	}
	b.rec.Reset()
	w = b.tf.Walk()
	start := time.Now()
	turns, done := make(chan struct{}, 10), make(chan error)
	for i, r := range resources {
		go func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			if diags := w.Refresh(r); len(diags) > 0 {
				done <- fmt.Errorf("refresh of %s:\n%s", names[i], diags)
				return
			}
			done <- nil
		}()
	}
	for range resources {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	const describeConfigs = 32
	t.Logf("%v; %d DescribeConfigs of %d requests", time.Since(start).Round(time.Millisecond), b.rec.Count(describeConfigs), len(b.rec.Requests()))
	if n := b.rec.Count(describeConfigs); n > 8 {
		t.Errorf("%d requests for the throttle entries of 300 topics", n)
	}
}
