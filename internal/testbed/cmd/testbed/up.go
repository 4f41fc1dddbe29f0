// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	pollInterval = 100 * time.Millisecond
	// downTimeout bounds the wait for the cluster's process, which kills servers and removes files, or has Docker do so.
	downTimeout = 2 * time.Minute
)

// up starts a cluster that outlives this command, or finds the one that runs, and prints how a shell finds it.
func up(o testbed.Options) (int, error) {
	dir, err := stateDir()
	if err != nil {
		return exitFailed, err
	}
	s, running, err := readState(dir)
	if err != nil {
		return exitFailed, err
	}
	if running {
		fmt.Fprintf(os.Stderr, "Kafka %s runs already.\n", s.Version)
		fmt.Println(s.export())
		return exitOK, nil
	}
	fmt.Fprintf(os.Stderr, "Starting three brokers of Kafka %s ...\n", o.Version)
	if err := startServer(dir, o); err != nil {
		return exitFailed, err
	}
	if s, _, err = readState(dir); err != nil {
		return exitFailed, err
	}
	fmt.Fprintf(os.Stderr, "Cluster %s is up. Stop it with: make down\n", s.ClusterID)
	fmt.Println(s.export())
	return exitOK, nil
}

// startServer runs serve in a session of its own, and returns when the cluster is there.
func startServer(dir string, o testbed.Options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "up.log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	cmd := exec.Command(self, serveCommand, "-version="+o.Version, "-mode="+string(o.Mode), fmt.Sprintf("-policy=%t", o.Policy))
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = log, log, []*os.File{writer}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	_ = writer.Close()
	if err != nil {
		return err
	}
	line, _ := bufio.NewReader(reader).ReadString('\n')
	if strings.TrimSpace(line) == ready {
		return cmd.Process.Release()
	}
	_ = cmd.Wait() // its reason is in its log
	content, err := os.ReadFile(log.Name())
	if err != nil {
		return err
	}
	return errors.New(strings.TrimPrefix(strings.TrimSpace(string(content)), "testbed: "))
}

// down stops the cluster that up started.
func down(ctx context.Context) (int, error) {
	dir, err := stateDir()
	if err != nil {
		return exitFailed, err
	}
	s, running, err := readState(dir)
	if err != nil {
		return exitFailed, err
	}
	if !running {
		fmt.Fprintln(os.Stderr, "No cluster runs.")
		return exitOK, nil
	}
	// Its lock is held, so the pid is that of the process which wrote it.
	if err := syscall.Kill(s.Pid, syscall.SIGTERM); err != nil {
		return exitFailed, fmt.Errorf("stop process %d: %w", s.Pid, err)
	}
	ctx, cancel := context.WithTimeout(ctx, downTimeout)
	defer cancel()
	for {
		release, free, err := tryLock(dir)
		if err != nil {
			return exitFailed, err
		}
		if free {
			release()
			fmt.Fprintln(os.Stderr, "The cluster is stopped.")
			return exitOK, nil
		}
		select {
		case <-ctx.Done():
			return exitFailed, fmt.Errorf("process %d still runs; kill it, and the brokers end with it", s.Pid)
		case <-time.After(pollInterval):
		}
	}
}

// status says whether a cluster runs, and whether its brokers answer.
func status(ctx context.Context) (int, error) {
	dir, err := stateDir()
	if err != nil {
		return exitFailed, err
	}
	s, running, err := readState(dir)
	if err != nil {
		return exitFailed, err
	}
	if !running {
		fmt.Fprintln(os.Stderr, "No cluster runs. Start one with: make up")
		return exitNotRunning, nil
	}
	fmt.Fprintf(os.Stderr, "Kafka %s, cluster %s, process %d\n", s.Version, s.ClusterID, s.Pid)
	code := exitOK
	for _, b := range s.Brokers {
		answer := "answers"
		if err := testbed.Ping(ctx, b.Address); err != nil {
			answer, code = "does not answer: "+err.Error(), exitFailed
		}
		fmt.Fprintf(os.Stderr, "broker %d  %s  %s  pid %d  %s  %s\n", b.ID, b.Address, b.Rack, b.Pid, s.Logs[b.ID], answer)
	}
	fmt.Println(s.export())
	return code, nil
}
