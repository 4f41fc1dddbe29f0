// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// maxProbe bounds the look at a port whose answer made no sense.
const maxProbe = 5 * time.Second

// isClosed reports whether the other side ended the connection.
func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNABORTED)
}

// probeTLS gives the certificate that the port shows in a TLS handshake, nil if there is none. It verifies nothing and sends
// nothing: it only looks whether TLS is spoken.
func (c *Client) probeTLS(ctx context.Context, address string) *x509.Certificate {
	ctx, cancel := context.WithTimeout(ctx, maxProbe)
	defer cancel()
	var seen *x509.Certificate
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil
	}
	tcp, err := c.opts.Dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil
	}
	defer func() { _ = tcp.Close() }()
	// A server that wants a client certificate ends the handshake; its own certificate has been seen by then.
	_ = tls.Client(tcp, &tls.Config{
		ServerName:         host,
		InsecureSkipVerify: true, //nolint:gosec // nothing is sent; the certificate's names go into an error message
		VerifyConnection: func(state tls.ConnectionState) error {
			if len(state.PeerCertificates) > 0 {
				seen = state.PeerCertificates[0]
			}
			return nil
		},
	}).HandshakeContext(ctx)
	return seen
}

// certificateNames says whom a certificate is for.
func certificateNames(cert *x509.Certificate) string {
	text := "certificate of " + cert.Subject.String()
	names := append([]string{}, cert.DNSNames...)
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) > 0 {
		text += " for " + strings.Join(names, ", ")
	}
	return text
}
