// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/proxy"
)

// exceptions dial the addresses in NO_PROXY directly, and all others through the proxy. The list is read as HTTP clients read it, this
// provider's for tokens included: hosts and their subdomains, .domain, *.domain, addresses, networks, each also with a port, and * for all.
type exceptions struct {
	via    *proxied
	direct *net.Dialer
	choose func(*url.URL) (*url.URL, error)
	// local judges this machine's own addresses, which HTTP clients never look for behind a proxy: a tunnel may end there.
	local *proxy.PerHost
}

func exceptFor(list string, via *proxied, direct *net.Dialer) Dialer {
	entries := strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
	if slices.Contains(entries, "*") {
		return direct
	}
	local := proxy.NewPerHost(via, direct)
	local.AddFromString(list)
	config := httpproxy.Config{HTTPSProxy: "http://proxy.invalid", NoProxy: list}
	return &exceptions{via: via, direct: direct, local: local, choose: config.ProxyFunc()}
}

// DialContext opens a connection to address.
func (e *exceptions) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip, err := netip.ParseAddr(host); strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback() {
		return e.local.DialContext(ctx, network, address)
	}
	if through, err := e.choose(&url.URL{Scheme: "https", Host: address}); err == nil && through == nil {
		return e.direct.DialContext(ctx, network, address)
	}
	return e.via.DialContext(ctx, network, address)
}
