// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	// serveCommand is the process in the background that holds the cluster of up. It is not for people.
	serveCommand = "serve"
	// readyFile is the file descriptor on which serve says that the cluster is there.
	readyFile = 3
	ready     = "ready"
)

// preferredPorts are those of compose.yaml.
var preferredPorts = []int{19092, 29092, 39092}

// serve starts a cluster, says so on readyFile, and stops the cluster when it is told to end.
func serve(ctx context.Context, o testbed.Options) (int, error) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	dir, err := stateDir()
	if err != nil {
		return exitFailed, err
	}
	release, taken, err := tryLock(dir)
	if err != nil {
		return exitFailed, err
	}
	if !taken {
		return exitFailed, errors.New("another cluster was started at the same time")
	}
	defer release()
	o.Ports = choosePorts()
	cluster, err := testbed.StartShared(ctx, o)
	if err != nil {
		return exitFailed, err
	}
	if err := announce(dir, o, cluster); err != nil {
		return exitFailed, errors.Join(err, cluster.Close())
	}
	<-ctx.Done()
	err = errors.Join(os.Remove(filepath.Join(dir, "state.json")), cluster.Close())
	if err != nil {
		return exitFailed, err
	}
	return exitOK, nil
}

func announce(dir string, o testbed.Options, c *testbed.Cluster) error {
	s := state{
		Pid:              os.Getpid(),
		Version:          o.Version,
		ClusterID:        c.ClusterID(),
		BootstrapServers: c.BootstrapServers(),
		Brokers:          c.Brokers(),
		Logs:             map[int]string{},
	}
	for _, b := range s.Brokers {
		if b.Pid != 0 {
			s.Logs[b.ID] = c.LogDir(b.ID)
		}
	}
	if err := writeState(dir, s); err != nil {
		return err
	}
	pipe := os.NewFile(readyFile, "ready")
	defer func() { _ = pipe.Close() }()
	_, err := fmt.Fprintln(pipe, ready)
	return err
}

// choosePorts takes each preferred port that is free; 0 leaves the choice to the test bed.
func choosePorts() []int {
	ports := make([]int, len(preferredPorts))
	for i, port := range preferredPorts {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			ports[i] = port
			_ = listener.Close()
		}
	}
	return ports
}
