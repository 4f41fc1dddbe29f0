// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// C-88: a broker that does not answer is left out with a warning, the others are throttled; its rate that cannot be taken back is told and
// noted. The next run that finds it does.
func TestDeadBroker(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	rec := testbed.Record(t, b.cluster)
	client := b.client(rec.BootstrapServers()...)
	moves := []reassign.Moving{move(topic, 0, []int32{1}, []int32{2, 4})}
	th := throttle.New(client, 10*mega)
	b.must(rec.Refuse(4))
	warnings := b.covered(th.Cover(t.Context(), moves))
	mentions(t, warnings, "Broker 4 does not answer")
	b.throttled(10*mega, 1, 2)
	b.quiet(b.covered(th.Cover(t.Context(), moves))) // told once
	b.must(rec.Heal(4))
	b.quiet(th.Release(t.Context(), nil))
	b.clean([]string{topic}, 1, 2, 4)

	th = throttle.New(client, 10*mega)
	b.quiet(b.covered(th.Cover(t.Context(), moves)))
	b.must(rec.Refuse(4))
	mentions(t, th.Release(t.Context(), nil), "broker 4", "could not be taken back", "kafka-configs.sh")
	b.clean([]string{topic}, 1, 2)
	noted := th.Held(topic)
	if len(noted.LeaderRate) != 1 || noted.LeaderRate[4] != 10*mega || noted.FollowerRate[4] != 10*mega || len(noted.Leader) > 0 {
		t.Errorf("Noted is %+v", noted)
	}
	b.must(rec.Heal(4))
	left, warnings := b.find(topic, noted, 5*mega)
	b.quiet(warnings)
	next := throttle.New(client, 5*mega)
	next.TakeOver(left)
	b.quiet(next.Release(t.Context(), nil))
	b.clean(nil, 4)
}

// A broker that hangs takes no time from the others at an interrupt, which gives five seconds.
func TestHangingBrokerAtInterrupt(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	rec := testbed.Record(t, b.cluster)
	th := throttle.New(b.client(rec.BootstrapServers()...), 10*mega)
	b.quiet(b.covered(th.Cover(t.Context(), []reassign.Moving{move(topic, 0, []int32{1}, []int32{2, 3})})))
	stop := rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Broker == 3 && q.Key == keyDescribe && asksBroker(q) {
			return testbed.NoAnswer()
		}
		return testbed.Forward()
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	start := time.Now()
	mentions(t, th.Release(ctx, nil), "broker 3", "could not be taken back")
	if took := time.Since(start); took > 6*time.Second {
		t.Errorf("It took %v", took)
	}
	stop()
	b.clean([]string{topic}, 1, 2)
	b.throttled(10*mega, 3)
	b.quiet(th.Release(t.Context(), nil))
	b.clean([]string{topic}, 3)
}

const keyDescribe = 32

func asksBroker(q testbed.Request) bool {
	return slices.ContainsFunc(q.Body.(*kmsg.DescribeConfigsRequest).Resources, func(r kmsg.DescribeConfigsRequestResource) bool {
		return r.ResourceType == kmsg.ConfigResourceTypeBroker
	})
}

