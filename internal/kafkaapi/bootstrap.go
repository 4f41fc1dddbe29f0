// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/IBM/sarama"
)

// headStart is what an address gets before the next one is tried beside it: a dead entry costs no more than this.
const headStart = time.Second

// answerAt is a cluster as described over a connection to an address; sentence says what was found there instead.
type answerAt struct {
	address  string
	conn     *conn
	cluster  Cluster
	sentence string
	// refused is there where the credentials are no good: then other addresses are not asked.
	refused *AuthenticationError
	// blamed is what the attempt's error blames, see Blamed.
	blamed string
}

// askAddresses asks at the addresses for the cluster, one after the other and the next one early when one is slow; the first
// answer wins. The error is a *ConnectError with a sentence for each address.
func (c *Client) askAddresses(ctx context.Context, addresses []string) (answerAt, error) {
	if len(addresses) == 0 {
		return answerAt{}, &ConnectError{Attempts: []string{"there is no bootstrap server to ask"}}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan answerAt)
	start := func(address string) {
		c.background.Go(func() {
			a := c.askAddress(ctx, address)
			select {
			case answers <- a:
			case <-ctx.Done():
				if a.conn != nil {
					c.discard(a.conn)
				}
			}
		})
	}
	start(addresses[0])
	sentences := make(map[string]string, len(addresses))
	blamed := make(map[string]bool)
	timer := time.NewTimer(headStart)
	defer timer.Stop()
	for next := 1; len(sentences) < len(addresses); {
		select {
		case a := <-answers:
			if a.conn != nil {
				return a, nil
			}
			if a.refused != nil {
				return answerAt{}, a.refused
			}
			sentences[a.address] = a.sentence
			blamed[a.blamed] = true
		case <-timer.C:
		case <-ctx.Done():
			return answerAt{}, context.Cause(ctx)
		}
		if next < len(addresses) {
			start(addresses[next])
			next++
			timer.Reset(headStart)
		}
	}
	return answerAt{}, &ConnectError{Attempts: inOrder(addresses, sentences), blamed: common(blamed)}
}

func inOrder(addresses []string, sentences map[string]string) []string {
	all := make([]string, 0, len(addresses))
	for _, a := range addresses {
		all = append(all, sentences[a])
	}
	return slices.Compact(all)
}

// askAddress connects to one address and asks for the cluster, all within the request timeout.
func (c *Client) askAddress(ctx context.Context, address string) answerAt {
	ctx, cancel := context.WithTimeoutCause(ctx, c.opts.RequestTimeout, errNoAnswer)
	defer cancel()
	start := time.Now()
	cn, err := c.open(ctx, address)
	if err != nil {
		note(ctx, Broker{ID: -1, Address: address}, sending{request: "ApiVersions", start: start}, err)
		var refused *AuthenticationError
		errors.As(err, &refused)
		return answerAt{address: address, sentence: c.sentence(address, "ApiVersions", err), refused: refused, blamed: Blamed(err)}
	}
	cluster, err := roundTrip(ctx, c, cn, describeCluster)
	note(ctx, Broker{ID: -1, Address: address}, sending{request: "DescribeCluster", start: start, sent: cn.raw.sent.Load(), received: cn.raw.received.Load()}, err)
	if err != nil {
		c.discard(cn)
		err = c.afterVersions(ctx, address, err)
		return answerAt{address: address, sentence: c.sentence(address, "DescribeCluster", err), blamed: Blamed(err)}
	}
	return answerAt{address: address, conn: cn, cluster: cluster}
}

// sentence says what was found at an address, in words that tell what to look at.
func (c *Client) sentence(address, request string, err error) string {
	return address + ": " + c.reason(request, err)
}

// reason words a transport error for people.
func (c *Client) reason(request string, err error) string {
	var dns *net.DNSError
	var op *net.OpError
	var found *diagnosis
	switch {
	case errors.As(err, &found):
		return found.sentence
	case errors.Is(err, errNoAnswer):
		return fmt.Sprintf("no answer to %s within %s", request, c.opts.RequestTimeout)
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Sprintf("the name %q cannot be resolved", dns.Name)
	case errors.As(err, &dns):
		return fmt.Sprintf("resolving the name %q failed: %s", dns.Name, dns.Err)
	case errors.Is(err, errNotKafka):
		return "what answers there does not speak Kafka's protocol"
	case errors.As(err, &op) && op.Op == "dial":
		// The address is named before it; the system's own words ("connect: connection refused") are what people search for.
		return strings.TrimPrefix(op.Err.Error(), "connect: ")
	case isClosed(err):
		return "the connection was closed before " + request + " was answered"
	default:
		return err.Error()
	}
}

// afterVersions explains a connection that is closed by a broker that just answered ApiVersions.
func (c *Client) afterVersions(ctx context.Context, address string, err error) error {
	if isClosed(err) && c.opts.SASL == nil && ctx.Err() == nil {
		if offered := c.probeSASL(ctx, address); len(offered) > 0 {
			return diagnose(blameSASL, err, "the listener wants SASL authentication, and the provider's sasl is not set; it offers %s", strings.Join(offered, ", "))
		}
		return errors.New("the broker answered ApiVersions and then closed the connection")
	}
	if errors.Is(err, sarama.ErrUnsupportedVersion) {
		return errors.New("the broker offers neither DescribeCluster nor Metadata in a version that is known here")
	}
	return err
}
