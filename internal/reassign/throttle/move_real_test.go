// SPDX-License-Identifier: MPL-2.0

package throttle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// run has an executor move one topic under a throttle.
func (b bench) run(e *reassign.Executor, topic string, moves ...reassign.Moving) {
	b.t.Helper()
	job := reassign.Job{Topic: topic}
	for _, m := range moves {
		job.Moves = append(job.Moves, m.Move)
	}
	outcome, err := e.Run(b.t.Context(), job)
	if err != nil || len(outcome.Done) != len(moves) || !outcome.Throttle.Empty() {
		b.t.Errorf("Moving %q: %+v, %v", topic, outcome, err)
	}
	b.quiet(outcome.Warnings)
}

func executor(client *kafkaapi.Client, bytesPerSecond int64) *reassign.Executor {
	return reassign.New(client, reassign.Settings{ThrottleBytesPerSecond: bytesPerSecond}, throttle.New(client, bytesPerSecond))
}

// Acceptance line 2 of issue 6; C-81, C-83: under a throttle of 10 MB/s each broker copies at 0.5 to 1.3 of that after the first 2 s, in
// and out, and nothing is left when the moves have ended. 100 MB into each of two brokers, each from another one.
func TestCopyRate(t *testing.T) {
	b := newBench(t)
	const limit, bytes = 10 * mega, 100 * mega
	topic := b.topic([]int32{1}, []int32{2})
	b.cluster.Produce(t, topic, 2, bytes)
	moves := []reassign.Moving{move(topic, 0, []int32{1}, []int32{3}), move(topic, 1, []int32{2}, []int32{4})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.run(executor(b.client(), limit), topic, moves...)
	}()
	b.waitFor("the copies to begin", func() error {
		if b.size(3, topic, 0) == 0 || b.size(4, topic, 1) == 0 {
			return fmt.Errorf("nothing is copied")
		}
		return nil
	})
	b.throttled(limit, 1, 2, 3, 4)
	time.Sleep(2 * time.Second) // Kafka lets a burst through
	var sizes [2]int64
	measure := func() (now time.Time, all [2]int64) {
		return time.Now(), [2]int64{b.size(3, topic, 0), b.size(4, topic, 1)}
	}
	from, before := measure()
	time.Sleep(5 * time.Second)
	until, after := measure()
	for i := range sizes {
		rate := float64(after[i]-before[i]) / until.Sub(from).Seconds()
		t.Logf("Broker %d copied %.2f MB/s", 3+i, rate/mega)
		if rate < 0.5*limit || rate > 1.3*limit {
			t.Errorf("Broker %d copied at %.2f of the throttle", 3+i, rate/limit)
		}
	}
	<-done
	b.clean([]string{topic}, 1, 2, 3, 4)
	b.toolsShowNothing()
}

// C-133: T topics that are covered at once on B brokers take B + T/100 requests.
func TestSetUpRequests(t *testing.T) {
	b := newBench(t)
	prefix := testbed.UniqueName(t)
	var names []string
	var moves []reassign.Moving
	for i := range 250 {
		name := fmt.Sprintf("%s-%d", prefix, i)
		names = append(names, name)
		moves = append(moves, move(name, 0, []int32{1}, []int32{2 + int32(i%3)}))
	}
	b.create([][]int32{{1}}, names...)
	rec := testbed.Record(t, b.cluster)
	client := b.client(rec.BootstrapServers()...)
	_, err := client.Cluster(t.Context())
	b.must(err)
	th := throttle.New(client, 10*mega)
	start := time.Now()
	b.quiet(b.covered(th.Cover(t.Context(), moves)))
	t.Logf("%d topics on %d brokers: %d writes, %d describes, %v", len(names), brokerCount, rec.Count(keyIncremental), rec.Count(32), time.Since(start))
	if got := rec.Count(keyIncremental); got > brokerCount+3 {
		t.Errorf("%d writes:\n%s", got, rec)
	}
	b.throttled(10*mega, 1, 2, 3, 4)
	rec.Reset()
	b.quiet(b.covered(th.Cover(t.Context(), moves)))
	if got := rec.Count(keyIncremental); got != 0 {
		t.Errorf("%d writes for what is there already", got)
	}
	rec.Reset()
	b.quiet(th.Release(t.Context(), moves))
	if got := len(rec.Requests()); got != 0 {
		t.Errorf("%d requests where nothing can go:\n%s", got, rec)
	}
	b.quiet(th.Release(t.Context(), nil))
	t.Logf("taken back with %d writes, %d describes", rec.Count(keyIncremental), rec.Count(32))
	if got := rec.Count(keyIncremental); got > brokerCount+3 {
		t.Errorf("%d writes to take it back:\n%s", got, rec)
	}
	b.clean(names, 1, 2, 3, 4)
}
