// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// pendingAnswers bounds the requests that a client may send on one connection before it reads an answer.
const pendingAnswers = 1024

// proxyConnection is one client's connection to a brokerProxy, with its own connection to the broker.
type proxyConnection struct {
	proxy   *brokerProxy
	client  net.Conn
	done    chan struct{} // closed by close
	once    sync.Once
	pending chan answer // in the order of the requests, as brokers answer in that order
}

// answer is what a client gets for one request.
type answer struct {
	request     Request
	correlation uint32
	verdict     Verdict
}

func newProxyConnection(p *brokerProxy, client net.Conn) *proxyConnection {
	return &proxyConnection{proxy: p, client: client, done: make(chan struct{}), pending: make(chan answer, pendingAnswers)}
}

func (c *proxyConnection) close() {
	c.once.Do(func() {
		close(c.done)
		_ = c.client.Close()
	})
}

// serve passes requests and answers on until either side closes.
func (c *proxyConnection) serve() {
	defer c.proxy.forget(c)
	defer c.close()
	// The broker is dialled at the first request that is passed on: a broker that hangs or is down still accepts here.
	upstream := &lazyConn{address: c.proxy.upstream}
	defer upstream.close()
	c.proxy.recorder.running.Go(func() {
		<-c.done
		upstream.close()
	})
	c.proxy.recorder.running.Go(func() {
		defer c.close()
		c.answers(upstream)
	})
	c.requests(upstream)
}

// requests reads the client's requests, keeps a record of each, and passes them on.
func (c *proxyConnection) requests(upstream *lazyConn) {
	r := c.proxy.recorder
	for {
		frame, err := readFrame(c.client)
		if err != nil {
			return
		}
		request, correlation, err := decodeRequest(frame)
		if err != nil {
			r.problem(fmt.Errorf("request to broker %d: %w", c.proxy.id, err))
			return
		}
		request.Broker = c.proxy.id
		verdict := r.judge(c.proxy, request)
		request.Forwarded = verdict.forwards()
		// Before it is passed on, so that whoever has the answer finds the request in the record.
		r.record(request)
		if verdict.kind == closeConnection {
			return
		}
		if verdict.forwards() {
			if err := upstream.write(frame); err != nil {
				return
			}
		}
		if produce, ok := request.Body.(*kmsg.ProduceRequest); ok && produce.Acks == 0 {
			continue // has no answer
		}
		select {
		case c.pending <- answer{request: request, correlation: correlation, verdict: verdict}:
		case <-c.done:
			return
		}
	}
}

// answers writes the answers in the order of the requests.
func (c *proxyConnection) answers(upstream *lazyConn) {
	for {
		var a answer
		select {
		case a = <-c.pending:
		case <-c.done:
			return
		}
		frame, err := c.answerFrame(a, upstream)
		if err != nil {
			return
		}
		if frame == nil || c.proxy.isHung() {
			<-c.done // no answer, and none after it, until the connection is closed
			return
		}
		if err := writeFrame(c.client, frame); err != nil {
			return
		}
	}
}

// answerFrame returns the frame to answer with; nil is no answer, an error closes the connection.
func (c *proxyConnection) answerFrame(a answer, upstream *lazyConn) ([]byte, error) {
	switch a.verdict.kind {
	case noAnswer:
		return nil, nil
	case ownAnswer:
		return encodeResponse(a.verdict.response, a.request.Body, a.correlation), nil
	}
	frame, err := upstream.read()
	if err != nil {
		return nil, err
	}
	if a.verdict.kind == loseAnswer {
		return nil, errLost
	}
	if !namesBrokers(a.request.Key) && a.verdict.edit == nil {
		return frame, nil
	}
	response, err := decodeResponse(frame, a.request.Body)
	if err != nil {
		c.proxy.recorder.problem(err)
		return nil, err
	}
	if err := c.proxy.recorder.rewrite(response); err != nil {
		c.proxy.recorder.problem(err)
		return nil, err
	}
	if a.verdict.edit != nil {
		a.verdict.edit(response)
	}
	return encodeResponse(response, a.request.Body, a.correlation), nil
}

// lazyConn is a connection that is dialled at the first write. Reads follow writes.
type lazyConn struct {
	address string

	mu     sync.Mutex
	conn   net.Conn
	closed bool
}

func (l *lazyConn) get(dial bool) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || (l.conn == nil && !dial) {
		return nil, net.ErrClosed
	}
	if l.conn == nil {
		conn, err := net.DialTimeout("tcp", l.address, visibleTimeout)
		if err != nil {
			return nil, err
		}
		l.conn = conn
	}
	return l.conn, nil
}

func (l *lazyConn) write(frame []byte) error {
	conn, err := l.get(true)
	if err != nil {
		return err
	}
	return writeFrame(conn, frame)
}

func (l *lazyConn) read() ([]byte, error) {
	conn, err := l.get(false)
	if err != nil {
		return nil, err
	}
	return readFrame(conn)
}

func (l *lazyConn) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.conn != nil {
		_ = l.conn.Close()
	}
}
