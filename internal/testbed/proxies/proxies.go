// SPDX-License-Identifier: MPL-2.0

// Package proxies has small network proxies on loopback for tests: SOCKS5 (RFC 1928) and HTTP with CONNECT. They say whom they
// connected to, and can want a password.
package proxies

import (
	"context"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
)

// Options say which proxy to start.
type Options struct {
	// User and Password are wanted of clients; without a user, nothing is.
	User, Password string
	// Hosts are addresses by names that only the proxy knows.
	Hosts map[string]string
}

// Proxy is a running proxy.
type Proxy struct {
	options  Options
	listener net.Listener

	mu      sync.Mutex
	targets []string
	open    []net.Conn
}

// start serves clients until the test ends.
func start(t testing.TB, o Options, serve func(p *Proxy, client net.Conn)) *Proxy {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{options: o, listener: listener}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			p.keep(client)
			running.Go(func() {
				defer func() { _ = client.Close() }()
				serve(p, client)
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.mu.Lock()
		open := p.open
		p.mu.Unlock()
		for _, conn := range open {
			_ = conn.Close()
		}
		running.Wait()
	})
	return p
}

// Address is the proxy's host:port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Targets are the addresses that clients asked for, in their order.
func (p *Proxy) Targets() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.targets)
}

func (p *Proxy) keep(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, conn)
}

// dial connects to what a client asks for.
func (p *Proxy) dial(host, port string) (net.Conn, error) {
	p.mu.Lock()
	p.targets = append(p.targets, net.JoinHostPort(host, port))
	p.mu.Unlock()
	if address, ok := p.options.Hosts[host]; ok {
		host = address
	}
	conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", net.JoinHostPort(host, port))
	if err == nil {
		p.keep(conn)
	}
	return conn, err
}

// tunnel passes everything on in both directions.
func tunnel(client io.ReadWriteCloser, server net.Conn) {
	var both sync.WaitGroup
	both.Go(func() { _, _ = io.Copy(server, client); _ = server.Close() })
	both.Go(func() { _, _ = io.Copy(client, server); _ = client.Close() })
	both.Wait()
}
