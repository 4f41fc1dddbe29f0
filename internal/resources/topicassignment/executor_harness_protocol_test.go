// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// reassignment configures the provider block, in walks that begin afterwards.
func (b bench) reassignment(settings values) { b.tf.Provider["reassignment"] = settings }

// together applies plans in one run, so many at a time.
func (b bench) together(plans []*acctest.Plan, parallelism int) []acctest.Diagnostics {
	b.t.Helper()
	all := make([]acctest.Diagnostics, len(plans))
	turns, running, w := make(chan struct{}, parallelism), sync.WaitGroup{}, b.tf.Walk()
	for i, p := range plans {
		running.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			all[i] = w.Apply(p, nil)
		})
	}
	running.Wait()
	return all
}

// unlimited takes the rates off all brokers that this package's tests hold topics with, until the test ends.
func (b bench) unlimited() {
	b.t.Helper()
	var ids []int32
	for _, broker := range b.cluster.Brokers() {
		ids = append(ids, int32(broker.ID))
	}
	changes := []kadm.AlterConfig{{Op: kadm.DeleteConfig, Name: "leader.replication.throttled.rate"}, {Op: kadm.DeleteConfig, Name: "follower.replication.throttled.rate"}}
	if _, err := b.admin.AlterBrokerConfigs(b.t.Context(), changes, ids...); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if err := limitThrottled(b.cluster); err != nil {
			b.t.Error(err)
		}
	})
}

// copiesAt counts the copies in flight at each broker: into those that are added, out of the first replica, which leads, and those that leave.
type copiesAt map[int32]int

// watchMoves samples all moves of the cluster until stop, which gives the most copies that each broker had at a time, and in all samples.
func (b bench) watchMoves(leaders map[string][]int32) (stop func() (most copiesAt, samples int)) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	most, samples, done := copiesAt{}, 0, make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			request := kmsg.NewPtrListPartitionReassignmentsRequest()
			request.TimeoutMillis = 10_000
			answer, err := request.RequestWith(ctx, b.client)
			if err != nil {
				continue
			}
			now := copiesAt{}
			for _, topic := range answer.Topics {
				for _, p := range topic.Partitions {
					if len(p.AddingReplicas) == 0 || leaders[topic.Topic] == nil {
						continue
					}
					at := copiesAt{}
					for _, id := range slices.Concat(p.AddingReplicas, p.RemovingReplicas) {
						at[id] = 1
					}
					at[leaders[topic.Topic][p.Partition]] = len(p.AddingReplicas)
					for id, n := range at {
						now[id] += n
					}
				}
			}
			if len(now) > 0 {
				samples++
			}
			for id, n := range now {
				most[id] = max(most[id], n)
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return func() (copiesAt, int) { cancel(); <-done; return most, samples }
}

// throttleKeys lists what Kafka's own tool knows of replication throttles, on brokers and topics.
func (b bench) throttleKeys() string {
	b.t.Helper()
	var all []string
	for _, kind := range []string{"topics", "brokers"} {
		out, err := b.cluster.RunTool(b.t.Context(), "org.apache.kafka.tools.ConfigCommand", "--bootstrap-server", b.cluster.BootstrapServers()[0], "--describe", "--entity-type", kind)
		if err != nil {
			b.t.Fatal(err)
		}
		for line := range strings.Lines(out) {
			if strings.Contains(line, "replication.throttled") {
				all = append(all, strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(all, "\n")
}
