// SPDX-License-Identifier: MPL-2.0

// Command bench measures the provider beside the floor, a provider that does nothing, on real brokers behind a network with and without
// latency. All figures of one run are made on the same machine in the same minutes, so their ratios say something.
//
//	bench [-subjects "topic configs;broker configs"] [-sizes 100,1000] [-latencies 0ms,20ms] [-parallelism 10,100] [-runs 3] [-json file] [-markdown file]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
)

type options struct {
	subjects, commands []string
	sizes, parallelism []int
	latencies          []time.Duration
	runs               int
	json, markdown     string
}

func main() {
	if err := measureAll(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measureAll() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o, err := parse(os.Args[1:])
	if err != nil {
		return err
	}
	return run(ctx, o)
}

func parse(args []string) (o options, err error) {
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	subjects := set.String("subjects", "topic configs", "kinds of resources, separated by semicolons: topic configs; topic configs, for_each; broker configs; assignments")
	commands := set.String("commands", "", "those of the commands that are measured, separated by semicolons, such as \"plan, unchanged\"; creation and destruction are done all the same")
	sizes := set.String("sizes", "100,1000", "numbers of topics")
	parallelism := set.String("parallelism", "10,100", "values of Terraform's -parallelism")
	latencies := set.String("latencies", "0ms,20ms", "what the network adds to each answer")
	set.IntVar(&o.runs, "runs", 3, "how often each command is measured; the median counts")
	set.StringVar(&o.json, "json", "", "file for the figures")
	set.StringVar(&o.markdown, "markdown", "", "file for the table")
	if err = set.Parse(args); err != nil {
		return o, err
	}
	o.subjects = strings.Split(*subjects, ";")
	if _, err = subjectsOf(o.subjects, 1); err != nil {
		return o, err
	}
	if *commands != "" {
		o.commands = strings.Split(*commands, ";")
	}
	if o.sizes, err = numbers(*sizes); err != nil {
		return o, err
	}
	if o.parallelism, err = numbers(*parallelism); err != nil {
		return o, err
	}
	for text := range strings.SplitSeq(*latencies, ",") {
		d, err := time.ParseDuration(text)
		if err != nil {
			return o, err
		}
		o.latencies = append(o.latencies, d)
	}
	if o.runs < 1 {
		return o, fmt.Errorf("-runs %d: at least one", o.runs)
	}
	return o, nil
}

func numbers(text string) ([]int, error) {
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a positive number", part)
		}
		all = append(all, n)
	}
	return all, nil
}
