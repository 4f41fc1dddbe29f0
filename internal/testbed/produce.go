// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	// recordBytes is the size of the records that Produce writes; ten of them fill a batch.
	recordBytes = 96 << 10
	// produceTimeout is for gigabytes on a busy machine; on two idle cores a topic with two replicas takes 100 MB in a second.
	produceTimeout = 5 * time.Minute
)

// Produce writes at least so many bytes to each of the partitions 0 to partitions-1 of a topic, uncompressed, and returns when all
// replicas in sync have them. It is for tests that move data: bytes cost disk on every replica.
func (c *Cluster) Produce(t testing.TB, topic string, partitions int32, bytesPerPartition int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), produceTimeout)
	defer cancel()
	client, err := kgo.NewClient(
		kgo.SeedBrokers(c.BootstrapServers()...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.MaxBufferedBytes(64<<20),
	)
	if err != nil {
		t.Fatalf("Make a producer: %v", err)
	}
	defer client.Close()
	value := make([]byte, recordBytes)
	_, _ = rand.Read(value)
	failed := kgo.AbortingFirstErrPromise(client)
	for written := int64(0); written < bytesPerPartition; written += recordBytes {
		for p := range partitions {
			client.Produce(ctx, &kgo.Record{Topic: topic, Partition: p, Value: value}, failed.Promise())
		}
	}
	if err := client.Flush(ctx); err != nil {
		t.Fatalf("Write to topic %q: %v", topic, err)
	}
	if err := failed.Err(); err != nil {
		t.Fatalf("Write to topic %q: %v", topic, err)
	}
}
