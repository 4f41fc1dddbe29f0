// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// failure remembers that a broker failed, so that others are asked first, and words the error.
func (c *Client) failure(b Broker, request string, err error) *BrokerError {
	p := c.pool(b.ID)
	var idle *idleError
	if !errors.As(err, &idle) {
		p.penalise()
		c.doubt()
	}
	// The idle connections to it have most likely died with this one.
	for _, cn := range p.drain() {
		c.discard(cn)
	}
	failed := &BrokerError{Broker: b.ID, Address: b.Address, Request: request}
	if errors.Is(err, errNoAnswer) {
		failed.Timeout = c.opts.RequestTimeout
	}
	failed.Err = &transportError{reason: c.reason(request, err), err: err}
	var dial *dialError
	if errors.As(err, &dial) {
		failed.Err = &unreachableError{reason: c.reason(request, err), broker: b, via: c.foundThrough(b), err: err}
	}
	return failed
}

// foundThrough is the address through which the cluster was found, empty where the broker's own address is known to be right.
func (c *Client) foundThrough(b Broker) string {
	if c.pool(b.ID).wasReached() || slices.Contains(c.opts.BootstrapServers, b.Address) {
		return ""
	}
	return c.snapshot().via
}

// transportError is what went wrong on a connection, in words for people.
type transportError struct {
	reason string
	err    error
}

func (e *transportError) Error() string { return e.reason }
func (e *transportError) Unwrap() error { return e.err }

// unreachableError is an advertised address that could not be connected to.
type unreachableError struct {
	reason string
	broker Broker
	// via is the address through which the cluster was found, empty where that explains nothing.
	via string
	err error
}

func (e *unreachableError) Error() string {
	if e.via == "" {
		return e.reason
	}
	return fmt.Sprintf("%s (the broker advertises this address; the cluster was found through %s)", e.reason, e.via)
}

func (e *unreachableError) Unwrap() error { return e.err }

// exhausted is the error of a request that no broker answered. Where not one could be connected to it is a *ConnectError: the
// usual case is a cluster that advertises addresses which cannot be reached from here.
func exhausted(b Broker, failures map[int32]error) error {
	if len(failures) < 2 {
		for _, err := range failures {
			return err
		}
	}
	var sentences []string
	blamed := make(map[string]bool)
	for _, id := range slices.Sorted(maps.Keys(failures)) {
		var unreachable *unreachableError
		if !errors.As(failures[id], &unreachable) {
			return failures[b.ID]
		}
		sentences = append(sentences, fmt.Sprintf("broker %d at %s: %s", id, unreachable.broker.Address, unreachable))
		blamed[Blamed(unreachable)] = true
	}
	return &ConnectError{Attempts: sentences, blamed: common(blamed)}
}
