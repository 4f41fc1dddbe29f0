// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// pingTimeout bounds the wait for one answer.
const pingTimeout = 5 * time.Second

// Ping asks the broker at an address, host:port, for anything, once, and returns an error if it does not answer.
func Ping(ctx context.Context, address string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.RequestRetries(0), kgo.DialTimeout(pingTimeout))
	if err != nil {
		return err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	return client.Ping(ctx)
}
