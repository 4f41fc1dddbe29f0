// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"slices"
	"strconv"
)

// target says which broker must answer a request.
type target struct {
	kind targetKind
	id   int32
}

type targetKind int

const (
	// toAny: every broker has the answer.
	toAny targetKind = iota
	// toBroker: only the broker with the id has it.
	toBroker
	// toController: without KRaft only the controller; with it any broker passes the request on.
	toController
)

// targetOf is where an entity's configs are asked for and altered: a named broker judges its own, any broker the rest.
func targetOf(e Entity) target {
	if e.Type == EntityBroker && e.Name != "" {
		// A name that is no id is refused by any broker, in its own words.
		if id, err := strconv.ParseInt(e.Name, 10, 32); err == nil {
			return target{kind: toBroker, id: int32(id)}
		}
	}
	return target{}
}

// maxTries is how often one broker is asked within one request.
const maxTries = 4

// route chooses the broker for each try of one request.
type route struct {
	target target
	spread bool
	tries  map[int32]int
	// looked is whether the live brokers were asked for again because the wanted one was not among them.
	looked bool
}

func newRoute(t target, spread bool) *route {
	return &route{target: t, spread: spread && t.kind == toAny, tries: map[int32]int{}}
}

// next gives the broker to ask and how often it was asked before; ok is false when all have had their tries.
func (r *route) next(ctx context.Context, c *Client, request string) (b Broker, before int, ok bool, err error) {
	cluster, err := c.cluster(ctx, maxClusterAge)
	if err != nil {
		return Broker{}, 0, false, err
	}
	if r.target.kind == toBroker {
		b, err = r.named(ctx, c, cluster, request)
		if err != nil {
			return Broker{}, 0, false, err
		}
	} else {
		b = r.choose(c, cluster)
	}
	before = r.tries[b.ID]
	return b, before, before < maxTries, nil
}

// named finds the one broker, asking for the live brokers once more if it is not among them.
func (r *route) named(ctx context.Context, c *Client, cluster Cluster, request string) (Broker, error) {
	find := func(cl Cluster) int {
		return slices.IndexFunc(cl.Brokers, func(b Broker) bool { return b.ID == r.target.id })
	}
	i := find(cluster)
	if i < 0 && !r.looked {
		r.looked = true
		var err error
		if cluster, err = c.cluster(ctx, minClusterAge); err != nil {
			return Broker{}, err
		}
		i = find(cluster)
	}
	if i < 0 {
		return Broker{}, &BrokerError{Broker: r.target.id, Request: request, Live: ids(cluster)}
	}
	return cluster.Brokers[i], nil
}

// choose takes the broker with the fewest tries, one without a penalty before one with, one with less to do where requests are spread, the
// controller if it is wanted, and otherwise the one that answered last, as a connection to it is open.
func (r *route) choose(c *Client, cluster Cluster) Broker {
	c.mu.Lock()
	favourite := c.favourite
	c.mu.Unlock()
	if r.target.kind == toController {
		favourite = cluster.ControllerID
	}
	rank := func(b Broker) int {
		p := c.pool(b.ID)
		n := r.tries[b.ID] * 16 * maxConnections
		if p.penalised() {
			n += 8 * maxConnections
		}
		if r.spread {
			n += 2 * p.busy()
			if p.throttled() {
				n += 4 * maxConnections
			}
		}
		if b.ID != favourite {
			n++
		}
		return n
	}
	return slices.MinFunc(cluster.Brokers, func(a, b Broker) int { return rank(a) - rank(b) })
}

// failed counts a try; a broker that did not answer in time is not asked again: it would cost the whole time once more.
func (r *route) failed(b Broker, timedOut bool) {
	r.tries[b.ID]++
	if timedOut {
		r.tries[b.ID] = maxTries
	}
}

func ids(cluster Cluster) []int32 {
	all := make([]int32, 0, len(cluster.Brokers))
	for _, b := range cluster.Brokers {
		all = append(all, b.ID)
	}
	return all
}
