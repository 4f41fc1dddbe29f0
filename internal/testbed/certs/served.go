// SPDX-License-Identifier: MPL-2.0

package certs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
)

// Served does a TLS handshake with a server at host:port, as a client that trusts these authorities and, if there is one, shows an
// identity, and returns the certificate that the server showed. A server that wants a client's certificate may refuse it only after
// the handshake (TLS 1.3), which is not seen here.
func Served(ctx context.Context, address string, trusted *x509.CertPool, identity *Identity) (*x509.Certificate, error) {
	config := &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	if identity != nil {
		config.Certificates = []tls.Certificate{identity.TLS()}
	}
	conn, err := (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("TLS handshake with %s: %w", address, err)
	}
	defer func() { _ = conn.Close() }()
	secured, ok := conn.(*tls.Conn)
	if !ok {
		return nil, fmt.Errorf("TLS handshake with %s: a %T", address, conn)
	}
	return secured.ConnectionState().PeerCertificates[0], nil
}
