// SPDX-License-Identifier: MPL-2.0

package compat

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// api is something that not all versions offer: an API from a version on, and what it is needed for.
type api struct {
	key     kmsg.Key
	version int16
	purpose string
}

func (a *api) String() string {
	return fmt.Sprintf("%s (%d) version %d: %s", a.key.Name(), a.key, a.version, a.purpose)
}

var (
	incremental = &api{kmsg.IncrementalAlterConfigs, 0, "changes single keys (KIP-339, Kafka 2.3)"}
	keyTypes    = &api{kmsg.DescribeConfigs, 3, "tells the types of keys (KIP-569, Kafka 2.6)"}
	countless   = &api{kmsg.CreateTopics, 4, "creates topics with the cluster's counts (KIP-464, Kafka 2.4)"}
	registered  = &api{kmsg.DescribeCluster, 2, "tells brokers that are down from brokers that are gone (KIP-1073, Kafka 4.0)"}
)

var everything = []*api{incremental, keyTypes, countless, registered}

// platform is a version of Kafka in one way to run it.
type platform struct {
	name    string
	options testbed.Options
	lacks   []*api
	// badValue is the code with which the controller refuses a value of a topic's config.
	badValue string
}

var platforms = []platform{
	{"4.4.0, separate controller", testbed.Options{Version: "4.4.0", SeparateControllers: true}, nil, "INVALID_CONFIG"},
	{"4.0.0", testbed.Options{Version: "4.0.0"}, nil, "INVALID_CONFIG"},
	{"3.9.2, KRaft", testbed.Options{Version: "3.9.2"}, []*api{registered}, "INVALID_CONFIG"},
	{"3.9.2, ZooKeeper", testbed.Options{Version: "3.9.2", Mode: testbed.ZooKeeper}, []*api{registered}, "INVALID_CONFIG"},
	{"2.2.2, ZooKeeper", testbed.Options{Version: "2.2.2", Mode: testbed.ZooKeeper}, everything, "INVALID_REQUEST"},
}

// testCase is one case of a suite.
type testCase struct {
	name string
	run  func(*bench)
	// needs is what the case cannot do without; nil is nothing special.
	needs *api
	// instead asserts what happens where needs is not offered.
	instead func(*bench)
	// core cases run in each run of all tests.
	core bool
}

// suites are the cases by the resource that they are about. Those of brokers come last, as they end with brokers that are gone.
var suites = []struct {
	name  string
	cases []testCase
}{
	{"kafka_topic_config", topicCases},
	{"kafka_broker_config", brokerCases},
}

// all tells whether everything is asked for.
func all() bool { return os.Getenv("COMPAT") != "" }

// TestCompat runs the suites on each platform and prints a table of what came of it.
func TestCompat(t *testing.T) {
	chosen := platforms
	if !all() {
		chosen = platforms[len(platforms)-1:]
	}
	results := newTable()
	for _, p := range chosen {
		t.Run(p.name, func(t *testing.T) { runPlatform(t, p, results) })
	}
	fmt.Print(results)
}

func runPlatform(t *testing.T, p platform, results *table) {
	p.options.Policy = true
	cluster := testbed.Own(t, p.options)
	checkOffered(t, cluster, p)
	for _, suite := range suites {
		for _, c := range suite.cases {
			if !c.core && !all() {
				continue
			}
			t.Run(suite.name+"/"+c.name, func(t *testing.T) {
				lacking := c.needs != nil && slices.Contains(p.lacks, c.needs)
				t.Cleanup(func() { results.add(p.name, suite.name, c, lacking, t.Failed()) })
				run := c.run
				if lacking {
					run = c.instead
				}
				run(newBench(t, cluster, p))
			})
		}
	}
}

// checkOffered compares what a platform is said to lack with what each of its brokers offers.
func checkOffered(t *testing.T, cluster *testbed.Cluster, p platform) {
	t.Helper()
	client := cluster.Client(t)
	request := kmsg.NewPtrApiVersionsRequest()
	request.ClientSoftwareName, request.ClientSoftwareVersion = "compat", "test" // brokers refuse empty ones
	for _, broker := range cluster.Brokers() {
		response, err := client.Broker(broker.ID).Request(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		answer := response.(*kmsg.ApiVersionsResponse)
		if len(answer.ApiKeys) == 0 || answer.ErrorCode != 0 {
			t.Fatalf("Broker %d of %s does not say what it offers: error %d", broker.ID, p.name, answer.ErrorCode)
		}
		newest := map[int16]int16{}
		for _, k := range answer.ApiKeys {
			newest[k.ApiKey] = k.MaxVersion
		}
		for _, a := range everything {
			version, there := newest[a.key.Int16()]
			if offered := there && version >= a.version; offered == slices.Contains(p.lacks, a) {
				t.Errorf("Broker %d of %s offers %s: %t", broker.ID, p.name, a, offered)
			}
		}
	}
}
