// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"net"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// namesBrokers reports whether the answers of an API have addresses of brokers: Produce and Fetch (for a new leader), Metadata,
// FindCoordinator, DescribeCluster.
func namesBrokers(key int16) bool {
	switch key {
	case 0, 1, 3, 10, 60:
		return true
	}
	return false
}

// rewrite replaces the addresses of brokers by those of their proxies, so that the client that reads them stays on the proxies.
func (r *Recorder) rewrite(response kmsg.Response) error {
	switch v := response.(type) {
	case *kmsg.MetadataResponse:
		for i := range v.Brokers {
			if err := r.replace(v.Brokers[i].NodeID, &v.Brokers[i].Host, &v.Brokers[i].Port); err != nil {
				return err
			}
		}
	case *kmsg.DescribeClusterResponse:
		for i := range v.Brokers {
			if err := r.replace(v.Brokers[i].NodeID, &v.Brokers[i].Host, &v.Brokers[i].Port); err != nil {
				return err
			}
		}
	case *kmsg.FindCoordinatorResponse:
		for i := range v.Coordinators {
			if err := r.replace(v.Coordinators[i].NodeID, &v.Coordinators[i].Host, &v.Coordinators[i].Port); err != nil {
				return err
			}
		}
		return r.replace(v.NodeID, &v.Host, &v.Port)
	case *kmsg.ProduceResponse:
		for i := range v.Brokers {
			if err := r.replace(v.Brokers[i].NodeID, &v.Brokers[i].Host, &v.Brokers[i].Port); err != nil {
				return err
			}
		}
	case *kmsg.FetchResponse:
		for i := range v.Brokers {
			if err := r.replace(v.Brokers[i].NodeID, &v.Brokers[i].Host, &v.Brokers[i].Port); err != nil {
				return err
			}
		}
	}
	return nil
}

// replace makes host and port those of the broker's proxy. A broker that joined after the recorder gets its proxy now.
func (r *Recorder) replace(id int32, host *string, port *int32) error {
	if id < 0 || *host == "" {
		return nil // no such broker, for example no coordinator
	}
	p, err := r.proxyFor(int(id), net.JoinHostPort(*host, strconv.Itoa(int(*port))))
	if err != nil {
		return fmt.Errorf("proxy for broker %d: %w", id, err)
	}
	*host, *port = loopback, int32(p.port)
	return nil
}
