// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

func TestOneBatchIsNotItsNeighboursFault(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	var alterations []Alteration
	for i := range 4 {
		topic := fmt.Sprintf("%s-%d", testbed.UniqueName(t), i)
		cluster.CreateTopic(t, topic, 1, 1, nil)
		alterations = append(alterations, Alteration{Entity: Topic(topic), Set: map[string]string{"flush.ms": "1"}})
	}
	culprit := alterations[2].Entity.Name
	holdsCulprit := func(q testbed.Request) (*kmsg.IncrementalAlterConfigsRequest, bool) {
		request, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest)
		if !ok {
			return nil, false
		}
		for _, r := range request.Resources {
			if r.ResourceName == culprit {
				return request, true
			}
		}
		return request, false
	}
	tests := map[string]struct {
		judge func(testbed.Request) testbed.Verdict
		want  error
	}{
		"the broker drops the connection over one": {func(q testbed.Request) testbed.Verdict {
			if _, holds := holdsCulprit(q); holds {
				return testbed.CloseConnection()
			}
			return testbed.Forward()
		}, ErrBrokerUnavailable},
		"the broker finds the request too large": {func(q testbed.Request) testbed.Verdict {
			request, _ := holdsCulprit(q)
			if request == nil || len(request.Resources) == 1 {
				return testbed.Forward()
			}
			answer := request.ResponseKind().(*kmsg.IncrementalAlterConfigsResponse)
			for _, r := range request.Resources {
				a := kmsg.NewIncrementalAlterConfigsResponseResource()
				a.ResourceType, a.ResourceName, a.ErrorCode = r.ResourceType, r.ResourceName, codePolicyViolation
				a.ErrorMessage = kmsg.StringPtr("Unable to perform excessively large batch operation.")
				answer.Resources = append(answer.Resources, a)
			}
			return testbed.Answer(answer)
		}, nil},
		"the answer leaves one out": {func(q testbed.Request) testbed.Verdict {
			return testbed.EditAnswer(func(r kmsg.Response) {
				answer, ok := r.(*kmsg.IncrementalAlterConfigsResponse)
				if !ok {
					return
				}
				for i, a := range answer.Resources {
					if a.ResourceName == culprit {
						answer.Resources = append(answer.Resources[:i:i], answer.Resources[i+1:]...)
						return
					}
				}
			})
		}, errOmitted},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			defer recorder.Intercept(tt.judge)()
			for _, r := range client.AlterConfigs(ctx, alterations, true) {
				want := error(nil)
				if r.Entity.Name == culprit {
					want = tt.want
				}
				if !errors.Is(r.Err, want) {
					t.Errorf("a trial of %s: %v, want %v", r.Entity, r.Err, want)
				}
			}
			for i := range alterations {
				// A value that no earlier case wrote: what is there already would count as done.
				alterations[i].Set = map[string]string{"flush.ms": fmt.Sprint(len(name))}
			}
			for _, r := range client.AlterConfigs(ctx, alterations, false) {
				want := error(nil)
				if r.Entity.Name == culprit {
					want = tt.want
				}
				if !errors.Is(r.Err, want) {
					t.Errorf("%s: %v, want %v", r.Entity, r.Err, want)
				}
			}
		})
	}
}

func TestAQuotaSlowsAndDoesNotFail(t *testing.T) {
	// C-131: the pause that an answer asks for is kept, and ends with the context.
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := cluster.UniqueTopic(t, 1, 1)
	throttle := func(q testbed.Request) testbed.Verdict {
		return testbed.EditAnswer(func(r kmsg.Response) {
			if answer, ok := r.(*kmsg.DescribeConfigsResponse); ok {
				answer.ThrottleMillis = int32(time.Hour / time.Millisecond)
			}
		})
	}
	stop := recorder.Intercept(throttle)
	list := func(ctx context.Context) error {
		return client.ListConfigs(ctx, []Entity{Topic(topic)}, ListConfigsOptions{})[0].Err
	}
	if err := list(ctx); err != nil {
		t.Fatal(err)
	}
	stop()
	recorder.Reset()
	short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	if err := list(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if n := recorder.Count(keyDescribeConfigs); n != 0 {
		t.Errorf("%d requests were sent in spite of the throttle", n)
	}
}
