// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/proxy"
)

// Dialer opens connections to brokers.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// BrokerDialer gives the dialer that the environment asks for: through the proxy in ALL_PROXY (socks5, socks5h, http or https), but
// for what NO_PROXY lists; directly where there is no such variable. The error shows no password.
func BrokerDialer(lookup func(name string) (string, bool)) (Dialer, error) {
	direct := &net.Dialer{}
	address := variable(lookup, "ALL_PROXY", "all_proxy")
	if address == "" {
		return direct, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, errors.New("the environment variable ALL_PROXY is no URL of a proxy, such as socks5://proxy:1080 or http://proxy:3128")
	}
	via := &proxied{name: u.Scheme + "://" + u.Host}
	switch u.Scheme {
	case "http", "https":
		via.dialer = connectDialer{proxy: u, direct: direct}
	case "socks5", "socks5h":
		socks, err := proxy.FromURL(u, direct)
		if err != nil {
			return nil, fmt.Errorf("the proxy %s of the environment variable ALL_PROXY cannot be used", via.name)
		}
		dialer, ok := socks.(Dialer)
		if !ok {
			return nil, fmt.Errorf("the proxy %s of the environment variable ALL_PROXY cannot be interrupted", via.name)
		}
		via.dialer = dialer
	default:
		return nil, fmt.Errorf("the scheme of the proxy %s of the environment variable ALL_PROXY is none of socks5, socks5h, http, https", via.name)
	}
	return exceptFor(variable(lookup, "NO_PROXY", "no_proxy"), via, direct), nil
}

// tokenProxy gives the proxy for requests to servers of tokens: HTTPS_PROXY and HTTP_PROXY, as every HTTP client takes them.
func tokenProxy(lookup func(name string) (string, bool)) func(*http.Request) (*url.URL, error) {
	config := httpproxy.Config{
		HTTPProxy:  variable(lookup, "HTTP_PROXY", "http_proxy"),
		HTTPSProxy: variable(lookup, "HTTPS_PROXY", "https_proxy"),
		NoProxy:    variable(lookup, "NO_PROXY", "no_proxy"),
	}
	choose := config.ProxyFunc()
	return func(r *http.Request) (*url.URL, error) { return choose(r.URL) }
}

func variable(lookup func(name string) (string, bool), names ...string) string {
	values := make([]string, 0, len(names))
	for _, name := range names {
		value, _ := lookup(name)
		values = append(values, value)
	}
	return cmp.Or(values...)
}

// proxied names the proxy in errors, which would otherwise read as if the broker were not there.
type proxied struct {
	name   string
	dialer Dialer
}

// Dial is DialContext for what knows no contexts.
func (p *proxied) Dial(network, address string) (net.Conn, error) {
	return p.DialContext(context.Background(), network, address)
}

// DialContext opens a connection through the proxy.
func (p *proxied) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := p.dialer.DialContext(ctx, network, address)
	if err != nil {
		// Not wrapped: what is found in it is about the proxy, not about the broker.
		return nil, fmt.Errorf("no connection through the proxy %s (ALL_PROXY): %v", p.name, err) //nolint:errorlint // as above
	}
	return conn, nil
}
