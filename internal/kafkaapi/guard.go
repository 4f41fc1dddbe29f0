// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"encoding/binary"
	"errors"
	"net"
	"sync"
	"sync/atomic"

	"github.com/IBM/sarama"
)

// errNotKafka: what came back cannot be Kafka's: it does not begin with the length of an answer.
var errNotKafka = errors.New("the answer is not one of Kafka's")

// guardConn stands above TLS and watches the lengths of a connection's answers. The client library allocates what the first answer's length field
// asks for before it looks at it, so that an HTTP or TLS server could make it ask for gigabytes; here such a server ends in
// errNotKafka. A guardConn also is what stops a request: closing it ends reads and writes that hold the library's locks.
type guardConn struct {
	net.Conn
	foreign atomic.Bool
	// sent and received are the bytes so far, as they are above TLS.
	sent, received atomic.Int64
	// prefix gathers the four length bytes of the next answer; body is what is left of the present one. One reader only.
	prefix []byte
	body   int

	// heads are the beginnings of the answers until forget, of which the library tells only its own conclusions.
	mu        sync.Mutex
	heads     [][]byte
	forgotten bool
}

// maxHead is how much of an answer is kept: more than any list of mechanisms or reason of a refusal has.
const maxHead = 4096

// Read passes bytes through as long as they look like Kafka's answers.
func (g *guardConn) Read(p []byte) (int, error) {
	if g.foreign.Load() {
		return 0, errNotKafka
	}
	n, err := g.Conn.Read(p)
	g.received.Add(int64(n))
	if !g.follow(p[:n]) {
		g.foreign.Store(true)
		return 0, errNotKafka
	}
	return n, err
}

// Write counts what is sent.
func (g *guardConn) Write(p []byte) (int, error) {
	n, err := g.Conn.Write(p)
	g.sent.Add(int64(n))
	return n, err
}

// follow keeps track of where answers begin and reports whether their lengths are possible.
func (g *guardConn) follow(p []byte) bool {
	for len(p) > 0 {
		if g.body > 0 {
			step := min(g.body, len(p))
			g.keep(p[:step])
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
		g.begin()
	}
	return true
}

// begin makes room for the next answer.
func (g *guardConn) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.forgotten {
		g.heads = append(g.heads, nil)
	}
}

func (g *guardConn) keep(p []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.forgotten {
		return
	}
	last := &g.heads[len(g.heads)-1]
	*last = append(*last, p[:min(len(p), maxHead-len(*last))]...)
}

// answers is how many answers came, as long as they are kept.
func (g *guardConn) answers() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.heads)
}

// kept gives the beginnings of the answers, without their lengths.
func (g *guardConn) kept() [][]byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.heads
}

// forget ends the keeping: the connection is open.
func (g *guardConn) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.heads, g.forgotten = nil, true
}
