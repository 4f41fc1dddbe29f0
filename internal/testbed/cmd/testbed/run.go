// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// run starts the cluster that tests share, runs a command that finds it through its environment, and stops the cluster. Its exit code
// is the command's, 128 and the signal's number where a signal ended it. The logs are kept where the command failed.
func run(ctx context.Context, o testbed.Options, args []string) (int, error) {
	// The terminal sends an interrupt to the command too; this process stays until the command has ended.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)

	start, cancel := context.WithCancel(ctx)
	defer cancel()
	started := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel()
		case <-started:
		}
	}()
	o.Policy = testbed.SharedOptions.Policy
	cluster, err := testbed.StartShared(start, o)
	close(started)
	if err != nil {
		return exitFailed, err
	}
	code, err := runCommand(args, append(os.Environ(), cluster.Environment()...), signals)
	if code == exitOK && err == nil {
		if err := cluster.Close(); err != nil {
			return exitFailed, err
		}
		return exitOK, nil
	}
	return code, errors.Join(err, cluster.CloseTelling(os.Stderr))
}

// runCommand runs a command and passes a request to terminate on to it.
func runCommand(args, env []string, signals <-chan os.Signal) (int, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return exitFailed, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case sig := <-signals:
			if sig == syscall.SIGTERM {
				_ = cmd.Process.Signal(sig)
			}
		case err := <-ended:
			return exitCode(err)
		}
	}
}

// exitCode is the exit code of a command that ended, in the form of a shell's $?.
func exitCode(err error) (int, error) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return exitOK, nil
	case !errors.As(err, &exit):
		return exitFailed, err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}
