// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

func same(got, want []int32) error {
	if !slices.Equal(got, want) {
		return fmt.Errorf("%v, want %v", got, want)
	}
	return nil
}

// killed kills a broker, and gives what restarts it; it runs again when the test ends.
func (b bench) killed(id int) (restart func()) {
	b.t.Helper()
	if err := b.cluster.Kill(b.t.Context(), id); err != nil {
		b.t.Fatalf("Kill broker %d: %v", id, err)
	}
	down := true
	restart = func() {
		if !down {
			return
		}
		down = false
		if err := b.cluster.Restart(context.Background(), id); err != nil {
			b.t.Errorf("Restart broker %d: %v", id, err)
		}
	}
	b.t.Cleanup(restart)
	return restart
}

// Acceptance line 7; C-77: the destination of a move is killed, or its only source. The apply ends within its bound and names the broker; what
// is wanted with the moves is done where it can be; when the broker is back the next apply finishes.
func TestBrokerKilledInMidMove(t *testing.T) {
	b := newBench(t)
	b.reassignment(values{"stall_timeout": "12s"})
	for name, c := range map[string]struct {
		layout, want lists
		kill         int
		says         string
	}{
		"destination": {lists{{1, 2}}, lists{{1, 5}}, 5, "broker 5, which is to have a replica, is down"},
		"source":      {lists{{5}}, lists{{4}}, 5, "no replica that could be copied is alive: it was on brokers [5]"},
	} {
		t.Run(name, func(t *testing.T) {
			b := b
			b.t, b.tf = t, b.tf.For(t)
			topic := b.held(c.layout)
			r := b.imported(topic)
			config := explicit(topic, c.want).With("skip_checks", []string{"rack_spread", "min_insync_replicas"})
			p := b.tf.Plan(r, config)
			done := b.background(p)
			b.inFlight(topic, 0)
			restart := b.killed(c.kill)
			start := time.Now()
			mentions(t, (<-done).One(t), topic, "does not come to its end", "Partitions [0]: ", c.says, "go on", "next apply")
			if took := time.Since(start); took < 12*time.Second || took > 45*time.Second {
				t.Errorf("It took %s", took)
			}
			b.inFlight(topic, 0)
			restart()
			b.release(topic)
			b.tf.Apply(r, config)
			b.has(topic, c.want)
			inState(t, r, c.want, false)
		})
	}
}

// C-98: where the only source is dead, a cancel would leave the partition without a leader, and the move goes on.
func TestNoCancelWithoutSource(t *testing.T) {
	b := newBench(t)
	b.reassignment(values{"stall_timeout": "12s"})
	topic := b.held(lists{{5}, {1}})
	r := b.imported(topic)
	want := lists{{4}, {4}}
	done := b.background(b.tf.Plan(r, explicit(topic, want).With("on_interruption", "cancel")))
	b.inFlight(topic, 0, 1)
	restart := b.killed(5)
	mentions(t, (<-done).One(t), "Partitions [0] are still being moved, and go on", "Partition 0 was not taken back: none of its former replicas [5] is alive", "The moves of partitions [1] were cancelled")
	b.inFlight(topic, 0)
	inState(t, r, lists{{4}, {1}}, true)
	restart()
	b.release(topic)
	b.tf.Apply(r, explicit(topic, want))
	b.has(topic, want)
}

// Acceptance line 7, last; C-102: the active controller is killed in mid-move, and the apply just goes on.
func TestControllerKilledInMidMove(t *testing.T) {
	b := newBench(t)
	controller := b.activeController()
	var others []int32
	for id := int32(1); id <= 5; id++ {
		if id != controller {
			others = append(others, id)
		}
	}
	topic := b.held(lists{{others[0], others[1]}})
	r := b.imported(topic)
	want := lists{{others[0], others[2]}}
	done := b.background(b.tf.Plan(r, explicit(topic, want).With("skip_checks", []string{"rack_spread"})))
	b.inFlight(topic, 0)
	b.killed(int(controller))
	b.waitFor("another controller", func() error {
		if b.activeController() == controller {
			return fmt.Errorf("it is still broker %d", controller)
		}
		return nil
	})
	b.release(topic)
	(<-done).NoErrors(t)
	b.has(topic, want)
	inState(t, r, want, false)
}

// activeController is the leader of the metadata quorum, 0 while there is none.
func (b bench) activeController() int32 {
	b.t.Helper()
	request := kmsg.NewPtrDescribeQuorumRequest()
	request.Topics = []kmsg.DescribeQuorumRequestTopic{{Topic: "__cluster_metadata", Partitions: []kmsg.DescribeQuorumRequestTopicPartition{{Partition: 0}}}}
	ctx, cancel := context.WithTimeout(b.t.Context(), 10*time.Second)
	defer cancel()
	answer, err := request.RequestWith(ctx, b.client)
	if err != nil || len(answer.Topics) == 0 || len(answer.Topics[0].Partitions) == 0 {
		return 0
	}
	return answer.Topics[0].Partitions[0].LeaderID
}

// Acceptance line 8: producers write faster than the throttle lets a new replica copy. The stall says so, with both figures.
func TestThrottleBelowProduceRate(t *testing.T) {
	b := newBench(t)
	b.reassignment(values{"stall_timeout": "20s", "throttle_bytes_per_second": 70_000})
	b.unlimited()
	topic := b.topic(lists{{1, 2}})
	b.fill(topic, 1)
	ctx, stop := context.WithCancel(t.Context())
	produced := make(chan error, 1)
	go func() { produced <- b.produceSlowly(ctx, topic) }()
	r := b.imported(topic)
	config := explicit(topic, lists{{1, 3}}).With("on_interruption", "cancel")
	p := b.tf.Plan(r, config)
	p.Diagnostics.NoErrors(t)
	if p.Action != acctest.Update {
		t.Fatalf("The plan is a %s", p.Action)
	}
	e := b.tf.ApplyPlan(p).One(t)
	stop()
	if err := <-produced; err != nil {
		t.Error(err)
	}
	mentions(t, e, topic, "does not come to its end", "per second are copied while producers write", "The throttle is 68 KiB per second", "raise throttle_bytes_per_second", "were cancelled")
	t.Log(e.Detail)
	b.at(topic, lists{{1, 2}})
	if left := b.throttleKeys(); left != "" {
		t.Errorf("Kafka's own tool still shows\n%s", left)
	}
}

// produceSlowly writes half a megabyte a second to partition 0 until the context ends.
func (b bench) produceSlowly(ctx context.Context, topic string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(b.cluster.BootstrapServers()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchCompression(kgo.NoCompression()))
	if err != nil {
		return err
	}
	defer client.Close()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		if err := client.ProduceSync(ctx, &kgo.Record{Topic: topic, Partition: 0, Value: make([]byte, 50_000)}).FirstErr(); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}
