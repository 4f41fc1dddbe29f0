// SPDX-License-Identifier: MPL-2.0

package testbed

import "fmt"

// DefaultVersion is the Kafka version a cluster runs when [Options] names none.
const DefaultVersion = "4.4.0"

// Options says which cluster to start. The zero value is three nodes of [DefaultVersion], each broker and controller, in three racks.
type Options struct {
	// Version is Kafka's version, for example "4.0.0".
	Version string
	// Mode is KRaft by default. With ZooKeeper, which versions before 4.0 have, there is one ZooKeeper server, as node 100.
	Mode Mode
	// Brokers is the number of brokers, 3 by default. Brokers 1, 4, 7, … are in rack-a, 2, 5, … in rack-b, 3, 6, … in rack-c.
	Brokers int
	// Racks are the racks of brokers 1, 2, 3, …, [NoRack] for none. One that is empty or not there is the usual one.
	Racks []string
	// SeparateControllers runs one controller in a node of its own, which has id 100 and is no broker.
	SeparateControllers bool
	// ServerProperties are set on every node, beside and over those of compose.yaml, by their names in server.properties.
	ServerProperties map[string]string
	// Policy enables the AlterConfigPolicy in testbed/policy.
	Policy bool
	// Proxied puts a network proxy (toxiproxy) in front of each broker's client listener, and has brokers advertise the proxy.
	Proxied bool
	// Listeners are further listeners of every broker, in the order in which brokers are told them.
	Listeners []Listener
	// Authorizer has brokers ask Kafka's own authorizer (StandardAuthorizer): who logs in through one of Listeners may do what
	// [Cluster.Grant] allows. Clients of the plain text listeners, the test bed's own among them, may do everything.
	Authorizer bool
	// Ports are the client ports of brokers 1, 2, 3, … on loopback. One that is 0 or not there is any free port.
	Ports []int
}

func (o Options) withDefaults() (Options, error) {
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	if o.Mode == "" {
		o.Mode = KRaft
	}
	if o.Brokers == 0 {
		o.Brokers = composeNodes
	}
	if o.Brokers < 0 {
		return o, fmt.Errorf("a cluster of %d brokers cannot be started", o.Brokers)
	}
	if len(o.Ports) > o.Brokers {
		return o, fmt.Errorf("%d client ports for %d brokers", len(o.Ports), o.Brokers)
	}
	if len(o.Racks) > o.Brokers {
		return o, fmt.Errorf("%d racks for %d brokers", len(o.Racks), o.Brokers)
	}
	if err := o.checkListeners(); err != nil {
		return o, err
	}
	if err := o.checkVersion(); err != nil {
		return o, err
	}
	return o, nil
}
