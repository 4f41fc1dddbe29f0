// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
)

// diagnosis is a failure to connect in words for people, without the address; err is what it was made of.
type diagnosis struct {
	sentence string
	err      error
}

func (d *diagnosis) Error() string { return d.sentence }
func (d *diagnosis) Unwrap() error { return d.err }

func diagnose(err error, format string, args ...any) error {
	return &diagnosis{sentence: fmt.Sprintf(format, args...), err: err}
}

// explain looks closer at a connection that was opened, and then ended before it could be used.
func (c *Client) explain(ctx context.Context, address string, raw *guardConn, h *hello, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
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
		return diagnose(err, "the port speaks TLS (%s), but the provider speaks plain text to it", certificateNames(cert))
	}
	return err
}
