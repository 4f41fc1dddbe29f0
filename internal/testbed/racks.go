// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sync/errgroup"
)

// NoRack stands for no rack where a rack is asked for.
const NoRack = "(none)"

// usualRacks are those of compose.yaml, in the order of its nodes.
var usualRacks = []string{"rack-a", "rack-b", "rack-c"}

// rackOf gives a broker's rack as the options have it.
func (o Options) rackOf(id int) string {
	if id <= len(o.Racks) && o.Racks[id-1] != "" {
		return o.Racks[id-1]
	}
	return usualRacks[(id-1)%len(usualRacks)]
}

// setRack gives a node that is not prepared yet its rack.
func setRack(n *node, rack string) {
	if rack == NoRack {
		n.rack = ""
		delete(n.env, "KAFKA_BROKER_RACK")
		return
	}
	n.rack, n.env["KAFKA_BROKER_RACK"] = rack, rack
}

// SetRacks has brokers stand in other racks, by their ids, [NoRack] for none. They are restarted side by side, so where these are
// most of a cluster's brokers it needs Options.SeparateControllers. One that does not run is started. It returns when every running broker knows all the others.
func (c *Cluster) SetRacks(ctx context.Context, racks map[int]string) error {
	var restarts errgroup.Group
	for id, rack := range racks {
		n, err := c.node(id)
		if err != nil {
			return err
		}
		restarts.Go(func() error {
			if n.pid() != 0 {
				if err := c.Stop(ctx, id); err != nil {
					return err
				}
			}
			if err := n.writeRack(rack); err != nil {
				return err
			}
			c.mu.Lock()
			setRack(n, rack)
			c.mu.Unlock()
			return n.start(c.run)
		})
	}
	if err := restarts.Wait(); err != nil {
		return err
	}
	return c.WaitBrokers(ctx)
}

// writeRack changes the file that the server reads.
func (n *node) writeRack(rack string) error {
	content, err := os.ReadFile(n.config())
	if err != nil {
		return fmt.Errorf("rack of node %d: %w", n.id, err)
	}
	var text strings.Builder
	for line := range strings.Lines(string(content)) {
		if !strings.HasPrefix(line, "broker.rack=") {
			text.WriteString(line)
		}
	}
	if rack != NoRack {
		text.WriteString("\nbroker.rack=" + rack + "\n")
	}
	return os.WriteFile(n.config(), []byte(text.String()), 0o600)
}
