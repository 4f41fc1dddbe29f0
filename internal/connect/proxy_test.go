// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/proxies"
)

// from looks variables up in a map.
func from(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { value, ok := variables[name]; return value, ok }
}

// echo is a server that says every line back.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(conn, conn); _ = conn.Close() }()
		}
	}()
	return listener.Addr().String()
}

// answers dials an address and reports whether what is sent comes back.
func answers(t *testing.T, d Dialer, address string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "hello"); err != nil {
		return err
	}
	got := make([]byte, 5)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "hello" {
		t.Errorf("got %q, %v", got, err)
	}
	return nil
}

// ALL_PROXY is for brokers, but for those in NO_PROXY; names are resolved by the proxy.
func TestBrokerDialer(t *testing.T) {
	server := echo(t)
	_, port, _ := net.SplitHostPort(server)
	options := proxies.Options{User: "me", Password: "canary-proxy", Hosts: map[string]string{"kafka.test": "127.0.0.1"}}
	for scheme, proxy := range map[string]*proxies.Proxy{
		"socks5": proxies.SOCKS(t, options), "socks5h": proxies.SOCKS(t, options), "http": proxies.HTTP(t, options),
	} {
		t.Run(scheme, func(t *testing.T) {
			through, err := BrokerDialer(from(map[string]string{"ALL_PROXY": scheme + "://me:canary-proxy@" + proxy.Address(), "NO_PROXY": "127.0.0.1,other.test"}))
			if err != nil {
				t.Fatal(err)
			}
			if err := answers(t, through, "kafka.test:"+port); err != nil {
				t.Error(err)
			}
			if err := answers(t, through, server); err != nil {
				t.Error(err)
			}
			if got := strings.Join(proxy.Targets(), " "); got != "kafka.test:"+port {
				t.Errorf("the proxy was asked for %s", got)
			}
			err = answers(t, through, "kafka.test:1")
			if err == nil || !strings.HasPrefix(err.Error(), "no connection through the proxy "+scheme+"://"+proxy.Address()+" (ALL_PROXY): ") {
				t.Errorf("a dead broker: %v", err)
			}
			wrong, err := BrokerDialer(from(map[string]string{"all_proxy": scheme + "://me:canary-wrong@" + proxy.Address()}))
			if err != nil {
				t.Fatal(err)
			}
			if err := answers(t, wrong, "kafka.test:"+port); err == nil || strings.Contains(err.Error(), "canary") {
				t.Errorf("a wrong password: %v", err)
			}
			gone, err := BrokerDialer(from(map[string]string{"ALL_PROXY": scheme + "://127.0.0.1:1"}))
			if err != nil {
				t.Fatal(err)
			}
			if err := answers(t, gone, "kafka.test:"+port); err == nil || !strings.Contains(err.Error(), "proxy "+scheme+"://127.0.0.1:1 (ALL_PROXY): ") {
				t.Errorf("no proxy there: %v", err)
			}
		})
	}
}

func TestNoUsableProxy(t *testing.T) {
	for value, want := range map[string]string{
		"proxy:1080":                 "is no URL of a proxy",
		"ftp://u:canary-1@proxy:21":  "the scheme of the proxy ftp://proxy:21",
		"socks5://u:canary-1@pro xy": "is no URL of a proxy",
	} {
		if _, err := BrokerDialer(from(map[string]string{"ALL_PROXY": value})); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", value, err)
		}
	}
	direct, err := BrokerDialer(from(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := answers(t, direct, echo(t)); err != nil {
		t.Error(err)
	}
}

// A proxy that never answers is left when the context ends.
func TestASilentProxyIsLeft(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	for _, scheme := range []string{"socks5", "http"} {
		through, err := BrokerDialer(from(map[string]string{"ALL_PROXY": scheme + "://" + listener.Addr().String()}))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		start := time.Now()
		if _, err := through.DialContext(ctx, "tcp", "kafka.test:9092"); err == nil || time.Since(start) > 5*time.Second {
			t.Errorf("%s: %v after %s", scheme, err, time.Since(start))
		}
		cancel()
	}
}
