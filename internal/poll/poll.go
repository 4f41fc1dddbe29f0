// SPDX-License-Identifier: MPL-2.0

// Package poll waits for what the brokers come to agree on.
package poll

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
)

var errNotYet = errors.New("not yet")

// Until asks done again and again, at once and then with pauses that grow from first to last, until it says true or gives an error.
// At the end of the context it gives the context's cause.
func Until(ctx context.Context, first, last time.Duration, done func() (bool, error)) error {
	return until(ctx, first, last, done)
}

// Soon is [Until] for what is sure to come within moments: it begins with a pause, as the first question would mostly be for nothing.
func Soon(ctx context.Context, first, last time.Duration, done func() (bool, error)) error {
	early := true
	return until(ctx, first, last, func() (bool, error) {
		if early {
			early = false
			return false, nil
		}
		return done()
	})
}

func until(ctx context.Context, first, last time.Duration, done func() (bool, error)) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = first, last
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		switch ok, err := done(); {
		case err != nil:
			return struct{}{}, backoff.Permanent(err)
		case !ok:
			return struct{}{}, errNotYet
		}
		return struct{}{}, nil
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(0))
	return err
}
