// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Recorder is a proxy in front of a cluster that knows Kafka's protocol. It has an address for each broker, keeps a record of every
// request, rewrites the addresses in answers so that clients stay on the proxy, and can fail on demand.
//
// The record is per Recorder, not per cluster: a test that shares its cluster with others counts only its own requests.
type Recorder struct {
	mu         sync.Mutex
	proxies    map[int]*brokerProxy // keyed by broker id
	requests   []Request
	intercepts []*interceptor
	problems   []error
	closed     bool
	running    sync.WaitGroup
}

// Request is a request that a client sent.
type Request struct {
	Broker    int // the id of the broker it was sent to
	Key       int16
	Version   int16
	ClientID  string
	Body      kmsgRequest // of the type that Key has, for example *kmsg.IncrementalAlterConfigsRequest
	Forwarded bool        // whether it was passed on to the broker
}

// Record puts a Recorder in front of a running cluster. It is closed when the test ends, and fails the test if there was something in
// the traffic that it could not read, as its record would then not be complete.
func Record(t testing.TB, c *Cluster) *Recorder {
	t.Helper()
	return record(t, c.Brokers())
}

// RecordListener is [Record] in front of one of [Options.Listeners], which must not be one with TLS.
func RecordListener(t testing.TB, c *Cluster, listener string) *Recorder {
	t.Helper()
	brokers := c.Brokers()
	for i := range brokers {
		var err error
		if brokers[i].Address, err = c.ListenerAddress(brokers[i].ID, listener); err != nil {
			t.Fatalf("Record listener %s: %v", listener, err)
		}
	}
	return record(t, brokers)
}

func record(t testing.TB, brokers []Broker) *Recorder {
	t.Helper()
	r := &Recorder{proxies: map[int]*brokerProxy{}}
	t.Cleanup(func() {
		for _, err := range r.close() {
			t.Errorf("The recorder's record is not complete: %v", err)
		}
	})
	for _, b := range brokers {
		if _, err := r.proxyFor(b.ID, b.Address); err != nil {
			t.Fatalf("Record the traffic of broker %d: %v", b.ID, err)
		}
	}
	return r
}

// proxyFor returns the proxy in front of a broker, which it starts if there is none.
func (r *Recorder) proxyFor(id int, upstream string) (*brokerProxy, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.proxies[id]; ok {
		return p, nil
	}
	if r.closed {
		return nil, net.ErrClosed
	}
	p := &brokerProxy{recorder: r, id: id, upstream: upstream, connections: map[*proxyConnection]bool{}}
	if err := p.listen(); err != nil {
		return nil, err
	}
	r.proxies[id] = p
	return p, nil
}

// BootstrapServers are the proxy's addresses, host:port, in the order of the broker ids.
func (r *Recorder) BootstrapServers() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var servers []string
	for _, id := range slices.Sorted(maps.Keys(r.proxies)) {
		servers = append(servers, r.proxies[id].address())
	}
	return servers
}

// Address is the proxy's address, host:port, in front of one broker; empty if there is no such broker.
func (r *Recorder) Address(broker int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.proxies[broker]; ok {
		return p.address()
	}
	return ""
}

// Requests are the requests so far, in the order in which they came.
func (r *Recorder) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}

// Count is the number of requests with an API key.
func (r *Recorder) Count(key int16) int { return len(r.RequestsOf(key)) }

// RequestsOf are the requests with an API key.
func (r *Recorder) RequestsOf(key int16) []Request {
	return r.filter(func(q Request) bool { return q.Key == key })
}

// Writes are the requests that ask for a change of the cluster. One with validate_only set is none; see [Recorder.Validations].
func (r *Recorder) Writes() []Request {
	return r.filter(func(q Request) bool { return effectOf(q.Body) == write })
}

// Validations are the requests that ask a broker to check a change without making it.
func (r *Recorder) Validations() []Request {
	return r.filter(func(q Request) bool { return effectOf(q.Body) == validation })
}

func (r *Recorder) filter(keep func(Request) bool) []Request {
	return slices.DeleteFunc(r.Requests(), func(q Request) bool { return !keep(q) })
}

// Reset forgets the requests so far.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = nil
}

// String lists the requests so far, one a line, for failure messages.
func (r *Recorder) String() string {
	var text string
	for _, q := range r.Requests() {
		text += fmt.Sprintf("broker %d: %s\n", q.Broker, q)
	}
	return text
}

func (r *Recorder) record(q Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, q)
}

func (r *Recorder) problem(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problems = append(r.problems, err)
}

// close ends every connection, returns when no goroutine is left, and reports what could not be read.
func (r *Recorder) close() []error {
	r.mu.Lock()
	r.closed = true
	proxies := slices.Collect(maps.Values(r.proxies))
	r.mu.Unlock()
	for _, p := range proxies {
		p.refuse()
	}
	r.running.Wait()
	return r.problems
}

// brokerProxy is the proxy in front of one broker.
type brokerProxy struct {
	recorder *Recorder
	id       int
	upstream string // host:port
	port     int    // of loopback; kept while the listener is closed

	mu          sync.Mutex
	listener    net.Listener // nil while connections are refused
	hung        bool
	connections map[*proxyConnection]bool
}

func (p *brokerProxy) address() string { return net.JoinHostPort(loopback, strconv.Itoa(p.port)) }

// listen accepts connections, at the port that the proxy had before if it had one.
func (p *brokerProxy) listen() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		return nil
	}
	if p.port == 0 {
		port, err := freePort()
		if err != nil {
			return err
		}
		p.port = port
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", p.address())
	if err != nil {
		return err
	}
	p.listener = listener
	p.recorder.running.Go(func() { p.accept(listener) })
	return nil
}

func (p *brokerProxy) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		c := newProxyConnection(p, conn)
		p.mu.Lock()
		current := p.listener == listener
		if current {
			p.connections[c] = true
		}
		p.mu.Unlock()
		if !current {
			c.close()
			return
		}
		p.recorder.running.Go(c.serve)
	}
}

// refuse closes the listener and every connection.
func (p *brokerProxy) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		_ = p.listener.Close()
		p.listener = nil
	}
	for c := range p.connections {
		c.close()
	}
}

func (p *brokerProxy) forget(c *proxyConnection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.connections, c)
}

func (p *brokerProxy) isHung() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hung
}
