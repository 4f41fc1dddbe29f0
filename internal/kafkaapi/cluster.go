// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/IBM/sarama"
)

const (
	// maxClusterAge is how long the list of live brokers serves. A broker that leaves shows earlier, by failing.
	maxClusterAge = time.Minute
	// minClusterAge keeps many calls for one absent broker from asking again each.
	minClusterAge = time.Second
	// noTopic is no possible topic name: asked for in Metadata, it brings the brokers and can create nothing. An empty list of
	// names would bring the metadata of every topic.
	noTopic = "?"
)

// discovered is what is known of the cluster, when it was asked, and through which address.
type discovered struct {
	cluster Cluster
	at      time.Time
	via     string
	// doubted is set when a broker failed since.
	doubted bool
}

// cluster gives what is known if it is not older than maxAge, and asks otherwise. Concurrent calls share one question.
func (c *Client) cluster(ctx context.Context, maxAge time.Duration) (Cluster, error) {
	known := c.snapshot()
	age := time.Since(known.at)
	if len(known.cluster.Brokers) > 0 && age < maxAge && (!known.doubted || age < minClusterAge) {
		return known.cluster, nil
	}
	return together(ctx, c, "cluster", c.discover)
}

// together asks a question once for all who want its answer at the moment.
func together[A any](ctx context.Context, c *Client, question string, ask func(ctx context.Context) (A, error)) (A, error) {
	type outcome struct {
		answer A
		err    error
	}
	done := make(chan outcome, 1)
	c.background.Go(func() {
		v, err, _ := c.discovery.Do(question, func() (any, error) {
			// The answer serves everybody who waits: it outlives the call that asks. Close ends it all the same.
			shared, cancel := c.untilClosed(context.WithoutCancel(ctx))
			defer cancel()
			return ask(shared)
		})
		answer, _ := v.(A)
		done <- outcome{answer, err}
	})
	select {
	case o := <-done:
		return o.answer, o.err
	case <-ctx.Done():
		var none A
		return none, fmt.Errorf("connecting to the Kafka cluster: %w", context.Cause(ctx))
	}
}

// untilClosed gives a context that also ends with Close.
func (c *Client) untilClosed(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.alive, func() { cancel(errClosed) })
	return ctx, func() { stop(); cancel(nil) }
}

// snapshot is what is known at this moment.
func (c *Client) snapshot() discovered {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known
}

// doubt makes the next call ask for the live brokers again.
func (c *Client) doubt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known.doubted = true
}

// discover asks for the live brokers, at those already known or else at the bootstrap addresses.
func (c *Client) discover(ctx context.Context) (Cluster, error) {
	found, err := c.askAddresses(ctx, c.addresses())
	if err != nil {
		return Cluster{}, err
	}
	cluster := found.cluster
	if c.opts.ClusterID != "" && cluster.ID != c.opts.ClusterID {
		c.discard(found.conn)
		return Cluster{}, &WrongClusterError{Want: c.opts.ClusterID, Got: cluster.ID}
	}
	c.mu.Lock()
	c.known = discovered{cluster: cluster, at: time.Now(), via: found.address}
	c.mu.Unlock()
	c.keep(found)
	return cluster, nil
}

// addresses are where to ask: live brokers that did not fail lately, then the bootstrap servers.
func (c *Client) addresses() []string {
	var all []string
	for _, b := range c.snapshot().cluster.Brokers {
		if !c.pool(b.ID).penalised() {
			all = append(all, b.Address)
		}
	}
	for _, address := range c.opts.BootstrapServers {
		if !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	return all
}

// keep saves the connection for the broker that advertises the address it leads to; there is none behind a load balancer.
func (c *Client) keep(found answerAt) {
	for _, b := range found.cluster.Brokers {
		if b.Address != found.address {
			continue
		}
		c.mu.Lock()
		if c.favourite < 0 {
			c.favourite = b.ID
		}
		c.mu.Unlock()
		c.pool(b.ID).push(found.conn)
		return
	}
	c.discard(found.conn)
}

// describeCluster asks over one connection for the cluster's id and live brokers.
func describeCluster(b *sarama.Broker) (Cluster, error) {
	request := sarama.NewDescribeClusterRequest(sarama.MaxVersion)
	request.IncludeFencedBrokers = false
	answer, err := b.DescribeCluster(request)
	switch {
	case err == nil && answer.Err == sarama.ErrNoError:
		return clusterOf(answer)
	case err == nil && answer.Err != sarama.ErrUnsupportedVersion:
		return Cluster{}, fmt.Errorf("DescribeCluster: %s", codeName(int16(answer.Err)))
	case err != nil && !errors.Is(err, sarama.ErrUnsupportedVersion):
		return Cluster{}, err
	}
	metadata, err := b.GetMetadata(sarama.NewMetadataRequest(sarama.MaxVersion, []string{noTopic}))
	if err != nil {
		return Cluster{}, err
	}
	return clusterOfMetadata(metadata)
}

// clusterOf converts the answer of DescribeCluster.
func clusterOf(answer *sarama.DescribeClusterResponse) (Cluster, error) {
	cluster := Cluster{ID: answer.ClusterID, ControllerID: answer.ControllerID}
	for _, b := range answer.Brokers {
		if b == nil || b.IsFenced {
			continue
		}
		cluster.Brokers = append(cluster.Brokers, brokerOf(b))
	}
	return sorted(cluster)
}

func brokerOf(b *sarama.DescribeClusterBroker) Broker {
	broker := Broker{ID: b.BrokerID, Address: net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))}
	if b.Rack != nil {
		broker.Rack = *b.Rack
	}
	return broker
}

// clusterOfMetadata converts the answer of Metadata.
func clusterOfMetadata(answer *sarama.MetadataResponse) (Cluster, error) {
	cluster := Cluster{ControllerID: answer.ControllerID}
	if answer.ClusterID != nil {
		cluster.ID = *answer.ClusterID
	}
	for _, b := range answer.Brokers {
		if b != nil {
			cluster.Brokers = append(cluster.Brokers, Broker{ID: b.ID(), Address: b.Addr(), Rack: b.Rack()})
		}
	}
	return sorted(cluster)
}

// sorted puts the brokers in order of their ids; a cluster without any is one that is just starting.
func sorted(cluster Cluster) (Cluster, error) {
	if len(cluster.Brokers) == 0 {
		return Cluster{}, errors.New("the broker names no live brokers")
	}
	slices.SortFunc(cluster.Brokers, func(a, b Broker) int { return cmp.Compare(a.ID, b.ID) })
	return cluster, nil
}
