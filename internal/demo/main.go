// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

const (
	exitFailed      = 1
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Stdout)
	stop()
	os.Exit(code)
}

// run plays the whole demo and gives the exit code. Whatever it started is stopped when it returns.
func run(ctx context.Context, out io.Writer) int {
	work, err := os.MkdirTemp("", "kafka-demo-")
	if err != nil {
		fmt.Fprintln(out, err)
		return exitFailed
	}
	defer func() { _ = os.RemoveAll(work) }()

	d := &demo{out: out, work: work, bin: filepath.Join(work, "bin"), example: exampleDir, prefix: "demo."}
	defer func() { _ = d.stop() }()
	played := play(ctx, out, append(d.setUp(), d.story()...))
	played = append(played, d.tearDown())
	summarise(out, played)
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case !allDone(played):
		return exitFailed
	default:
		return 0
	}
}
