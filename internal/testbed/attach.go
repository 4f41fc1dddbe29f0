// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The variables through which a cluster is handed to another process, for example from `testbed run` to the tests of each package.
const (
	EnvBootstrapServers = "TESTBED_BOOTSTRAP_SERVERS" // host:port, comma-separated
	EnvDir              = "TESTBED_DIR"               // the cluster's directory, where its logs are
	EnvVersion          = "TESTBED_KAFKA_VERSION"     // the Kafka version that runs
)

// Environment has the variables, as NAME=value, with which another process finds this cluster.
func (c *Cluster) Environment() []string {
	return []string{
		EnvBootstrapServers + "=" + strings.Join(c.BootstrapServers(), ","),
		EnvDir + "=" + c.dir,
		EnvVersion + "=" + c.options.Version,
	}
}

// attach finds a cluster that another process started. Its brokers can be used and not be stopped.
func attach(ctx context.Context) (*Cluster, error) {
	servers := strings.Split(os.Getenv(EnvBootstrapServers), ",")
	client, err := kgo.NewClient(kgo.SeedBrokers(servers...))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EnvBootstrapServers, err)
	}
	defer client.Close()
	request := kmsg.NewPtrMetadataRequest()
	request.Topics = []kmsg.MetadataRequestTopic{}
	metadata, err := request.RequestWith(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("ask the cluster at %s=%s: %w", EnvBootstrapServers, strings.Join(servers, ","), err)
	}
	c := &Cluster{options: Options{Version: os.Getenv(EnvVersion)}, dir: os.Getenv(EnvDir)}
	if metadata.ClusterID != nil {
		c.id = *metadata.ClusterID
	}
	for _, b := range metadata.Brokers {
		broker := Broker{ID: int(b.NodeID), Address: net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))}
		if b.Rack != nil {
			broker.Rack = *b.Rack
		}
		c.attached = append(c.attached, broker)
	}
	slices.SortFunc(c.attached, func(a, b Broker) int { return a.ID - b.ID })
	return c, nil
}
