// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"time"
)

// explainTLS words the failure of a TLS handshake.
func (c *Client) explainTLS(ctx context.Context, address string, h *hello, err error) error {
	if ctx.Err() != nil {
		cause := context.Cause(ctx)
		if errors.Is(cause, errNoAnswer) {
			return diagnose(blameTLS, cause, "the TLS handshake was not answered within %s", c.opts.RequestTimeout)
		}
		return cause
	}
	var untrusted *tls.CertificateVerificationError
	var noTLS tls.RecordHeaderError
	switch {
	case errors.As(err, &untrusted) && len(untrusted.UnverifiedCertificates) > 0:
		return c.explainCertificate(untrusted.UnverifiedCertificates[0], err)
	case errors.As(err, &noTLS) || isClosed(err):
		if c.probePlain(ctx, address) {
			return diagnose(blameTLS, err, "the port speaks Kafka's protocol in plain text, but the provider's tls is on")
		}
		if !isClosed(err) {
			return diagnose(blameTLS, err, "what answers there does not speak TLS, and the provider's tls is on")
		}
	}
	if refused := explainClientCertificate(c.opts.TLS, h, err); refused != nil {
		return refused
	}
	if isClosed(err) {
		return diagnose(blameTLS, err, "the connection was closed during the TLS handshake")
	}
	return diagnose(blameTLS, err, "the TLS handshake failed: %s", cmp.Or(alertOf(err), strings.TrimPrefix(oneLine(err.Error()), "tls: ")))
}

// explainCertificate says what is wrong with the broker's certificate, and whose it is.
func (c *Client) explainCertificate(cert *x509.Certificate, err error) error {
	var unknown x509.UnknownAuthorityError
	var wrong x509.HostnameError
	var invalid x509.CertificateInvalidError
	whose := certificateNames(cert) + ", issued by " + cert.Issuer.String()
	now := time.Now()
	switch {
	case errors.As(err, &unknown):
		trusted := "the system's authorities"
		if c.opts.TLS.RootCAs != nil {
			trusted = "the authorities of tls.ca_certificate"
		}
		return diagnose(blameTLS, err, "the certificate is not signed by any of %s: it is the %s", trusted, whose)
	case errors.As(err, &wrong) && len(cert.DNSNames)+len(cert.IPAddresses) == 0:
		// The host may well be in the subject's common name, which counts no more (RFC 6125), and tls.server_name does not help.
		return diagnose(blameTLS, err, "the certificate is for no host, as it has no subjectAltName: have one issued that has; it is the %s", whose)
	case errors.As(err, &wrong):
		return diagnose(blameTLS, err, "the certificate is not for %q: it is the %s", wrong.Host, whose)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && now.Before(cert.NotBefore):
		return diagnose(blameTLS, err, "the certificate is valid from %s only, and the clock of this machine says %s: correct the clock that is wrong; it is the %s",
			clock(cert.NotBefore), clock(now), whose)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return diagnose(blameTLS, err, "the certificate expired at %s, and the clock of this machine says %s: it is the %s", clock(cert.NotAfter), clock(now), whose)
	}
	return diagnose(blameTLS, err, "the certificate cannot be accepted: %s: it is the %s", strings.TrimPrefix(errors.Unwrap(err).Error(), "x509: "), whose)
}

func clock(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// explainClientCertificate words what a broker says of the client's certificate; nil where the error is another one.
func explainClientCertificate(config *tls.Config, h *hello, err error) error {
	if h == nil || !h.asked || alertOf(err) == "" && !isClosed(err) {
		return nil
	}
	reason := alertOf(err)
	if reason == "" {
		reason = "the connection was closed"
	}
	trusted := ""
	if len(h.trusted) > 0 {
		trusted = "; it takes certificates that are issued by " + strings.Join(h.trusted, " or ")
	}
	switch {
	case h.shown != nil:
		return diagnose(blameTLS, err, "the broker does not accept the client certificate of %s, issued by %s: %s%s", h.shown.Subject, h.shown.Issuer, reason, trusted)
	case len(config.Certificates) > 0:
		mine := config.Certificates[0].Leaf
		return diagnose(blameTLS, err, "the broker wants a client certificate of another authority than that of %s, issued by %s: %s%s", mine.Subject, mine.Issuer, reason, trusted)
	default:
		return diagnose(blameTLS, err, "the broker wants a client certificate, and tls.client_certificate is not set: %s%s", reason, trusted)
	}
}

// alertOf is the alert that the other side ended TLS with, empty for every other error.
func alertOf(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "remote error" {
		return "TLS alert " + strings.TrimPrefix(op.Err.Error(), "tls: ")
	}
	return ""
}
