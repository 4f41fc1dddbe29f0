// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
)

// What errors of connections blame: an attribute of the provider.
const (
	blameTLS  = "tls"
	blameSASL = "sasl"
)

// Blamed gives the attribute of the provider, "tls" or "sasl", that a failure to connect is about, whether its value is wrong or the
// broker is not as it says; empty where the address itself is as likely.
func Blamed(err error) string {
	var found *diagnosis
	var all *ConnectError
	switch {
	case errors.As(err, &found):
		return found.blamed
	case errors.As(err, &all):
		return all.blamed
	case errors.Is(err, ErrAuthentication):
		return blameSASL
	}
	return ""
}

// common gives the only member of a set, empty where there are others.
func common(blamed map[string]bool) string {
	if len(blamed) == 1 {
		for only := range blamed {
			return only
		}
	}
	return ""
}

// diagnosis is a failure to connect in words for people, without the address; err is what it was made of.
type diagnosis struct {
	blamed   string
	sentence string
	err      error
}

func (d *diagnosis) Error() string { return d.sentence }
func (d *diagnosis) Unwrap() error { return d.err }

func diagnose(blamed string, err error, format string, args ...any) error {
	return &diagnosis{blamed: blamed, sentence: fmt.Sprintf(format, args...), err: err}
}

// explain looks closer at a connection that was opened, and then ended before it could be used.
func (c *Client) explain(ctx context.Context, address string, raw *guardConn, h *hello, err error) error {
	if ctx.Err() != nil {
		return c.late(raw, context.Cause(ctx))
	}
	if raw.foreign.Load() {
		err = errNotKafka
	}
	// With TLS 1.3 a broker judges the client's certificate when the client takes the handshake for done.
	if refused := explainClientCertificate(c.opts.TLS, h, err); refused != nil {
		return refused
	}
	if c.opts.SASL != nil && raw.answers() > 0 {
		return c.explainSASL(address, raw, err)
	}
	if c.opts.TLS != nil || !errors.Is(err, errNotKafka) && !isClosed(err) {
		return err
	}
	if cert := c.probeTLS(ctx, address); cert != nil {
		return diagnose(blameTLS, err, "the port speaks TLS (%s), but the provider speaks plain text to it", certificateNames(cert))
	}
	return err
}

// late says what was waited for when the time of a connection ran out: after the answer to ApiVersions it is no longer that.
func (c *Client) late(raw *guardConn, cause error) error {
	switch {
	case !errors.Is(cause, errNoAnswer) || c.opts.SASL == nil || raw.answers() == 0:
		return cause
	case c.tokensAsked.Load() > 0:
		return c.explainToken(&tokenError{cause})
	}
	return diagnose(blameSASL, cause, "the authentication with %s was not over within %s", c.opts.SASL.Mechanism, c.opts.RequestTimeout)
}
