// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"sync"
	"time"
)

// AuthenticationError says that the client's credentials are refused. No other broker is asked, and for half a minute none at all:
// a wrong password that is tried over and over locks accounts. It matches ErrAuthentication and ErrConnect.
type AuthenticationError struct {
	// Address is host:port of the broker.
	Address string
	// Reason is a sentence that shows no secret.
	Reason string
	err    error
}

func (e *AuthenticationError) Error() string {
	return "cannot connect to the Kafka cluster: " + e.Address + ": " + e.Reason
}

// Unwrap gives what the broker or the server of tokens said.
func (e *AuthenticationError) Unwrap() error { return e.err }

// Is matches ErrAuthentication and ErrConnect.
func (e *AuthenticationError) Is(target error) bool {
	return target == ErrAuthentication || target == ErrConnect
}

// refusalHolds is long enough for all that a plan asks at once, and short enough for an apply in which the user comes to be.
const refusalHolds = 30 * time.Second

// lastRefusal is the last time that the credentials were refused.
type lastRefusal struct {
	mu  sync.Mutex
	err *AuthenticationError
	at  time.Time
}

// recent gives a refusal that still holds, nil otherwise.
func (r *lastRefusal) recent() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil || time.Since(r.at) > refusalHolds {
		return nil
	}
	return r.err
}

// note remembers the error if it is a refusal.
func (r *lastRefusal) note(err error) {
	var refused *AuthenticationError
	if !errors.As(err, &refused) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != refused {
		r.err, r.at = refused, time.Now()
	}
}

// reauthentication explains an error of a session that had to be authenticated again before the request could be sent; nil for every
// other error.
func (c *Client) reauthentication(address string, err error) error {
	if err == nil {
		return nil
	}
	if refused := c.refusedBy(address, nil, err); refused != nil {
		c.refused.note(refused)
		return refused
	}
	var token *tokenError
	if errors.As(err, &token) {
		return c.explainToken(token)
	}
	return nil
}
