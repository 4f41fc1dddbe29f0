// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Faults are the network proxies (toxiproxy) in front of the brokers of a cluster that was started with [Options.Proxied]. Clients
// reach the brokers through them only, as brokers advertise them; brokers reach each other past them.
type Faults struct {
	server *toxiproxy.ApiServer

	mu      sync.Mutex
	proxies map[int]*toxiproxy.Proxy // keyed by broker id
}

func newFaults() *Faults {
	// The server is never served: proxies only take their logger and metrics from it.
	return &Faults{
		server:  toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()),
		proxies: map[int]*toxiproxy.Proxy{},
	}
}

// add starts a proxy in front of a port of loopback, and returns the proxy's own port.
func (f *Faults) add(broker, upstream int) (int, error) {
	for attempt := 1; ; attempt++ {
		port, err := freePort()
		if err != nil {
			return 0, err
		}
		p := toxiproxy.NewProxy(f.server, fmt.Sprintf("broker-%d", broker),
			fmt.Sprintf("%s:%d", loopback, port), fmt.Sprintf("%s:%d", loopback, upstream))
		err = p.Start()
		if err == nil {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.proxies[broker] = p
			return port, nil
		}
		if attempt == startAttempts {
			return 0, fmt.Errorf("proxy in front of broker %d: %w", broker, err)
		}
	}
}

func (f *Faults) remove(broker int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p, ok := f.proxies[broker]; ok {
		p.Stop()
		delete(f.proxies, broker)
	}
}

func (f *Faults) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.proxies {
		p.Stop()
	}
}

// Latency has every answer of every broker arrive so much later, in whole milliseconds, on connections open and new. Zero ends it.
func (f *Faults) Latency(d time.Duration) error {
	return f.each(func(p *toxiproxy.Proxy) error {
		return setToxic(p, "latency", d > 0, fmt.Sprintf(`{"latency": %d}`, d.Milliseconds()))
	})
}

// Bandwidth limits the answers of every broker to so many kilobytes per second on each connection. Zero ends it.
func (f *Faults) Bandwidth(kilobytesPerSecond int) error {
	return f.each(func(p *toxiproxy.Proxy) error {
		return setToxic(p, "bandwidth", kilobytesPerSecond > 0, fmt.Sprintf(`{"rate": %d}`, kilobytesPerSecond))
	})
}

// Silence swallows what a broker answers, without closing a connection, as a network partition does. Off ends it.
func (f *Faults) Silence(broker int, on bool) error {
	return f.one(broker, func(p *toxiproxy.Proxy) error { return setToxic(p, "timeout", on, `{"timeout": 0}`) })
}

// Disconnect closes all connections to a broker and refuses new ones. Off ends it.
func (f *Faults) Disconnect(broker int, on bool) error {
	return f.one(broker, func(p *toxiproxy.Proxy) error {
		if on {
			p.Stop()
			return nil
		}
		if err := p.Start(); err != nil && !errors.Is(err, toxiproxy.ErrProxyAlreadyStarted) {
			return err
		}
		return nil
	})
}

// setToxic adds or replaces a toxic on the way from broker to client, or removes it. Toxics are named after their type.
func setToxic(p *toxiproxy.Proxy, kind string, on bool, attributes string) error {
	if p.Toxics.GetToxic(kind) != nil {
		if err := p.Toxics.RemoveToxic(context.Background(), kind); err != nil {
			return err
		}
	}
	if !on {
		return nil
	}
	_, err := p.Toxics.AddToxicJson(strings.NewReader(
		fmt.Sprintf(`{"name": %q, "type": %q, "stream": "downstream", "attributes": %s}`, kind, kind, attributes)))
	return err
}

func (f *Faults) each(do func(*toxiproxy.Proxy) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, p := range f.proxies {
		errs = append(errs, do(p))
	}
	return errors.Join(errs...)
}

func (f *Faults) one(broker int, do func(*toxiproxy.Proxy) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, ok := f.proxies[broker]
	if !ok {
		return fmt.Errorf("there is no proxy in front of broker %d", broker)
	}
	return do(p)
}

// Faults returns the proxies in front of the brokers. A cluster that was not started with [Options.Proxied] has none.
func (c *Cluster) Faults() (*Faults, error) {
	if c.faults == nil {
		return nil, errors.New("the cluster was not started with Options.Proxied")
	}
	return c.faults, nil
}
