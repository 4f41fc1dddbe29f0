// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"slices"
)

// correlation is the correlation id of the probes.
var correlation = []byte("KAFK")

// Two requests that brokers answer to everybody: length, key, version, correlation id, no client id, and for SaslHandshake the name
// of a mechanism, which is empty so that it is refused with a list of those that are offered.
var (
	askVersions  = slices.Concat([]byte{0, 0, 0, 10, 0, 18, 0, 0}, correlation, []byte{0xff, 0xff})
	askHandshake = slices.Concat([]byte{0, 0, 0, 12, 0, 17, 0, 1}, correlation, []byte{0xff, 0xff, 0, 0})
)

// probePlain reports whether the port speaks Kafka's protocol in plain text.
func (c *Client) probePlain(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, maxProbe)
	defer cancel()
	conn, err := c.opts.Dialer.DialContext(ctx, "tcp", address)
	return err == nil && len(probe(ctx, conn, askVersions)) > 0
}

// probeSASL gives the mechanisms that the listener offers, none where it does no SASL.
func (c *Client) probeSASL(ctx context.Context, address string) []string {
	ctx, cancel := context.WithTimeout(ctx, maxProbe)
	defer cancel()
	conn, _, err := c.dial(ctx, address)
	if err != nil {
		return nil
	}
	return mechanismsOf(probe(ctx, conn, askHandshake))
}

// probe sends a request over a connection, closes it, and gives the beginning of the answer without its length; nothing where the
// answer is not Kafka's.
func probe(ctx context.Context, conn net.Conn, request []byte) []byte {
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if _, err := conn.Write(request); err != nil {
		return nil
	}
	var head [8]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil || !bytes.Equal(head[4:], correlation) {
		return nil
	}
	length := binary.BigEndian.Uint32(head[:4])
	if length < 4 {
		return nil
	}
	rest := make([]byte, min(length, maxHead)-4)
	n, _ := io.ReadFull(conn, rest)
	return append(head[4:], rest[:n]...)
}
