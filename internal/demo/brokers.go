// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// brokers are what the demo started.
type brokers struct {
	description string
	servers     []string // host:port of each broker
	// stop ends what was started and reports what of it is left.
	stop func() error
}

// startBrokers starts three brokers on the JVM of this machine, or in containers where there is a Docker engine and no Java.
func startBrokers(ctx context.Context) (*brokers, error) {
	if !hasJava() && dockerAnswers(ctx) {
		return startContainers(ctx)
	}
	cluster, err := testbed.Start(ctx, testbed.Options{})
	if err != nil {
		return nil, err
	}
	started := cluster.Brokers()
	b := &brokers{
		description: fmt.Sprintf("Apache Kafka %s, cluster %s, on the JVM of this machine", testbed.DefaultVersion, cluster.ClusterID()),
		servers:     cluster.BootstrapServers(),
	}
	b.stop = func() error {
		err := cluster.Close()
		for _, broker := range started {
			if processIsThere(broker.Pid) {
				err = errors.Join(err, fmt.Errorf("broker %d still runs as process %d", broker.ID, broker.Pid))
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

func processIsThere(pid int) bool {
	return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// answersTimeout bounds questions that a healthy Docker engine answers at once.
const answersTimeout = 10 * time.Second

func dockerAnswers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, answersTimeout)
	defer cancel()
	for _, args := range [][]string{{"info"}, {"compose", "version"}} {
		if exec.CommandContext(ctx, "docker", args...).Run() != nil {
			return false
		}
	}
	return true
}
