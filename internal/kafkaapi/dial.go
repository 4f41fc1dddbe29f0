// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"net"
)

// hello is what a TLS handshake told of the other side; nil where there was none.
type hello struct {
	// asked is whether a client certificate was asked for; trusted are the authorities that it may come from, as far as told.
	asked   bool
	trusted []string
	// shown is the client certificate that was sent.
	shown *x509.Certificate
}

// dial opens a connection to address and does the TLS handshake if there is to be one: both are ours, so that they end with the
// context, that their errors can be explained, and that what the guard watches is Kafka's protocol and not TLS.
func (c *Client) dial(ctx context.Context, address string) (net.Conn, *hello, error) {
	tcp, err := c.opts.Dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, nil, err
	}
	if c.opts.TLS == nil {
		return tcp, nil, nil
	}
	h := &hello{}
	secured := tls.Client(tcp, h.watch(c.opts.TLS, address))
	if err := secured.HandshakeContext(ctx); err != nil {
		_ = tcp.Close()
		return nil, nil, c.explainTLS(ctx, address, h, err)
	}
	return secured, h, nil
}

// watch gives the configuration for one handshake, which fills in h.
func (h *hello) watch(shared *tls.Config, address string) *tls.Config {
	config := shared.Clone()
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(address)
	}
	config.GetClientCertificate = func(request *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		h.asked = true
		for _, raw := range request.AcceptableCAs {
			h.trusted = append(h.trusted, distinguishedName(raw))
		}
		// What Go does without this function: the first certificate that the server says it takes, or none.
		for i := range shared.Certificates {
			if request.SupportsCertificate(&shared.Certificates[i]) == nil {
				h.shown = shared.Certificates[i].Leaf
				return &shared.Certificates[i], nil
			}
		}
		return &tls.Certificate{}, nil
	}
	return config
}

// distinguishedName is the text of a name in DER.
func distinguishedName(raw []byte) string {
	var name pkix.RDNSequence
	if _, err := asn1.Unmarshal(raw, &name); err != nil {
		return "an unreadable name"
	}
	return name.String()
}
