// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func TestJoined(t *testing.T) {
	t.Parallel()
	questions := []TopicPartitions{{"a": {2, 0}}, nil, {"a": {1, 2}, "b": {0}}}
	want := TopicPartitions{"a": {0, 1, 2}, "b": {0}}
	if got := joined(questions); !maps.EqualFunc(got, want, slices.Equal[[]int32]) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !slices.Equal(questions[0]["a"], []int32{2, 0}) {
		t.Errorf("a question was changed: %v", questions[0])
	}
}

// What a plan of many layouts asks at the same time goes in a few requests, and everybody gets the answer to their own question.
func TestQuestionsAboutLayoutsShareRequests(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	const callers = 60
	topic := cluster.UniqueTopic(t, 2, 1)
	if _, err := client.RegisteredBrokers(ctx); err != nil { // connects
		t.Fatal(err)
	}
	recorder.Reset()

	var callersAtWork sync.WaitGroup
	errs := make(chan error, 4*callers)
	for range callers {
		callersAtWork.Go(func() {
			brokers, err := client.RegisteredBrokers(ctx)
			if err == nil && len(brokers) != 3 {
				err = fmt.Errorf("%d brokers", len(brokers))
			}
			errs <- err
			_, err = client.MayAlterCluster(ctx)
			errs <- err
			moving, err := client.ListReassignments(ctx, TopicPartitions{topic: {0, 1}})
			if err == nil && len(moving) > 0 {
				err = fmt.Errorf("a topic at rest moves: %v", moving)
			}
			errs <- err
			dirs := client.DescribeLogDirs(ctx, []int32{1}, TopicPartitions{topic: {0, 1}})[0]
			errs <- dirs.Err
		})
	}
	callersAtWork.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, request := range []kmsg.Key{kmsg.DescribeCluster, kmsg.ListPartitionReassignments, kmsg.DescribeLogDirs} {
		if n := recorder.Count(int16(request)); n == 0 || n > callers/3 {
			t.Errorf("%d callers cost %d %s", callers, n, request.Name())
		}
	}
}
