// SPDX-License-Identifier: MPL-2.0

package proxies

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
)

// HTTP starts an HTTP proxy that knows CONNECT and nothing else.
func HTTP(t testing.TB, o Options) *Proxy {
	t.Helper()
	return start(t, o, func(p *Proxy, client net.Conn) {
		request, err := http.ReadRequest(bufio.NewReader(client))
		if err != nil {
			return
		}
		if request.Method != http.MethodConnect {
			answer(client, http.StatusMethodNotAllowed)
			return
		}
		if p.options.User != "" {
			login := http.Request{Header: http.Header{"Authorization": request.Header.Values("Proxy-Authorization")}}
			if user, password, _ := login.BasicAuth(); user != p.options.User || password != p.options.Password {
				answer(client, http.StatusProxyAuthRequired)
				return
			}
		}
		host, port, err := net.SplitHostPort(request.Host)
		if err != nil {
			answer(client, http.StatusBadRequest)
			return
		}
		server, err := p.dial(host, port)
		if err != nil {
			answer(client, http.StatusBadGateway)
			return
		}
		if _, err := fmt.Fprint(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
			return
		}
		tunnel(client, server)
	})
}

func answer(client net.Conn, status int) {
	fmt.Fprintf(client, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status, http.StatusText(status))
}
