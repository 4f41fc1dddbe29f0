// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// notForZooKeeper are the properties of compose.yaml that KRaft alone has, and which some versions refuse without it.
var notForZooKeeper = []string{
	"process.roles", "node.id", "controller.listener.names", "controller.quorum.voters", "controller.quorum.election.timeout.ms",
	"controller.quorum.fetch.timeout.ms", "broker.session.timeout.ms",
}

// zookeeperNode is the one ZooKeeper server of a cluster. It takes the id and the port that a separate controller would have.
func zookeeperNode(template map[string]string, dir string, ports nodePorts) *node {
	return &node{
		id: controllerID, dir: nodeDir(dir, controllerID), main: "org.apache.zookeeper.server.quorum.QuorumPeerMain",
		env: map[string]string{
			"KAFKA_HEAP_OPTS": "-Xms32m -Xmx128m",
			// ZooKeeper 3.4 looks for classes of log4j that reload4j has not kept.
			"KAFKA_JVM_PERFORMANCE_OPTS": template["KAFKA_JVM_PERFORMANCE_OPTS"] + " -Dzookeeper.jmx.log4j.disable=true",
		},
		properties: map[string]string{
			"dataDir": dataDir(dir, controllerID), "clientPort": strconv.Itoa(ports.controller), "clientPortAddress": loopback,
			"maxClientCnxns": "0", "admin.enableServer": "false",
		},
	}
}

// useZooKeeper makes a broker of KRaft one of ZooKeeper. The node's id is in its environment, as is where ZooKeeper is.
func useZooKeeper(n *node) {
	delete(n.env, "CLUSTER_ID") // ZooKeeper's clusters choose their own
	n.properties = map[string]string{
		"broker.id": n.env["KAFKA_NODE_ID"],
		// ZooKeeper starts beside the brokers, on a machine that may be busy.
		"zookeeper.connection.timeout.ms": "60000",
		"zookeeper.session.timeout.ms":    n.env["KAFKA_BROKER_SESSION_TIMEOUT_MS"],
		// Without it a broker takes no dynamic config that is a password (KIP-226).
		"password.encoder.secret": "testbed-password-encoder-secret",
	}
	for variable, value := range n.env {
		if name, ok := propertyName(variable); ok && !slices.Contains(notForZooKeeper, name) {
			n.properties[name] = value
		}
	}
}

// propertyName is the inverse of environmentName. Variables that are not about properties give none.
func propertyName(variable string) (string, bool) {
	name, ok := strings.CutPrefix(variable, "KAFKA_")
	if !ok || name == "HEAP_OPTS" || name == "JVM_PERFORMANCE_OPTS" {
		return "", false
	}
	return strings.ToLower(strings.NewReplacer("___", "-", "__", "_", "_", ".").Replace(name)), true
}

// writeProperties writes the file that the server reads.
func (n *node) writeProperties() error {
	var text strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	for _, name := range slices.Sorted(maps.Keys(n.properties)) {
		fmt.Fprintf(&text, "%s=%s\n", name, escape.Replace(n.properties[name]))
	}
	return os.WriteFile(n.config(), []byte(text.String()), 0o600)
}

// reportedID asks a broker for the cluster's id, which in ZooKeeper mode the brokers choose.
func reportedID(ctx context.Context, address string) (string, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(address))
	if err != nil {
		return "", err
	}
	defer client.Close()
	request := kmsg.NewPtrMetadataRequest()
	request.Topics = []kmsg.MetadataRequestTopic{}
	metadata, err := metadataOf(ctx, client.SeedBrokers()[0], request)
	if err != nil {
		return "", err
	}
	if metadata.ClusterID == nil {
		return "", fmt.Errorf("the broker at %s reports no cluster id", address)
	}
	return *metadata.ClusterID, nil
}
