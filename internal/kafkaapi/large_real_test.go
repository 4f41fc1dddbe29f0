// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// C-125: a thousand topics are refreshed, validated and written in few requests, whatever Terraform's parallelism. Its own cluster, as
// the other tests want few topics on theirs.
func TestThousandTopicsTakeFewRequests(t *testing.T) {
	cluster := testbed.Own(t, testbed.Options{})
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("large-%04d", i)
	}
	if _, err := cluster.Admin(t).CreateTopics(t.Context(), 1, 1, nil, names...); err != nil {
		t.Fatal(err)
	}
	cluster.WaitTopic(t, names[len(names)-1], 1)
	recorder := testbed.Record(t, cluster)
	for _, parallelism := range []int{10, 100} {
		t.Run(fmt.Sprintf("parallelism %d", parallelism), func(t *testing.T) {
			dialer := &countingDialer{}
			c := NewClient(Options{BootstrapServers: recorder.BootstrapServers(), Dialer: dialer})
			defer func() {
				_ = c.Close()
				if dialer.opened == 0 || dialer.open != 0 {
					t.Errorf("%d of %d connections are left", dialer.open, dialer.opened)
				}
			}()
			recorder.Reset()
			side(parallelism, names, func(name string) {
				if answer := c.ReadConfigs(t.Context(), Topic(name), ListConfigsOptions{}); answer.Err != nil || len(answer.Configs) == 0 {
					t.Errorf("%s: %v", name, answer.Err)
				}
			})
			described, listed := recorder.Count(keyDescribeConfigs), recorder.Count(keyMetadata)
			t.Logf("refresh: %d DescribeConfigs, %d Metadata", described, listed)
			if described > map[int]int{10: 110, 100: 12}[parallelism] || listed > 1 {
				t.Errorf("a refresh of %d topics took %d DescribeConfigs and %d Metadata", len(names), described, listed)
			}
			for _, validateOnly := range []bool{true, false} {
				recorder.Reset()
				side(parallelism, names, func(name string) {
					change := Alteration{Entity: Topic(name), Set: map[string]string{"retention.ms": fmt.Sprint(100_000 + parallelism)}}
					if err := c.AlterConfigs(t.Context(), []Alteration{change}, validateOnly)[0].Err; err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
				sent := recorder.Count(keyIncremental)
				t.Logf("validate only %v: %d IncrementalAlterConfigs", validateOnly, sent)
				if sent > 4*len(names)/parallelism {
					t.Errorf("%d requests for %d topics", sent, len(names))
				}
			}
			// Lanes need connections, callers do not: each broker has a few, however many ask.
			if dialer.most > len(cluster.Brokers())*maxConnections {
				t.Errorf("%d connections at once", dialer.most)
			}
		})
	}
	t.Run("written after it was fetched", func(t *testing.T) { writtenAfterFetched(t, recorder, names) })
	t.Run("all at once", func(t *testing.T) { thousandWritesAtOnce(t, cluster, recorder, names) })
}

// What was fetched before it was asked for is not the answer for a topic that was written meanwhile.
func writtenAfterFetched(t *testing.T, recorder *testbed.Recorder, names []string) {
	c := newTestClient(t, Options{BootstrapServers: recorder.BootstrapServers()})
	side(10, names[:2*aheadThreshold], func(name string) {
		if answer := c.ReadConfigs(t.Context(), Topic(name), ListConfigsOptions{}); answer.Err != nil {
			t.Error(answer.Err)
		}
	})
	written, other := names[500], names[501]
	fetched := c.configsAheadOf(ListConfigsOptions{})
	for ctx := testContext(t); ; {
		fetched.mu.Lock()
		_, one := fetched.answers[written]
		_, two := fetched.answers[other]
		fetched.mu.Unlock()
		if one && two {
			break
		}
		if ctx.Err() != nil {
			t.Fatal("nothing was fetched ahead")
		}
		runtime.Gosched()
	}
	if err := alterOne(t.Context(), c, Alteration{Entity: Topic(written), Set: map[string]string{"retention.ms": "123456"}}, false); err != nil {
		t.Fatal(err)
	}
	recorder.Reset()
	if answer := c.ReadConfigs(t.Context(), Topic(other), ListConfigsOptions{}); answer.Err != nil || recorder.Count(keyDescribeConfigs) != 0 {
		t.Errorf("What was fetched is asked for once more: %v, %s", answer.Err, recorder)
	}
	if answer := c.ReadConfigs(t.Context(), Topic(written), ListConfigsOptions{}); answer.Err != nil || recorder.Count(keyDescribeConfigs) != 1 {
		t.Errorf("What was written was not asked for: %v, %s", answer.Err, recorder)
	}
}

// C-132: 1000 callers at once write 15 configs each: in batches that KRaft takes, and all of them.
func thousandWritesAtOnce(t *testing.T, cluster *testbed.Cluster, recorder *testbed.Recorder, names []string) {
	c := newTestClient(t, Options{BootstrapServers: recorder.BootstrapServers()})
	set := fifteenConfigs()
	recorder.Reset()
	side(len(names), names, func(name string) {
		if err := c.AlterConfigs(t.Context(), []Alteration{{Entity: Topic(name), Set: set}}, false)[0].Err; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	written := 0
	for _, request := range recorder.RequestsOf(keyIncremental) {
		records := 0
		for _, resource := range request.Body.(*kmsg.IncrementalAlterConfigsRequest).Resources {
			records += len(resource.Configs)
		}
		if records > 10_000 {
			t.Errorf("a request of %d records", records)
		}
		written += records
	}
	sent := recorder.Count(keyIncremental)
	t.Logf("%d records in %d requests", written, sent)
	if written != len(names)*len(set) || sent > len(names)/10 {
		t.Errorf("%d records in %d requests", written, sent)
	}
	for i := 0; i < len(names); i += 50 {
		waitStored(t, cluster, names[i], set)
	}
}

// side calls f for each name, so many at a time.
func side(parallelism int, names []string, f func(name string)) {
	queue := make(chan string)
	var wg sync.WaitGroup
	for range parallelism {
		wg.Go(func() {
			for name := range queue {
				f(name)
			}
		})
	}
	for _, name := range names {
		queue <- name
	}
	close(queue)
	wg.Wait()
}
