// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// controllerID is the node id of the controller of a cluster with separate controllers.
const controllerID = 100

// nodePorts are the ports of one node on loopback. Advertised is the client port that clients are told, which a proxy may hold;
// listeners are those of Options.Listeners.
type nodePorts struct {
	internal, client, controller, advertised int
	listeners                                []int
}

// layout decides every node of a new cluster: its environment, ports and directory. Policy is the path of the policy's jar if the
// options want it; ports are keyed by node id.
func layout(ctx context.Context, o Options, clusterID, dir, policy string, ports map[int]nodePorts) ([]*node, error) {
	variables := composeVariables(o, clusterID, dir, ports)
	variables["POLICY_CLASSPATH"] = policy
	templates, err := composeEnvironments(ctx, composeFiles(o), variables)
	if err != nil {
		return nil, err
	}
	voters := votersOf(o)
	quorum := quorumVoters(voters, ports)
	var nodes []*node
	switch {
	case o.Mode == ZooKeeper:
		nodes = append(nodes, zookeeperNode(templates[1], dir, ports[controllerID]))
		for _, template := range templates {
			template["KAFKA_ZOOKEEPER_CONNECT"] = fmt.Sprintf("%s:%d", loopback, ports[controllerID].controller)
		}
	case o.SeparateControllers:
		nodes = append(nodes, controllerNode(o, templates[1], quorum, dir, ports[controllerID]))
	}
	for id := 1; id <= o.Brokers; id++ {
		isVoter := o.Mode != ZooKeeper && slices.Contains(voters, id)
		template := templates[min(id, composeNodes)]
		nodes = append(nodes, brokerNode(o, template, id, o.rackOf(id), isVoter, quorum, dir, ports[id]))
	}
	return nodes, nil
}

// composeVariables fills the interpolations of compose.yaml for the JVM.
func composeVariables(o Options, clusterID, dir string, ports map[int]nodePorts) map[string]string {
	variables := map[string]string{"CLUSTER_ID": clusterID, "KAFKA_VERSION": o.Version, "BIND_HOST": loopback}
	for id := 1; id <= composeNodes; id++ {
		prefix := fmt.Sprintf("NODE_%d_", id)
		variables[prefix+"HOST"] = loopback
		variables[prefix+"PORT"] = strconv.Itoa(ports[id].client)
		variables[prefix+"ADVERTISED_PORT"] = strconv.Itoa(ports[id].advertised)
		variables[prefix+"INTERNAL_PORT"] = strconv.Itoa(ports[id].internal)
		variables[prefix+"CONTROLLER_PORT"] = strconv.Itoa(ports[id].controller)
		variables[prefix+"LOG_DIRS"] = dataDir(dir, id)
	}
	return variables
}

func nodeDir(dir string, id int) string { return filepath.Join(dir, fmt.Sprintf("node-%d", id)) }
func dataDir(dir string, id int) string { return filepath.Join(nodeDir(dir, id), "data") }

// votersOf decides the nodes that are controllers: with two brokers one of them, as two voters lose their leader with either.
func votersOf(o Options) []int {
	switch {
	case o.SeparateControllers:
		return []int{controllerID}
	case o.Brokers < composeNodes:
		return []int{1}
	default:
		return []int{1, 2, 3}
	}
}

func quorumVoters(voters []int, ports map[int]nodePorts) string {
	list := make([]string, 0, len(voters))
	for _, id := range voters {
		list = append(list, fmt.Sprintf("%d@%s:%d", id, loopback, ports[id].controller))
	}
	return strings.Join(list, ",")
}

// brokerNode makes a broker out of a service's environment. A broker that is no voter is no controller.
func brokerNode(o Options, template map[string]string, id int, rack string, isVoter bool, quorum, dir string, ports nodePorts) *node {
	env := maps.Clone(template)
	env["KAFKA_NODE_ID"] = strconv.Itoa(id)
	env["KAFKA_LOG_DIRS"] = dataDir(dir, id)
	env["KAFKA_CONTROLLER_QUORUM_VOTERS"] = quorum
	env["KAFKA_LISTENERS"] = fmt.Sprintf("INTERNAL://%s:%d,EXTERNAL://%s:%d", loopback, ports.internal, loopback, ports.client)
	env["KAFKA_ADVERTISED_LISTENERS"] = fmt.Sprintf("INTERNAL://%s:%d,EXTERNAL://%s:%d",
		loopback, ports.internal, loopback, ports.advertised)
	env["KAFKA_PROCESS_ROLES"] = "broker"
	if isVoter {
		env["KAFKA_PROCESS_ROLES"] = template["KAFKA_PROCESS_ROLES"]
		env["KAFKA_LISTENERS"] = template["KAFKA_LISTENERS"]
	}
	n := &node{id: id, port: ports.client, advertised: ports.advertised, env: env, dir: nodeDir(dir, id), main: kafkaMain, isBroker: true}
	setRack(n, rack)
	addListeners(n, o, ports.listeners)
	finish(env, o)
	if o.Mode == ZooKeeper {
		useZooKeeper(n)
	}
	return n
}

func controllerNode(o Options, template map[string]string, quorum, dir string, ports nodePorts) *node {
	env := maps.Clone(template)
	env["KAFKA_NODE_ID"] = strconv.Itoa(controllerID)
	env["KAFKA_PROCESS_ROLES"] = "controller"
	env["KAFKA_LOG_DIRS"] = dataDir(dir, controllerID)
	env["KAFKA_CONTROLLER_QUORUM_VOTERS"] = quorum
	env["KAFKA_LISTENERS"] = fmt.Sprintf("CONTROLLER://%s:%d", loopback, ports.controller)
	for _, key := range []string{"KAFKA_ADVERTISED_LISTENERS", "KAFKA_INTER_BROKER_LISTENER_NAME", "KAFKA_BROKER_RACK"} {
		delete(env, key)
	}
	finish(env, o)
	return &node{id: controllerID, env: env, dir: nodeDir(dir, controllerID), main: kafkaMain}
}

// finish applies what holds for every node: internal topics that fit the number of brokers, and the caller's properties.
func finish(env map[string]string, o Options) {
	if o.Brokers < composeNodes {
		n := strconv.Itoa(o.Brokers)
		env["KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR"] = n
		env["KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR"] = n
		env["KAFKA_TRANSACTION_STATE_LOG_MIN_ISR"] = "1"
	}
	env["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"] = protocolMap(env["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"], o)
	if o.Authorizer {
		authorize(env)
	}
	for key, value := range o.ServerProperties {
		env[environmentName(key)] = value
	}
}

// environmentName is the variable that Kafka's container entry point takes for a property.
func environmentName(property string) string {
	return "KAFKA_" + strings.ToUpper(strings.NewReplacer("-", "___", "_", "__", ".", "_").Replace(property))
}