// C-83, C-117: where the throttle cannot be set nothing is to be moved; the reason is the broker's, a missing permission is named, and
// what was set already is taken back.
func TestThrottleRefused(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1}, []int32{3})
	affected, other := move(topic, 0, []int32{1}, []int32{2}), move(topic, 1, []int32{3}, []int32{4})
	for _, tt := range []struct {
		name  string
		judge func(q testbed.Request) testbed.Verdict
		words []string
		// spared: the refusal is of broker 2 alone.
		spared bool
		is     error
	}{
		{
			name: "lists refused by a policy", judge: refuseAlter("", kmsg.ConfigResourceTypeTopic, kerr.PolicyViolation, "no throttles here"), is: kafkaapi.ErrPolicyViolation,
			words: []string{"throttle_bytes_per_second cannot be used here", topic, "POLICY_VIOLATION", "no throttles here", "Without its throttle nothing is moved"},
		},
		{
			name: "lists not permitted", judge: refuseAlter("", kmsg.ConfigResourceTypeTopic, kerr.TopicAuthorizationFailed, ""), is: kafkaapi.ErrNotAuthorized,
			words: []string{"grant ALTER_CONFIGS on Topic", topic},
		},
		{
			name: "rates not permitted", judge: refuseAlter("2", kmsg.ConfigResourceTypeBroker, kerr.ClusterAuthorizationFailed, ""), spared: true, is: kafkaapi.ErrNotAuthorized,
			words: []string{"on broker 2", "grant ALTER_CONFIGS on Cluster"},
		},
		{
			name: "rates refused by a policy", judge: refuseAlter("2", kmsg.ConfigResourceTypeBroker, kerr.PolicyViolation, "no such thing"), spared: true, is: kafkaapi.ErrPolicyViolation,
			words: []string{"on broker 2", "no such thing", "Without its throttle nothing is moved"},
		},
		{
			name: "not readable", judge: describeRefused, is: kafkaapi.ErrNotAuthorized,
			words: []string{"grant DESCRIBE_CONFIGS on Topic", topic},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rec := testbed.Record(t, b.cluster)
			th := throttle.New(b.client(rec.BootstrapServers()...), 10*mega)
			stop := rec.Intercept(tt.judge)
			failed, warnings := th.Cover(t.Context(), []reassign.Moving{affected, other})
			stop()
			b.quiet(warnings)
			err := failed[topic][0]
			if err == nil || tt.is != nil && !errors.Is(err, tt.is) {
				t.Fatalf("The move is given back with %v", err)
			}
			mentions(t, []string{err.Error()}, tt.words...)
			if spared := failed[topic][1] == nil; spared != tt.spared {
				t.Errorf("The other move: %v", failed[topic][1])
			}
			if tt.spared {
				b.throttled(10*mega, 3, 4)
			}
			b.quiet(th.Release(t.Context(), nil))
			b.clean([]string{topic}, 1, 2, 3, 4)
		})
	}
}

// C-92: a platform without throttle keys gets one warning in a run, and the moves go on; what was set already is taken back.
func TestThrottleAbsent(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1}, []int32{3})
	moves := []reassign.Moving{move(topic, 0, []int32{1}, []int32{2}), move(topic, 1, []int32{3}, []int32{4})}
	for name, judge := range map[string]func(q testbed.Request) testbed.Verdict{
		"no such keys":  withoutListKeys,
		"lists unknown": refuseAlter("", kmsg.ConfigResourceTypeTopic, kerr.InvalidConfig, "Unknown topic config name: "+leaderList),
		"rates unknown": refuseAlter("", kmsg.ConfigResourceTypeBroker, kerr.InvalidRequest, "Unknown broker config name"),
	} {
		t.Run(name, func(t *testing.T) {
			rec := testbed.Record(t, b.cluster)
			th := throttle.New(b.client(rec.BootstrapServers()...), 10*mega)
			stop := rec.Intercept(judge)
			failed, warnings := th.Cover(t.Context(), moves[:1])
			more, again := th.Cover(t.Context(), moves[1:])
			stop()
			if len(failed)+len(more) != 0 || len(warnings) != 1 || len(again) != 0 {
				t.Fatalf("Given back: %v, %v; warnings %q and then %q", failed, more, warnings, again)
			}
			mentions(t, warnings, "Moves are not throttled", "throttle_bytes_per_second", "by the means of the platform")
			b.quiet(th.Release(t.Context(), nil))
			b.clean([]string{topic}, 1, 2, 3, 4)
		})
	}
}

