// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"encoding/binary"
	"errors"
	"net"
	"sync/atomic"

	"github.com/IBM/sarama"
)

// errNotKafka: what came back cannot be Kafka's: it does not begin with the length of an answer.
var errNotKafka = errors.New("the answer is not one of Kafka's")

// guardConn watches the lengths of a connection's answers. The client library allocates what the first answer's length field
// asks for before it looks at it, so that an HTTP or TLS server could make it ask for gigabytes; here such a server ends in
// errNotKafka. A guardConn also is what stops a request: closing it ends reads and writes that hold the library's locks.
type guardConn struct {
	net.Conn
	foreign atomic.Bool
	// received is whether anything at all came back.
	received atomic.Bool
	// prefix gathers the four length bytes of the next answer; body is what is left of the present one. One reader only.
	prefix []byte
	body   int
}

// Read passes bytes through as long as they look like Kafka's answers.
func (g *guardConn) Read(p []byte) (int, error) {
	if g.foreign.Load() {
		return 0, errNotKafka
	}
	n, err := g.Conn.Read(p)
	if n > 0 {
		g.received.Store(true)
	}
	if !g.follow(p[:n]) {
		g.foreign.Store(true)
		return 0, errNotKafka
	}
	return n, err
}

// follow keeps track of where answers begin and reports whether their lengths are possible.
func (g *guardConn) follow(p []byte) bool {
	for len(p) > 0 {
		if g.body > 0 {
			step := min(g.body, len(p))
			g.body -= step
			p = p[step:]
			continue
		}
		step := min(4-len(g.prefix), len(p))
		g.prefix = append(g.prefix, p[:step]...)
		p = p[step:]
		if len(g.prefix) < 4 {
			continue
		}
		length := binary.BigEndian.Uint32(g.prefix)
		// An answer holds at least its correlation id and an error code or a length.
		if length < 6 || length > uint32(sarama.MaxResponseSize) {
			return false
		}
		g.prefix, g.body = g.prefix[:0], int(length)
	}
	return true
}
