// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"syscall"
)

// errAttached is what a cluster of another process answers to a wish to change its brokers.
var errAttached = errors.New("the shared cluster's brokers serve other tests too: a test that stops, pauses or adds brokers needs a cluster of its own (testbed.Own)")

// Stop has a broker shut down in order, which moves its leaderships away, and returns when its process has ended.
func (c *Cluster) Stop(ctx context.Context, id int) error { return c.endNode(ctx, id, syscall.SIGTERM) }

// Kill ends a broker at once, as a crash does. The others show it until its session ends, after 9 s; see [Cluster.WaitBrokers].
func (c *Cluster) Kill(ctx context.Context, id int) error { return c.endNode(ctx, id, syscall.SIGKILL) }

func (c *Cluster) endNode(ctx context.Context, id int, sig syscall.Signal) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	if err := n.end(sig); err != nil {
		return err
	}
	return n.wait(ctx)
}

// Restart starts a broker that was stopped or killed, with the ports and the data it had, stopping it first if it runs. It returns
// when every running broker knows it.
func (c *Cluster) Restart(ctx context.Context, id int) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	if n.pid() != 0 {
		if err := c.Stop(ctx, id); err != nil {
			return err
		}
	}
	if err := n.start(c.run); err != nil {
		return err
	}
	return c.WaitBrokers(ctx)
}

// Pause stops a broker's process without ending it: the system still accepts connections for it, and nothing answers.
func (c *Cluster) Pause(id int) error { return c.setPaused(id, true) }

// Resume ends [Cluster.Pause].
func (c *Cluster) Resume(id int) error { return c.setPaused(id, false) }

func (c *Cluster) setPaused(id int, paused bool) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	sig := syscall.SIGCONT
	if paused {
		sig = syscall.SIGSTOP
	}
	if err := n.signal(sig); err != nil {
		return err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paused = paused
	return nil
}

// AddBroker starts one more broker in a rack ([NoRack] for none), or where rack is empty in that of Options.Racks or else the next one of
// the usual order, and returns its id when every
// running broker knows it. It is no controller.
func (c *Cluster) AddBroker(ctx context.Context, rack string) (int, error) {
	if c.run == nil {
		return 0, errAttached
	}
	var n *node
	err := retryTaken(startAttempts, func() (err error) {
		if n, err = c.addNode(rack); err != nil {
			return err
		}
		if err = n.prepare(ctx, c.run); err == nil {
			err = n.start(c.run)
		}
		if err == nil {
			err = c.WaitBrokers(ctx)
		}
		if err != nil {
			c.removeNode(n)
			return fmt.Errorf("add broker %d: %w", n.id, err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n.id, nil
}

// addNode decides the next broker, on the pattern of the last one.
func (c *Cluster) addNode(rack string) (*node, error) {
	ports, err := chooseNodePorts(0, len(c.options.Listeners))
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.nodes[len(c.nodes)-1]
	id := last.id + 1
	if rack == "" {
		rack = c.options.rackOf(id)
	}
	if c.faults != nil {
		if ports.advertised, err = c.faults.add(id, ports.client); err != nil {
			return nil, err
		}
	}
	n := brokerNode(c.options, last.env, id, rack, false, last.env["KAFKA_CONTROLLER_QUORUM_VOTERS"], c.dir, ports)
	c.nodes = append(c.nodes, n)
	return n, nil
}

// removeNode forgets a broker that did not start.
func (c *Cluster) removeNode(n *node) {
	_ = n.signal(syscall.SIGKILL) // it may not run
	n.waitEnded()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nodes = slices.DeleteFunc(c.nodes, func(other *node) bool { return other == n })
	if c.faults != nil {
		c.faults.remove(n.id)
	}
}

// WaitBrokers returns when every broker that runs and is not paused, asked itself, names exactly the brokers that run and are not
// paused, and a controller.
func (c *Cluster) WaitBrokers(ctx context.Context) error {
	if c.run == nil {
		return errAttached
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c.mu.Lock()
	var live []*node
	var want []int
	for _, n := range c.nodes {
		if n.isBroker && n.serves() {
			live = append(live, n)
			want = append(want, n.id)
		}
	}
	c.mu.Unlock()
	slices.Sort(want)
	return waitReady(ctx, live, want)
}

// node finds a broker, or the separate controller, of a cluster that this process runs.
func (c *Cluster) node(id int) (*node, error) {
	if c.run == nil {
		return nil, errAttached
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.nodes {
		if n.id == id {
			return n, nil
		}
	}
	return nil, fmt.Errorf("the cluster has no node %d", id)
}