// Where it is not known whether others need the rates, they stay with their entries, which the next run finds.
func TestOthersNotKnown(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	rec := testbed.Record(t, b.cluster)
	th := throttle.New(b.client(rec.BootstrapServers()...), 10*mega)
	b.quiet(b.covered(th.Cover(t.Context(), []reassign.Moving{move(topic, 0, []int32{1}, []int32{2})})))
	const keyList = 46
	stop := rec.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key != keyList {
			return testbed.Forward()
		}
		answer := q.Body.ResponseKind().(*kmsg.ListPartitionReassignmentsResponse)
		answer.ErrorCode = kerr.ClusterAuthorizationFailed.Code
		return testbed.Answer(answer)
	})
	mentions(t, th.Release(t.Context(), nil), "brokers 1, 2", "DESCRIBE on Cluster", "reassignment_pending", "--delete-config")
	stop()
	b.throttled(10*mega, 1, 2)
	if held := th.Held(topic); len(held.LeaderRate) != 2 || len(held.Leader) != 1 || !throttle.LeftOn(b.lists(topic), noneMoves) {
		t.Errorf("Held is %+v, and the lists are %v", held, b.lists(topic))
	}
	b.quiet(th.Release(t.Context(), nil))
	b.clean([]string{topic}, 1, 2)
}

// refuseAlter answers alterations of one type, and of one name where that is given, with an error.
func refuseAlter(name string, kind kmsg.ConfigResourceType, code *kerr.Error, message string) func(testbed.Request) testbed.Verdict {
	return func(q testbed.Request) testbed.Verdict {
		request, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest)
		if !ok || request.Resources[0].ResourceType != kind || name != "" && request.Resources[0].ResourceName != name {
			return testbed.Forward()
		}
		answer := request.ResponseKind().(*kmsg.IncrementalAlterConfigsResponse)
		for _, r := range request.Resources {
			resource := kmsg.NewIncrementalAlterConfigsResponseResource()
			resource.ResourceType, resource.ResourceName, resource.ErrorCode = r.ResourceType, r.ResourceName, code.Code
			if message != "" {
				resource.ErrorMessage = &message
			}
			answer.Resources = append(answer.Resources, resource)
		}
		return testbed.Answer(answer)
	}
}

// withoutListKeys is a platform whose topics have no throttle keys.
func withoutListKeys(q testbed.Request) testbed.Verdict {
	if q.Key != keyDescribe {
		return testbed.Forward()
	}
	return testbed.EditAnswer(func(answer kmsg.Response) {
		for i := range answer.(*kmsg.DescribeConfigsResponse).Resources {
			r := &answer.(*kmsg.DescribeConfigsResponse).Resources[i]
			r.Configs = slices.DeleteFunc(r.Configs, func(c kmsg.DescribeConfigsResponseResourceConfig) bool {
				return strings.HasSuffix(c.Name, ".throttled.replicas")
			})
		}
	})
}

// describeRefused is a principal that may not see the topic's configs.
func describeRefused(q testbed.Request) testbed.Verdict {
	if q.Key != keyDescribe || asksBroker(q) {
		return testbed.Forward()
	}
	return testbed.EditAnswer(func(answer kmsg.Response) {
		for i := range answer.(*kmsg.DescribeConfigsResponse).Resources {
			r := &answer.(*kmsg.DescribeConfigsResponse).Resources[i]
			r.ErrorCode, r.Configs = kerr.TopicAuthorizationFailed.Code, nil
		}
	})
}

// Without a throttle in the configuration nothing is asked and nothing sent.
func TestNoThrottleConfigured(t *testing.T) {
	b := newBench(t)
	topic := b.topic([]int32{1})
	rec := testbed.Record(t, b.cluster)
	th := throttle.New(b.client(rec.BootstrapServers()...), 0)
	b.quiet(b.covered(th.Cover(t.Context(), []reassign.Moving{move(topic, 0, []int32{1}, []int32{2})})))
	b.quiet(th.Release(t.Context(), nil))
	if got := rec.Requests(); len(got) > 0 {
		t.Errorf("%d requests:\n%s", len(got), rec)
	}
}
