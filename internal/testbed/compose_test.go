// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Docker takes the defaults of the Compose file: what it would run is checked here where no Docker is.
func TestComposeDefaultsAreDocker(t *testing.T) {
	nodes, err := composeEnvironments(context.Background(), composeFiles(Options{Policy: true}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(nodes) != composeNodes {
		t.Fatalf("compose.yaml has %d nodes, want %d", len(nodes), composeNodes)
	}
	for id, env := range nodes {
		want := map[string]string{
			"KAFKA_LISTENERS":                      fmt.Sprintf("INTERNAL://:9092,EXTERNAL://:%d9092,CONTROLLER://:9093", id),
			"KAFKA_ADVERTISED_LISTENERS":           fmt.Sprintf("INTERNAL://kafka-%d:9092,EXTERNAL://127.0.0.1:%d9092", id, id),
			"KAFKA_CONTROLLER_QUORUM_VOTERS":       "1@kafka-1:9093,2@kafka-2:9093,3@kafka-3:9093",
			"KAFKA_BROKER_RACK":                    Options{}.rackOf(id),
			"KAFKA_PROCESS_ROLES":                  "broker,controller",
			"KAFKA_ALTER_CONFIG_POLICY_CLASS_NAME": "io.github.kafkalayout.testbed.RetentionPolicy",
			"CLASSPATH":                            "/opt/testbed/testbed-policy.jar",
			"CLUSTER_ID":                           "a2Fma2EtbGF5b3V0LXRiMQ",
		}
		for key, value := range want {
			if env[key] != value {
				t.Errorf("node %d: %s is %q, want %q", id, key, env[key], value)
			}
		}
	}
	without, err := composeEnvironments(context.Background(), composeFiles(Options{}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := without[1]["KAFKA_ALTER_CONFIG_POLICY_CLASS_NAME"]; ok {
		t.Error("there is a policy without Options.Policy")
	}
}

func TestLayout(t *testing.T) {
	ports := map[int]nodePorts{}
	for _, id := range []int{1, 2, 3, 4, controllerID} {
		ports[id] = nodePorts{internal: 10000 + id, client: 11000 + id, controller: 12000 + id, advertised: 13000 + id}
	}
	type wanted struct{ roles, listeners, rack string }
	tests := map[string]struct {
		options Options
		voters  string
		nodes   map[int]wanted
	}{
		"one broker": {Options{Brokers: 1}, "1@127.0.0.1:12001", map[int]wanted{
			1: {"broker,controller", "INTERNAL://127.0.0.1:10001,EXTERNAL://127.0.0.1:11001,CONTROLLER://127.0.0.1:12001", "rack-a"},
		}},
		"two brokers": {Options{Brokers: 2}, "1@127.0.0.1:12001", map[int]wanted{
			1: {"broker,controller", "INTERNAL://127.0.0.1:10001,EXTERNAL://127.0.0.1:11001,CONTROLLER://127.0.0.1:12001", "rack-a"},
			2: {"broker", "INTERNAL://127.0.0.1:10002,EXTERNAL://127.0.0.1:11002", "rack-b"},
		}},
		"four brokers": {Options{Brokers: 4}, "1@127.0.0.1:12001,2@127.0.0.1:12002,3@127.0.0.1:12003", map[int]wanted{
			3: {"broker,controller", "INTERNAL://127.0.0.1:10003,EXTERNAL://127.0.0.1:11003,CONTROLLER://127.0.0.1:12003", "rack-c"},
			4: {"broker", "INTERNAL://127.0.0.1:10004,EXTERNAL://127.0.0.1:11004", "rack-a"},
		}},
		"separate controller": {Options{Brokers: 2, SeparateControllers: true}, "100@127.0.0.1:12100", map[int]wanted{
			1:            {"broker", "INTERNAL://127.0.0.1:10001,EXTERNAL://127.0.0.1:11001", "rack-a"},
			controllerID: {"controller", "CONTROLLER://127.0.0.1:12100", ""},
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			nodes, err := layout(context.Background(), tt.options, "id", "/d", "", ports)
			if err != nil {
				t.Fatal(err)
			}
			for id, want := range tt.nodes {
				i := slices.IndexFunc(nodes, func(n *node) bool { return n.id == id })
				if i < 0 {
					t.Fatalf("there is no node %d", id)
				}
				env := nodes[i].env
				if got := (wanted{env["KAFKA_PROCESS_ROLES"], env["KAFKA_LISTENERS"], env["KAFKA_BROKER_RACK"]}); got != want {
					t.Errorf("node %d is %+v, want %+v", id, got, want)
				}
				if env["KAFKA_CONTROLLER_QUORUM_VOTERS"] != tt.voters {
					t.Errorf("node %d has voters %s, want %s", id, env["KAFKA_CONTROLLER_QUORUM_VOTERS"], tt.voters)
				}
				if env["KAFKA_LOG_DIRS"] != fmt.Sprintf("/d/node-%d/data", id) {
					t.Errorf("node %d has data in %s", id, env["KAFKA_LOG_DIRS"])
				}
				if nodes[i].isBroker && !strings.Contains(env["KAFKA_ADVERTISED_LISTENERS"], fmt.Sprintf("EXTERNAL://127.0.0.1:%d", 13000+id)) {
					t.Errorf("node %d advertises %s, not its proxy", id, env["KAFKA_ADVERTISED_LISTENERS"])
				}
			}
		})
	}
}

func TestEnvironmentName(t *testing.T) {
	// The image's entry point reads ___ as -, __ as _, and _ as a dot.
	tests := map[string]string{
		"log.retention.ms": "KAFKA_LOG_RETENTION_MS",
		"a_b.c":            "KAFKA_A__B_C",
		"listener.name.external.scram-sha-256.sasl.jaas.config": "KAFKA_LISTENER_NAME_EXTERNAL_SCRAM___SHA___256_SASL_JAAS_CONFIG",
	}
	for property, want := range tests {
		if got := environmentName(property); got != want {
			t.Errorf("%s: got %s, want %s", property, got, want)
		}
	}
}
