// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// run measures every combination and reports.
func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "kafka-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ours, floor, err := build(ctx, dir)
	if err != nil {
		return err
	}
	cluster, err := testbed.Start(ctx, testbed.Options{Proxied: true})
	if err != nil {
		return err
	}
	defer func() { _ = cluster.Close() }()
	faults, err := cluster.Faults()
	if err != nil {
		return err
	}
	b := bench{cluster: cluster, faults: faults, ours: ours, floor: floor, dir: dir}
	for _, s := range o.series {
		for _, size := range s.sizes {
			if err := b.measure(ctx, s, size, o.save); err != nil {
				return err
			}
		}
	}
	return table(os.Stdout, b.figures)
}

// bench is what all measurements of a run share.
type bench struct {
	cluster          *testbed.Cluster
	faults           *testbed.Faults
	ours, floor, dir string
	// made is how many topics there are.
	made    int
	figures []figure
}

// measure goes through the combinations of a series for one number of topics, and saves after each: a whole run takes a while.
func (b *bench) measure(ctx context.Context, s series, size int, save func([]figure) error) error {
	if err := topics(ctx, b.cluster, b.made, size); err != nil {
		return err
	}
	b.made = max(b.made, size)
	subjects, err := subjectsOf(s.subjects)
	if err != nil {
		return err
	}
	for _, subject := range subjects {
		if subject.fixed && size != s.sizes[0] {
			continue
		}
		for _, latency := range s.latencies {
			for _, parallelism := range s.parallelism {
				c := course{
					subject: subject, size: size, parallelism: parallelism, latency: latency, commands: s.commands,
					servers: b.cluster.BootstrapServers(), dir: b.dir,
				}
				found, err := c.measure(ctx, b.faults, b.ours, b.floor, s.runs)
				if err != nil {
					return err
				}
				b.figures = append(b.figures, found...)
				if err := save(b.figures); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// topics makes the topics from one number up to another.
func topics(ctx context.Context, cluster *testbed.Cluster, from, to int) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.BootstrapServers()...))
	if err != nil {
		return err
	}
	defer client.Close()
	const chunk = 500
	for first := from; first < to; first += chunk {
		var names []string
		for i := first; i < min(first+chunk, to); i++ {
			names = append(names, name(i))
		}
		answers, err := kadm.NewClient(client).CreateTopics(ctx, 1, 1, nil, names...)
		if err == nil {
			err = answers.Error()
		}
		if err != nil {
			return fmt.Errorf("make topics: %w", err)
		}
	}
	return settle(ctx, client, to)
}

// settle waits until every broker knows all topics.
func settle(ctx context.Context, client *kgo.Client, count int) error {
	admin := kadm.NewClient(client)
	for {
		listed, err := admin.ListTopics(ctx)
		if err == nil && len(listed.Names()) >= count {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func name(i int) string { return fmt.Sprintf("bench-%05d", i) }
