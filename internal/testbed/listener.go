// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Listener is one more listener for clients on every broker, beside the plain text one that [Broker.Address] names. A proxy
// of [Options.Proxied] is not in front of it; [RecordListener] puts a recorder there.
type Listener struct {
	// Name is in upper case, for example "TLS". The names of the listener's properties have it in lower case.
	Name string
	// Protocol is Kafka's security protocol: SSL, SASL_PLAINTEXT, SASL_SSL or PLAINTEXT.
	Protocol string
	// Host is what clients are told as the broker's host, 127.0.0.1 if it is empty; it has to lead to this machine.
	Host string
	// Properties are the listener's static properties at a broker, without their prefix listener.name.<name>. ; nil is none. A key
	// store has to be among those of SSL: Kafka gives none to a running listener that has none, and lets another take its place.
	Properties func(broker int) map[string]string
	// SASL is there if the protocol is SASL_PLAINTEXT or SASL_SSL.
	SASL *SASL
}

func (l Listener) property(name string) string {
	return "listener.name." + strings.ToLower(l.Name) + "." + name
}

func (l Listener) host() string {
	if l.Host == "" {
		return loopback
	}
	return l.Host
}

// addListeners gives a broker the listeners of the options at these ports, and keeps the ports with the node.
func addListeners(n *node, o Options, ports []int) {
	for i, l := range o.Listeners {
		n.env["KAFKA_LISTENERS"] += fmt.Sprintf(",%s://%s:%d", l.Name, loopback, ports[i])
		n.env["KAFKA_ADVERTISED_LISTENERS"] += fmt.Sprintf(",%s://%s:%d", l.Name, l.host(), ports[i])
		n.listeners = append(n.listeners, ports[i])
		for name, value := range l.properties(n.id) {
			n.env[environmentName(l.property(name))] = value
		}
	}
	addSystemProperties(n, o)
}

// properties are the listener's at a broker, without their prefix. Those that the test names win.
func (l Listener) properties(broker int) map[string]string {
	properties := map[string]string{}
	if l.SASL != nil {
		properties = l.SASL.properties()
	}
	if l.Properties != nil {
		maps.Copy(properties, l.Properties(broker))
	}
	return properties
}

// protocolMap adds the listeners of the options to a listener.security.protocol.map.
func protocolMap(described string, o Options) string {
	for _, l := range o.Listeners {
		if entry := "," + l.Name + ":" + l.Protocol; !strings.Contains(described, entry) {
			described += entry
		}
	}
	return described
}

func (o Options) checkListeners() error {
	names := map[string]bool{"INTERNAL": true, "EXTERNAL": true, "CONTROLLER": true}
	for _, l := range o.Listeners {
		if l.Name == "" || l.Name != strings.ToUpper(l.Name) || names[l.Name] {
			return fmt.Errorf("a further listener cannot be named %q: its name is in upper case, and none of %v", l.Name, slices.Sorted(maps.Keys(names)))
		}
		names[l.Name] = true
		if err := l.checkSASL(); err != nil {
			return err
		}
	}
	return nil
}

// ListenerAddress is host:port of one of [Options.Listeners] at a broker.
func (c *Cluster) ListenerAddress(broker int, listener string) (string, error) {
	n, err := c.node(broker)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(c.options.Listeners, func(l Listener) bool { return l.Name == listener })
	if i < 0 || len(n.listeners) <= i {
		return "", fmt.Errorf("node %d has no listener %q", broker, listener)
	}
	return fmt.Sprintf("%s:%d", c.options.Listeners[i].host(), n.listeners[i]), nil
}

// ListenerServers are host:port of one of [Options.Listeners] at every broker, in the order of their ids.
func (c *Cluster) ListenerServers(listener string) ([]string, error) {
	var servers []string
	for _, b := range c.Brokers() {
		address, err := c.ListenerAddress(b.ID, listener)
		if err != nil {
			return nil, err
		}
		servers = append(servers, address)
	}
	return servers, nil
}
