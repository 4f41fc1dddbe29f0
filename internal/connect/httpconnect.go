// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// connectDialer opens connections through an HTTP proxy with CONNECT (RFC 9110, section 9.3.6). net/http does so only for requests
// of its own.
type connectDialer struct {
	proxy  *url.URL
	direct *net.Dialer
}

// DialContext opens a tunnel to address.
func (d connectDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	port := d.proxy.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[d.proxy.Scheme]
	}
	conn, err := d.direct.DialContext(ctx, network, net.JoinHostPort(d.proxy.Hostname(), port))
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if d.proxy.Scheme == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: d.proxy.Hostname(), MinVersion: tls.VersionTLS12})
	}
	if err := d.connect(conn, address); err != nil {
		_ = conn.Close()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	return conn, nil
}

func (d connectDialer) connect(conn net.Conn, address string) error {
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if user := d.proxy.User; user != nil {
		secret, _ := user.Password()
		basic := http.Request{Header: http.Header{}}
		basic.SetBasicAuth(user.Username(), secret)
		request.Header.Set("Proxy-Authorization", basic.Header.Get("Authorization"))
	}
	if err := request.Write(conn); err != nil {
		return err
	}
	answers := bufio.NewReader(conn)
	answer, err := http.ReadResponse(answers, request)
	if err != nil {
		return fmt.Errorf("it does not answer CONNECT as an HTTP proxy does: %w", err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers CONNECT with %s", answer.Status)
	}
	// Brokers wait for the client to speak; what comes before that would be lost in the reader.
	if answers.Buffered() > 0 {
		return errors.New("it sends data before the tunnel is used")
	}
	return nil
}
