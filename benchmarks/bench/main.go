// SPDX-License-Identifier: MPL-2.0

// Command bench measures the provider beside the floor, a provider that does nothing, on real brokers behind a network with and without
// latency. All figures of one run are made on the same machine in the same minutes, so their ratios say something.
//
//	bench -preset full|quick [-runs n] [-json file] [-markdown file]
//	bench [-subjects "topic configs;broker configs"] [-sizes 100,1000] [-latencies 0ms,20ms] [-parallelism 10,50] [-runs 3]
//	      [-commands "plan, unchanged"] [-json file] [-markdown file]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"
)

type options struct {
	series         []series
	json, markdown string
}

// series is what is measured in every combination. Commands are those that count, all where there are none.
type series struct {
	subjects, commands []string
	sizes, parallelism []int
	latencies          []time.Duration
	runs               int
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
	preset := set.String("preset", "", "measure what is kept under this name, full or quick; of the other flags -runs, -json and -markdown then have an effect")
	subjects := set.String("subjects", topicsByCount, "kinds of resources, separated by semicolons: "+strings.Join(subjectNames(), "; "))
	commands := set.String("commands", "", "those of the commands that are measured, separated by semicolons, such as \"plan, unchanged\"")
	sizes := set.String("sizes", "100,1000", "numbers of topics")
	parallelism := set.String("parallelism", "10,50", "values of Terraform's -parallelism")
	latencies := set.String("latencies", "0ms,20ms", "what the network adds to each answer")
	runs := set.Int("runs", 0, "how often each command is measured, 3 times or as the preset says unless told otherwise; the median counts")
	set.StringVar(&o.json, "json", "", "file for the figures")
	set.StringVar(&o.markdown, "markdown", "", "file for the table")
	if err = set.Parse(args); err != nil {
		return o, err
	}
	if *preset != "" {
		if o.series = presets[*preset]; o.series == nil {
			err = fmt.Errorf("-preset %s: there are full and quick", *preset)
		}
		for i := range o.series {
			o.series[i].runs = cmp.Or(*runs, o.series[i].runs)
		}
		return o, err
	}
	s := series{subjects: strings.Split(*subjects, ";"), runs: cmp.Or(*runs, 3)}
	if *commands != "" {
		s.commands = strings.Split(*commands, ";")
	}
	if s.sizes, err = numbers(*sizes); err != nil {
		return o, err
	}
	if s.parallelism, err = numbers(*parallelism); err != nil {
		return o, err
	}
	for text := range strings.SplitSeq(*latencies, ",") {
		d, err := time.ParseDuration(text)
		if err != nil {
			return o, err
		}
		s.latencies = append(s.latencies, d)
	}
	o.series = []series{s}
	return o, s.check()
}

// check tells what cannot be measured, before anything is started.
func (s series) check() error {
	if _, err := subjectsOf(s.subjects); err != nil {
		return err
	}
	if s.runs < 1 {
		return fmt.Errorf("-runs %d: at least one", s.runs)
	}
	for _, name := range s.commands {
		if !slices.ContainsFunc(course{}.steps(), func(known step) bool { return known.name == name }) {
			return fmt.Errorf("there is no command %q", name)
		}
	}
	return nil
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
