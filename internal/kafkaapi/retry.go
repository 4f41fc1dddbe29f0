// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// retriable reports whether the same request may succeed a moment later. NOT_CONTROLLER and BROKER_NOT_AVAILABLE are answers
// of ZooKeeper brokers between two controllers, LEADER_NOT_AVAILABLE comes for a topic that is being created, REQUEST_TIMED_OUT
// from a broker whose controller did not answer it, NETWORK_EXCEPTION from one that lost it, THROTTLING_QUOTA_EXCEEDED from the
// controller's mutation quota (KIP-599). UNKNOWN_TOPIC_OR_PARTITION is an answer, not a fault.
func retriable(code int16) bool {
	switch code {
	case codeLeaderNotAvailable, codeRequestTimedOut, codeBrokerNotAvailable, codeNetworkException, codeNotController,
		codeThrottlingQuotaExceeded:
		return true
	}
	return false
}

// uncertain reports whether a write that got this code may have been done all the same.
func uncertain(code int16) bool { return code == codeRequestTimedOut || code == codeNetworkException }

const (
	firstPause = 250 * time.Millisecond
	lastPause  = 5 * time.Second
	// quotaBudgets is how many request timeouts a controller's quota may slow one request: it should not fail a run.
	quotaBudgets = 10
)

// retries paces the tries of one request and ends them: a broker in trouble must not hang a plan.
type retries struct {
	start  time.Time
	budget time.Duration
	pause  *backoff.ExponentialBackOff
}

func (c *Client) newRetries() *retries {
	return (&retries{start: time.Now(), budget: c.opts.RequestTimeout}).fresh()
}

// fresh has the same end and begins with short pauses again, for a part of the work.
func (r *retries) fresh() *retries {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval, pause.Multiplier = firstPause, lastPause, 2
	return &retries{start: r.start, budget: r.budget, pause: pause}
}

// left reports whether there is time for another try.
func (r *retries) left() bool { return time.Since(r.start) < r.budget }

// wait pauses before the next try.
func (r *retries) wait(ctx context.Context) error { return sleep(ctx, r.pause.NextBackOff()) }

// extend lengthens the budget for an answer that asks to slow down.
func (r *retries) extend(c *Client) { r.budget = quotaBudgets * c.opts.RequestTimeout }
