// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// What compose.yaml says of a broker holds with ZooKeeper too, but for what is KRaft's.
func TestLayoutWithZooKeeper(t *testing.T) {
	ports := map[int]nodePorts{}
	for _, id := range []int{1, 2, 3, controllerID} {
		ports[id] = nodePorts{internal: 10000 + id, client: 11000 + id, controller: 12000 + id, advertised: 11000 + id}
	}
	nodes, err := layout(context.Background(), Options{
		Mode: ZooKeeper, Brokers: 2, ServerProperties: map[string]string{"zookeeper.session.timeout.ms": "9000", "log.cleaner.threads": "2"},
	}, "id", "/d", "", ports)
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes) != 3 || nodes[0].isBroker || nodes[0].properties["clientPort"] != "12100" || nodes[0].properties["clientPortAddress"] != loopback {
		t.Fatalf("ZooKeeper is not the first of three nodes: %+v", nodes[0])
	}
	for name, want := range map[string]string{
		"broker.id":                    "2",
		"broker.rack":                  "rack-b",
		"zookeeper.connect":            "127.0.0.1:12100",
		"listeners":                    "INTERNAL://127.0.0.1:10002,EXTERNAL://127.0.0.1:11002",
		"inter.broker.listener.name":   "INTERNAL",
		"log.dirs":                     "/d/node-2/data",
		"log.cleaner.threads":          "2",
		"zookeeper.session.timeout.ms": "9000", // the caller's
		"node.id":                      "",
		"process.roles":                "",
		"controller.listener.names":    "",
		"controller.quorum.voters":     "",
		"heap.opts":                    "",
	} {
		if got := nodes[2].properties[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if nodes[2].properties["password.encoder.secret"] == "" {
		t.Error("the broker would take no passwords")
	}
}

func TestPropertyNameIsTheInverseOfEnvironmentName(t *testing.T) {
	for _, property := range []string{"log.retention.ms", "a_b.c", "listener.name.external.scram-sha-256.sasl.jaas.config"} {
		if got, ok := propertyName(environmentName(property)); !ok || got != property {
			t.Errorf("%s became %q", property, got)
		}
	}
	for _, variable := range []string{"CLUSTER_ID", "KAFKA_HEAP_OPTS", "KAFKA_JVM_PERFORMANCE_OPTS"} {
		if got, ok := propertyName(variable); ok {
			t.Errorf("%s is no property, and became %q", variable, got)
		}
	}
}

func TestWritePropertiesEscapes(t *testing.T) {
	n := &node{dir: t.TempDir(), properties: map[string]string{"b": `C:\x`, "a": "one\ntwo"}}
	if err := os.MkdirAll(filepath.Dir(n.config()), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := n.writeProperties(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(n.config())
	if err != nil || string(content) != "a=one\\ntwo\nb=C:\\\\x\n" {
		t.Errorf("got %q: %v", content, err)
	}
}
