// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// featureMetadataVersion is a feature that every KRaft cluster has finalized, and none with ZooKeeper (KIP-778).
const featureMetadataVersion = "metadata.version"

// spreadsWrites tells whether writes to topics may go over several brokers.
//
// With KRaft a broker passes a write on to the controller over one connection, one at a time, and each is answered when it is stored, some
// 30 ms later: over one broker two writes of a run wait for each other. With ZooKeeper the broker itself reads a topic's configs, changes
// them and stores all, so that writes to one topic over two brokers could undo each other. A run that writes one by one is not asked for.
func (c *Client) spreadsWrites(ctx context.Context) bool {
	c.mu.Lock()
	known, favourite := c.kraft, c.favourite
	c.mu.Unlock()
	if known != nil {
		return *known
	}
	if c.pool(favourite).busy() == 0 {
		return false
	}
	kraft, err := together(ctx, c, "kraft", func(ctx context.Context) (bool, error) {
		features, err := c.Features(ctx)
		return features[featureMetadataVersion] > 0, err
	})
	if ctx.Err() != nil {
		return false
	}
	if err != nil {
		tflog.Debug(ctx, "writes go over one broker", map[string]any{"error": err.Error()})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kraft = &kraft
	return kraft
}
