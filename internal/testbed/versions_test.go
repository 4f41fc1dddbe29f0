// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Each version that fallbacks need starts, answers, is recorded, stops a broker and has it back, and ends.
func TestOldVersions(t *testing.T) {
	for _, tt := range []struct {
		version string
		mode    Mode
		// lacks is the key of an API that the version does not offer, has the newest that it does.
		lacks, has int16
	}{
		{"3.9.2", KRaft, 83, 74},
		{"3.9.2", ZooKeeper, 55, 44},
		{"2.2.2", ZooKeeper, 44, 43},
	} {
		t.Run(tt.version+" "+string(tt.mode), func(t *testing.T) {
			c := Own(t, Options{Version: tt.version, Mode: tt.mode, Brokers: 2, Policy: true})
			ctx := context.Background()
			metadata, err := c.Admin(t).BrokerMetadata(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if metadata.Cluster != c.ClusterID() || !slices.Equal(metadata.Brokers.NodeIDs(), []int32{1, 2}) {
				t.Errorf("cluster %s with brokers %v, want %s with 1 and 2", metadata.Cluster, metadata.Brokers.NodeIDs(), c.ClusterID())
			}
			checkOffered(ctx, t, c, tt.lacks, tt.has)
			checkSaysVersion(t, c, tt.version)
			checkRecorded(ctx, t, c)
			t.Run("stop and restart", func(t *testing.T) { checkRestart(ctx, t, c, c.Stop, c.UniqueTopic(t, 3, 2)) })
			t.Run("add a broker", func(t *testing.T) { checkAddBroker(ctx, t, c) })
			pids := []int{}
			for _, n := range c.nodes {
				pids = append(pids, n.pid())
			}
			if err := c.end(); err != nil {
				t.Fatal(err)
			}
			for _, pid := range pids {
				if alive(pid) {
					t.Errorf("process %d still runs", pid)
				}
			}
		})
	}
}

// checkOffered looks at what a version is for: the APIs that its brokers do and do not offer.
func checkOffered(ctx context.Context, t *testing.T, c *Cluster, lacks, has int16) {
	t.Helper()
	versions, err := kmsg.NewPtrApiVersionsRequest().RequestWith(ctx, c.Client(t))
	if err != nil {
		t.Fatal(err)
	}
	offered := func(key int16) bool {
		return slices.ContainsFunc(versions.ApiKeys, func(k kmsg.ApiVersionsResponseApiKey) bool { return k.ApiKey == key })
	}
	if offered(lacks) || !offered(has) {
		t.Errorf("%s is offered: %t; %s is offered: %t", kmsg.NameForKey(lacks), offered(lacks), kmsg.NameForKey(has), offered(has))
	}
}

func checkSaysVersion(t *testing.T, c *Cluster, version string) {
	t.Helper()
	log, err := os.ReadFile(c.LogDir(1) + "/server.log")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), fmt.Sprintf("Kafka version: %s", version)) {
		t.Errorf("broker 1 does not say that it is %s; its log is in %s", version, c.LogDir(1))
	}
}

// checkRecorded creates a topic through a recorder, which finds the request at whichever broker is the controller.
func checkRecorded(ctx context.Context, t *testing.T, c *Cluster) {
	r := Record(t, c)
	client, err := kgo.NewClient(kgo.SeedBrokers(r.BootstrapServers()...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	request := kmsg.NewPtrCreateTopicsRequest()
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic, topic.NumPartitions, topic.ReplicationFactor = UniqueName(t), 1, 2
	request.Topics = append(request.Topics, topic)
	response, err := request.RequestWith(ctx, client)
	if err != nil || response.Topics[0].ErrorCode != 0 {
		t.Fatalf("create a topic through the recorder: %v %+v", err, response)
	}
	if got := len(r.Writes()); got != 1 || r.Count(19) != 1 {
		t.Errorf("%d writes were recorded, want one CreateTopics:\n%s", got, r)
	}
	c.WaitTopic(t, topic.Topic, 1)
}
