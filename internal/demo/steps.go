// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

var errInterrupted = errors.New("interrupted")

// step is one part of the story: it does what its title says, checks that it happened, and reports an error if not.
type step struct {
	title string
	do    func(ctx context.Context) error
}

// result is what became of a step.
type result struct {
	title  string
	played bool
	err    error
	took   time.Duration
}

// play runs steps in order. Each builds on the one before, so the first that fails ends the play; the rest are not played.
func play(ctx context.Context, out io.Writer, steps []step) []result {
	results := make([]result, len(steps))
	failed := false
	for i, s := range steps {
		results[i].title = s.title
		if failed {
			continue
		}
		fmt.Fprintf(out, "\n== %d. %s\n\n", i+1, s.title)
		start := time.Now()
		err := s.do(ctx)
		if ctx.Err() != nil {
			err = errInterrupted
		}
		results[i].played, results[i].err, results[i].took = true, err, time.Since(start)
		if failed = err != nil; failed {
			fmt.Fprintf(out, "\nFAILED: %v\n", err)
		}
	}
	return results
}

// allDone tells whether every step was played and did what it says.
func allDone(results []result) bool {
	for _, r := range results {
		if !r.played || r.err != nil {
			return false
		}
	}
	return true
}

// summarise prints one line for each step and one for the whole.
func summarise(out io.Writer, results []result) {
	fmt.Fprint(out, "\n== Summary\n\n")
	var total time.Duration
	for _, r := range results {
		total += r.took
		switch {
		case !r.played:
			fmt.Fprintf(out, "  not run          %s\n", r.title)
		case r.err != nil:
			fmt.Fprintf(out, "  FAILED  %5.1f s  %s: %s\n", r.took.Seconds(), r.title, firstLine(r.err))
		default:
			fmt.Fprintf(out, "  ok      %5.1f s  %s\n", r.took.Seconds(), r.title)
		}
	}
	verdict := "Every step did what it says."
	if !allDone(results) {
		verdict = "Not every step did what it says."
	}
	fmt.Fprintf(out, "\n%s %.0f s in all.\n", verdict, total.Seconds())
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
