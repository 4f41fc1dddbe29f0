// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// startTimeout bounds a start on a busy machine; three brokers take 6 to 8 s on two idle cores.
	startTimeout = 3 * time.Minute
	// startAttempts is how often a start is tried when another process takes a port that was free.
	startAttempts = 3
)

// runtime is what the servers of one cluster run with.
type runtime struct {
	java       string
	classPath  string
	generation generation
	policyJar  string // empty without policy
	watchdog   *watchdog
}

// Cluster is a running Kafka cluster. Its methods may be called from several goroutines.
type Cluster struct {
	options Options
	id      string
	dir     string
	run     *runtime
	release func() // gives up the ownership of dir

	mu    sync.Mutex
	nodes []*node

	// faults is nil unless the cluster was started with Options.Proxied.
	faults *Faults
	// attached has the brokers of a cluster that another process or Docker runs; run is nil then.
	attached []Broker
	docker   *composeProject // nil unless Docker runs it
}

// Broker is one broker of a cluster. Address is host:port of its client listener, as clients are told it; Pid is 0 while it does not run.
type Broker struct {
	ID      int
	Address string
	Rack    string
	Pid     int
}

// Start starts a cluster and returns when every broker, asked itself, knows all the others. It needs Java and Maven, and says in one
// line what to install where one is missing. The servers end with [Cluster.Close], and with this process, however it ends.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	java, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	path, err := classPath(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	run := runtime{java: java, classPath: path, generation: generationOf(o.Version)}
	if o.Policy {
		if run.policyJar, err = policyJar(ctx); err != nil {
			return nil, err
		}
	}
	attempts := startAttempts
	if len(o.Ports) > 0 {
		attempts = 1 // another try would find the caller's port taken again
	}
	var c *Cluster
	err = retryTaken(attempts, func() error {
		c, err = startOnce(ctx, o, run)
		return err
	})
	return c, err
}

// retryTaken repeats a start that failed because another process took a port which was free when it was chosen.
func retryTaken(attempts int, start func() error) error {
	for attempt := 1; ; attempt++ {
		err := start()
		var failed *startError
		if !errors.As(err, &failed) || !failed.portTaken || attempt == attempts {
			return err
		}
	}
}

func startOnce(ctx context.Context, o Options, run runtime) (*Cluster, error) {
	dir, release, err := newClusterDir()
	if err != nil {
		return nil, err
	}
	if run.watchdog, err = startWatchdog(); err != nil {
		return nil, err
	}
	c := &Cluster{options: o, id: newClusterID(), dir: dir, run: &run, release: release}
	if err := c.start(ctx); err != nil {
		_, endErr := c.closeKeepingLogs()
		return nil, errors.Join(fmt.Errorf("start Kafka %s: %w", o.Version, err), endErr)
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) error {
	ports, err := choosePorts(c.options)
	if err != nil {
		return err
	}
	if c.options.Proxied {
		c.faults = newFaults()
		for id := 1; id <= c.options.Brokers; id++ {
			p := ports[id]
			if p.advertised, err = c.faults.add(id, p.client); err != nil {
				return err
			}
			ports[id] = p
		}
	}
	if c.nodes, err = layout(ctx, c.options, c.id, c.dir, c.run.policyJar, ports); err != nil {
		return err
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for _, n := range c.nodes {
		group.Go(func() error {
			if err := n.prepare(groupCtx, c.run); err != nil {
				return err
			}
			return n.start(c.run)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := waitReady(ctx, c.nodes, c.brokerIDs()); err != nil {
		return err
	}
	if err := c.addScramUsers(ctx); err != nil || c.options.Mode != ZooKeeper {
		return err
	}
	c.id, err = reportedID(ctx, c.Brokers()[0].Address)
	return err
}

// choosePorts reserves the ports of every node, keyed by node id.
func choosePorts(o Options) (map[int]nodePorts, error) {
	ids := []int{controllerID}
	for id := 1; id <= max(o.Brokers, composeNodes); id++ {
		ids = append(ids, id)
	}
	ports := make(map[int]nodePorts, len(ids))
	for _, id := range ids {
		var fixed int
		if id <= len(o.Ports) {
			fixed = o.Ports[id-1]
		}
		chosen, err := chooseNodePorts(fixed, len(o.Listeners))
		if err != nil {
			return nil, err
		}
		ports[id] = chosen
	}
	return ports, nil
}

func chooseNodePorts(client, listeners int) (nodePorts, error) {
	p := nodePorts{listeners: make([]int, listeners)}
	all := []*int{&p.internal, &p.client, &p.controller}
	for i := range p.listeners {
		all = append(all, &p.listeners[i])
	}
	for _, port := range all {
		var err error
		if *port, err = freePort(); err != nil {
			return p, err
		}
	}
	if client != 0 {
		p.client = client
	}
	p.advertised = p.client
	return p, nil
}

// newClusterID returns an id as Kafka makes them: 16 random bytes in URL-safe base 64, 22 characters.
func newClusterID() string {
	var id [16]byte
	_, _ = rand.Read(id[:])
	// A leading dash would read as an option on the command line of Kafka's format tool.
	id[0] &= 0x7f
	return base64.RawURLEncoding.EncodeToString(id[:])
}

// ClusterID is the id that the brokers report.
func (c *Cluster) ClusterID() string { return c.id }

// BootstrapServers are the client addresses, host:port, of all brokers.
func (c *Cluster) BootstrapServers() []string {
	var servers []string
	for _, b := range c.Brokers() {
		servers = append(servers, b.Address)
	}
	return servers
}

// Brokers are the cluster's brokers in the order of their ids, also those that do not run.
func (c *Cluster) Brokers() []Broker {
	c.mu.Lock()
	defer c.mu.Unlock()
	brokers := slices.Clone(c.attached)
	for _, n := range c.nodes {
		if n.isBroker {
			brokers = append(brokers, Broker{ID: n.id, Address: fmt.Sprintf("%s:%d", loopback, n.advertised), Rack: n.rack, Pid: n.pid()})
		}
	}
	return brokers
}

func (c *Cluster) brokerIDs() []int {
	var ids []int
	for _, n := range c.nodes {
		if n.isBroker {
			ids = append(ids, n.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// LogDir is the directory of a node's server log, for messages that point at it.
func (c *Cluster) LogDir(id int) string { return filepath.Join(nodeDir(c.dir, id), "logs") }

// isAttached reports whether another process owns the cluster.
func (c *Cluster) isAttached() bool { return c.run == nil && c.docker == nil }

// Close kills every server and removes the cluster's files. It leaves a cluster alone that another process owns.
func (c *Cluster) Close() error {
	if c.isAttached() {
		return nil
	}
	if err := c.end(); err != nil {
		return err
	}
	return os.RemoveAll(c.dir)
}

// closeKeepingLogs is [Cluster.Close] but for the logs, which stay in the directory that is returned for a day.
func (c *Cluster) closeKeepingLogs() (dir string, err error) {
	if c.isAttached() {
		return c.dir, nil
	}
	err = c.end()
	removeData(c.dir)
	return c.dir, err
}

// end kills every server and returns when they are gone.
func (c *Cluster) end() error {
	defer c.release()
	if c.docker != nil {
		return c.docker.down()
	}
	c.run.watchdog.close()
	if c.faults != nil {
		c.faults.close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.nodes {
		n.waitEnded()
	}
	return nil
}
