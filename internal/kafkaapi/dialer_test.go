// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"net"
	"sync"
)

// countingDialer counts what goes over its connections.
type countingDialer struct {
	net.Dialer
	mu sync.Mutex
	// open are the connections at the moment, most those at one time, opened those in all; received are bytes.
	open, most, opened int
	received           int64
}

func (d *countingDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open++
	d.opened++
	d.most = max(d.most, d.open)
	return &countedConn{Conn: conn, dialer: d}, nil
}

type countedConn struct {
	net.Conn
	dialer *countingDialer
	closed sync.Once
}

func (c *countedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.dialer.mu.Lock()
	defer c.dialer.mu.Unlock()
	c.dialer.received += int64(n)
	return n, err
}

func (c *countedConn) Close() error {
	c.closed.Do(func() {
		c.dialer.mu.Lock()
		defer c.dialer.mu.Unlock()
		c.dialer.open--
	})
	return c.Conn.Close()
}
