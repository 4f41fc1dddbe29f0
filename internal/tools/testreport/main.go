// SPDX-License-Identifier: MPL-2.0

// Command testreport runs `go test -json` (or a command that ends in it), prints failures, skips and seconds per package
// readably, and counts what really ran.
//
//	testreport [-minimum FILE -require unit,acceptance] -- command args...
//
// It fails if a test fails, if the command fails, or if fewer tests ran than the minimum file says. A skipped test has
// not run: a suite that skips everything would otherwise look like one that passes. Its last line is "N passed, N failed".
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// stopGrace is how long the command may take to stop its brokers after a signal before it is killed.
const stopGrace = 30 * time.Second

func main() {
	minimumFile := flag.String("minimum", "", "JSON file with the least number of unit and acceptance tests that must run")
	require := flag.String("require", "", "kinds whose minimum is checked: unit, acceptance or both, separated by a comma")
	flag.Parse()

	wanted, err := readMinimum(*minimumFile, *require)
	if err == nil && flag.NArg() == 0 {
		err = errors.New("no command to run after --")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ok := run(ctx, flag.Args(), wanted, os.Stdout)
	stop()
	if !ok {
		os.Exit(1)
	}
}

// run executes the command, reports on its output and says whether all is well.
func run(ctx context.Context, command []string, wanted minimum, out io.Writer) bool {
	t := newTally(out)
	commandErr := execute(ctx, command, t)
	t.finish()
	problems := append(t.problems(commandErr), wanted.missing(t.total())...)
	t.summarise(wanted, problems)
	return len(problems) == 0
}

// execute runs command and feeds each line of its standard output to t. A signal is passed on, so that brokers which the
// command started are stopped and what ran until then is still reported.
func execute(ctx context.Context, command []string, t *tally) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopGrace
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := readEvents(stdout, t.add)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return readErr
}
