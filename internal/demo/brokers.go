// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// brokers are what the demo started.
type brokers struct {
	description string
	servers     []string // host:port of each broker
	// stop ends what was started and reports what of it is left.
	stop func() error
}

// startBrokers starts three brokers on the JVM of this machine, or with Docker where an engine answers and no Java is installed.
func startBrokers(ctx context.Context) (*brokers, error) {
	start, how := testbed.Start, "on the JVM of this machine"
	if !hasJava() && testbed.FindDocker(ctx) == nil {
		start, how = testbed.StartDocker, "in containers"
	}
	cluster, err := start(ctx, testbed.Options{})
	if err != nil {
		return nil, err
	}
	started := cluster.Brokers()
	b := &brokers{
		description: fmt.Sprintf("Apache Kafka %s, cluster %s, %s", testbed.DefaultVersion, cluster.ClusterID(), how),
		servers:     cluster.BootstrapServers(),
	}
	b.stop = func() error {
		err := cluster.Close()
		for _, broker := range started {
			if stillListens(broker.Address) {
				err = errors.Join(err, fmt.Errorf("broker %d at %s still runs", broker.ID, broker.Address))
			}
		}
		return err
	}
	return b, nil
}

func hasJava() bool {
	_, err := exec.LookPath("java")
	return err == nil || os.Getenv("JAVA_HOME") != ""
}

// stillListens tells whether anything takes connections at an address of loopback.
func stillListens(address string) bool {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	_ = connection.Close()
	return true
}
