// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// pollInterval is the pause between two questions to a broker that is not there yet.
const pollInterval = 100 * time.Millisecond

// waitReady returns when each of the nodes, asked itself, names all expected brokers and a controller. A server that ends ends the wait.
func waitReady(ctx context.Context, nodes []*node, want []int) error {
	for _, n := range nodes {
		if !n.isBroker {
			continue
		}
		if err := waitNode(ctx, n, want); err != nil {
			return err
		}
	}
	return nil
}

func waitNode(ctx context.Context, n *node, want []int) error {
	address := fmt.Sprintf("%s:%d", loopback, n.port)
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.DialTimeout(time.Second), kgo.RequestRetries(0))
	if err != nil {
		return err
	}
	defer client.Close()
	seed := client.SeedBrokers()[0]
	var last error
	for {
		if last = knows(ctx, seed, n.env["CLUSTER_ID"], want); last == nil {
			return nil
		}
		if portTaken(n.logFile()) {
			return &startError{id: n.id, log: n.logFile(), portTaken: true} // it would take seconds to end by itself
		}
		select {
		case <-n.done():
			return &startError{id: n.id, log: n.logFile()}
		case <-ctx.Done():
			return fmt.Errorf("broker %d at %s is not ready: %w (%w); its log is %s", n.id, address, ctx.Err(), last, n.logFile())
		case <-time.After(pollInterval):
		}
	}
}

// knows reports why a broker's view of the cluster is not complete, nil if it is. Metadata names live, unfenced brokers only. Who
// answers must be of this cluster, as another one with brokers of the same ids may have taken the port first; with ZooKeeper, which
// gives a cluster its id, cluster is empty and not compared.
func knows(ctx context.Context, broker *kgo.Broker, cluster string, want []int) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request := kmsg.NewPtrMetadataRequest()
	request.Topics = []kmsg.MetadataRequestTopic{}
	metadata, err := metadataOf(ctx, broker, request)
	if err != nil {
		return err
	}
	if id := metadata.ClusterID; cluster != "" && (id == nil || *id != cluster) {
		return fmt.Errorf("a broker of another cluster answers there")
	}
	var got []int
	for _, b := range metadata.Brokers {
		got = append(got, int(b.NodeID))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("it knows brokers %v of %v", got, want)
	}
	if metadata.ControllerID < 0 {
		return fmt.Errorf("it knows no controller")
	}
	return nil
}

// metadataOf asks one broker.
func metadataOf(ctx context.Context, broker *kgo.Broker, request *kmsg.MetadataRequest) (*kmsg.MetadataResponse, error) {
	response, err := broker.Request(ctx, request)
	if err != nil {
		return nil, err
	}
	metadata, ok := response.(*kmsg.MetadataResponse)
	if !ok {
		return nil, fmt.Errorf("it answered Metadata with %T", response)
	}
	return metadata, nil
}

// startError is a server that ended instead of starting.
type startError struct {
	id        int
	log       string
	portTaken bool
}

func (e *startError) Error() string {
	return fmt.Sprintf("node %d ended at its start. %s", e.id, tellingOf(e.log))
}

func portTaken(log string) bool {
	content, err := os.ReadFile(log)
	return err == nil && strings.Contains(string(content), "Address already in use")
}

// knowsAllOfCompose is knows for the brokers of compose.yaml.
func knowsAllOfCompose(ctx context.Context, broker *kgo.Broker) error {
	return knows(ctx, broker, "", []int{1, 2, 3})
}
