// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

const (
	composeFile = "testbed/compose.yaml"
	brokerCount = 3

	// containersTimeout bounds the start of containers, the download of their image aside.
	containersTimeout = 2 * time.Minute
	// downTimeout bounds their end, which an interrupt must not cut short.
	downTimeout = time.Minute
)

// startContainers starts the services of compose.yaml as a Compose project of the demo's own, on free ports.
func startContainers(ctx context.Context) (*brokers, error) {
	project := fmt.Sprintf("kafka-demo-%d", os.Getpid())
	env := os.Environ()
	b := &brokers{description: "Apache Kafka in containers of the Compose project " + project}
	for id := 1; id <= brokerCount; id++ {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		env = append(env, fmt.Sprintf("NODE_%d_PORT=%d", id, port))
		b.servers = append(b.servers, fmt.Sprintf("127.0.0.1:%d", port))
	}
	compose := func(ctx context.Context, args ...string) error {
		cmd := exec.CommandContext(ctx, "docker", append([]string{"compose", "--file", composeFile, "--project-name", project}, args...)...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("docker compose %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
		}
		return nil
	}
	b.stop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), downTimeout)
		defer cancel()
		return compose(ctx, "down", "--volumes", "--timeout", "5")
	}
	err := compose(ctx, "up", "--detach")
	if err == nil {
		err = awaitBrokers(ctx, b.servers)
	}
	if err != nil {
		return nil, errors.Join(err, b.stop())
	}
	return b, nil
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil //nolint:forcetypeassert // a TCP listener
}

// awaitBrokers waits until each broker, asked itself, names all of them.
func awaitBrokers(ctx context.Context, servers []string) error {
	ctx, cancel := context.WithTimeout(ctx, containersTimeout)
	defer cancel()
	for _, server := range servers {
		for {
			err := knowsAll(ctx, server, len(servers))
			if err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("the broker at %s is not ready: %w", server, err)
			case <-time.After(spreadPause):
			}
		}
	}
	return nil
}

func knowsAll(ctx context.Context, server string, count int) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(server), kgo.RequestRetries(0))
	if err != nil {
		return err
	}
	defer client.Close()
	request := kmsg.NewPtrMetadataRequest()
	request.Topics = []kmsg.MetadataRequestTopic{}
	answer, err := client.SeedBrokers()[0].Request(ctx, request)
	if err != nil {
		return err
	}
	if metadata, ok := answer.(*kmsg.MetadataResponse); !ok || len(metadata.Brokers) != count {
		return fmt.Errorf("it does not know all %d brokers", count)
	}
	return nil
}
