// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/IBM/sarama"
)

// errNoAnswer: the broker took the request and did not answer in time.
var errNoAnswer = errors.New("no answer in time")

// errUndecodable: the library stumbled over the answer.
var errUndecodable = errors.New("the answer cannot be decoded")

// isUndecodable reports whether the answer came and makes no sense; asking again brings no other.
func isUndecodable(err error) bool {
	var decoding sarama.PacketDecodingError
	return errors.Is(err, errUndecodable) || errors.As(err, &decoding) || errors.Is(err, sarama.ErrInsufficientData)
}

// conn is one connection to one broker, used by one request at a time: the library holds a lock for a whole round trip, and
// after a timeout or an abandoned request nothing that comes over the connection can be trusted any more.
type conn struct {
	address string
	raw     *guardConn
	broker  *sarama.Broker
	// used is whether it has carried a request before: then the broker may have closed it for being idle.
	used     bool
	lastUsed time.Time
}

// onceDialer hands an open connection to the library, so that dialling stays ours: its context, its errors, and no redial.
type onceDialer struct{ conn net.Conn }

func (d onceDialer) Dial(string, string) (net.Conn, error) { return d.conn, nil }

// baseConfig is the part of the library's configuration that all connections share.
func baseConfig(opts Options) *sarama.Config {
	conf := sarama.NewConfig()
	conf.Version = sarama.MaxVersion
	conf.ClientID = opts.ClientID
	conf.Metadata.AllowAutoTopicCreation = false
	// Ours end a try; these are only behind them.
	conf.Net.DialTimeout = 2 * opts.RequestTimeout
	conf.Net.ReadTimeout = 2 * opts.RequestTimeout
	conf.Net.WriteTimeout = 2 * opts.RequestTimeout
	if opts.SASL != nil {
		opts.SASL.configure(conf)
	}
	return conf
}

// dialError is a connection that could not be opened: nothing was sent.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

// answersWithSASL are at least those to ApiVersions, SaslHandshake and SaslAuthenticate.
const answersWithSASL = 3

// open connects to address, negotiates versions and authenticates. Errors are *dialError, as no request has been sent.
func (c *Client) open(ctx context.Context, address string) (*conn, error) {
	if err := c.refused.recent(); err != nil {
		return nil, &dialError{err}
	}
	stream, hello, err := c.dial(ctx, address)
	if err != nil {
		return nil, &dialError{err}
	}
	conf := *c.config
	raw := &guardConn{Conn: stream}
	conf.Net.Proxy.Enable = true
	conf.Net.Proxy.Dialer = onceDialer{raw}
	cn := &conn{address: address, raw: raw, broker: sarama.NewBroker(address), lastUsed: time.Now()}
	if err := cn.broker.Open(&conf); err != nil {
		_ = stream.Close()
		return nil, &dialError{err}
	}
	_, err = roundTrip(ctx, c, cn, func(b *sarama.Broker) (bool, error) {
		// Waits for ApiVersions and SASL, which Open sends behind our back.
		ok, err := b.Connected()
		if err == nil && !ok {
			err = sarama.ErrNotConnected
		}
		return ok, err
	})
	switch {
	case err == nil && raw.foreign.Load():
		err = errNotKafka
	case err == nil && c.opts.SASL != nil && raw.answers() < answersWithSASL:
		// The library stumbled on the way, and takes the connection for open all the same.
		err = errUndecodable
	}
	if err != nil {
		c.discard(cn)
		err = c.explain(ctx, address, raw, hello, err)
		c.refused.note(err)
		return nil, &dialError{err}
	}
	raw.forget()
	return cn, nil
}

// roundTrip runs f, which talks over the connection, and leaves it at once when the context ends; the connection must not be
// used again after any error. The context's end comes back as its own error.
func roundTrip[R any](ctx context.Context, c *Client, cn *conn, f func(*sarama.Broker) (R, error)) (R, error) {
	type outcome struct {
		answer R
		err    error
	}
	done := make(chan outcome, 1)
	c.background.Go(func() {
		var o outcome
		// The library decodes in our goroutine; whatever a broker answers must not end the provider.
		defer func() {
			if r := recover(); r != nil {
				o.err = fmt.Errorf("%w: %v", errUndecodable, r)
			}
			done <- o
		}()
		o.answer, o.err = f(cn.broker)
	})
	select {
	case o := <-done:
		return o.answer, o.err
	case <-ctx.Done():
		// Ends the reads and writes that the library waits in, and keeps what was not sent yet from being sent.
		_ = cn.raw.Close()
		var none R
		return none, context.Cause(ctx)
	}
}

// discard closes a connection for good. The library's Close may wait for a lock, so nobody waits for it but Client.Close.
func (c *Client) discard(cn *conn) {
	_ = cn.raw.Close()
	c.background.Go(func() { _ = cn.broker.Close() })
}
