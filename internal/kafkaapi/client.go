// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/IBM/sarama"
	"golang.org/x/sync/singleflight"
)

// errClosed is what calls get after Close, and calls that Close found under way.
var errClosed = errors.New("the Kafka client is closed")

// Client is one process's access to one cluster. It connects on first use, is safe for concurrent use, and is shared by all
// resources of a run. A failed first connection is not remembered: the next call tries again.
type Client struct {
	opts   Options
	config *sarama.Config

	// alive ends with Close; calls and background count what Close waits for.
	alive      context.Context
	kill       context.CancelCauseFunc
	calls      sync.WaitGroup
	background sync.WaitGroup
	discovery  singleflight.Group

	mu     sync.Mutex
	closed bool
	known  discovered
	pools  map[int32]*pool
	// favourite is the broker that last answered a request that any could.
	favourite int32
	// kraft is whether the cluster is one of KRaft, nil until somebody wants to know.
	kraft *bool

	lanes lanes
	// configsAhead are those of each kind of question, ownNames the topics that they fetch from.
	configsAhead map[string]*ahead[EntityConfigs]
	ownNames     []string
	descriptions *coalescer[string, TopicDescription]
	layouts      *coalescer[string, Layout]
	layoutsAhead *ahead[Layout]
	registered   registeredAt
	refused      lastRefusal
	// lastToken is the token that was shown last, to be explained where it is refused.
	lastToken atomic.Pointer[string]
	// tokensAsked is how many wait for a token at the moment.
	tokensAsked atomic.Int32
}

// NewClient gives a client that has not connected yet. It never fails and sends nothing.
func NewClient(opts Options) *Client {
	opts = opts.withDefaults()
	alive, kill := context.WithCancelCause(context.Background())
	c := &Client{opts: opts, config: baseConfig(opts), alive: alive, kill: kill, pools: map[int32]*pool{}, favourite: -1, lanes: newLanes()}
	c.logLibrary()
	c.config.Net.SASL.TokenProvider = tokenProvider{c}
	c.configsAhead = map[string]*ahead[EntityConfigs]{}
	c.descriptions = c.newDescriptions()
	c.layouts, c.layoutsAhead, c.lanes.layoutLanes = c.newLayouts(), c.newLayoutsAhead(), c.newLayoutLanes()
	return c
}

// Close ends all connections. Calls after it fail, calls under way end with an error.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.kill(errClosed)
	c.calls.Wait()
	c.background.Wait()
	c.mu.Lock()
	pools := c.pools
	c.pools = map[int32]*pool{}
	c.mu.Unlock()
	for _, p := range pools {
		for _, cn := range p.drain() {
			c.discard(cn)
		}
	}
	c.background.Wait()
	return nil
}

// begin opens a call: its context also ends with Close. The returned function must be called at the call's end.
func (c *Client) begin(ctx context.Context) (context.Context, func(), error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, context.Cause(ctx)
	}
	c.calls.Add(1)
	ctx, stop := c.untilClosed(ctx)
	return ctx, func() { stop(); c.calls.Done() }, nil
}

// Cluster gives the cluster's id and its live brokers (DescribeCluster 60, else Metadata 3; never the metadata of all topics).
// The answer may be up to a minute old, unless a broker failed since.
func (c *Client) Cluster(ctx context.Context) (Cluster, error) {
	ctx, end, err := c.begin(ctx)
	if err != nil {
		return Cluster{}, err
	}
	defer end()
	return c.cluster(ctx, maxClusterAge)
}
