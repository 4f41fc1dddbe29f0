// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// course is one combination of subject, size, latency and parallelism.
type course struct {
	subject           subject
	size, parallelism int
	latency           time.Duration
	servers           []string
	// commands are the names of the steps to measure, all where empty.
	commands []string
	dir      string
}

// figure is what one command took with each provider, medians over the runs.
type figure struct {
	Subject     string        `json:"subject"`
	Topics      int           `json:"topics"`
	Latency     time.Duration `json:"latency_ns"`
	Parallelism int           `json:"parallelism"`
	Command     string        `json:"command"`
	Runs        int           `json:"runs"`
	Ours        sample        `json:"ours"`
	// Floor does nothing, and Quiet does nothing and leaves out the framework's log, as ours does. The ratios are ours to theirs.
	Floor      sample  `json:"floor"`
	Ratio      float64 `json:"ratio"`
	Quiet      sample  `json:"quiet_floor"`
	QuietRatio float64 `json:"quiet_ratio"`
	// Traffic is that of one more run.
	Traffic traffic `json:"traffic"`
}

// step is one command of the course.
type step struct {
	name string
	args []string
	// unchanged: that something changes is an error.
	unchanged bool
}

// creation is the step that everything else needs.
const creation = "apply, all created"

const configuration = `
terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}
variable "edition" { type = number }
variable "size" { type = number }
provider "kafka" {
  bootstrap_servers = [%s]
}
%s
`

func (c course) steps() []step {
	common := []string{"-no-color", "-input=false", fmt.Sprintf("-parallelism=%d", c.parallelism), fmt.Sprintf("-var=size=%d", c.size)}
	apply := func(value string) []string {
		return slices.Concat([]string{"apply", "-auto-approve"}, common, []string{"-var=edition=" + value})
	}
	plan := func(value string) []string {
		return slices.Concat([]string{"plan"}, common, []string{"-var=edition=" + value})
	}
	all := []step{
		{creation, apply("0"), false},
		{"plan, unchanged", plan("0"), true},
		{"apply, unchanged", apply("0"), true},
		{"plan, all changed", plan("1"), false},
		{"apply, all changed", apply("1"), false},
		{"destroy", slices.Concat([]string{"destroy", "-auto-approve"}, common, []string{"-var=edition=1"}), false},
	}
	// What a course is not seeded with has to be created.
	return slices.DeleteFunc(all, func(s step) bool { return !c.measures(s) && (s.name != creation || c.seeded()) })
}

func (c course) measures(s step) bool {
	return len(c.commands) == 0 || slices.Contains(c.commands, s.name)
}

// measure goes through the course with the providers in turn, so that all see the same machine.
func (c course) measure(ctx context.Context, faults *testbed.Faults, ours, floor string, runs int) ([]figure, error) {
	fmt.Fprintf(os.Stderr, "%s, %d topics, %s, -parallelism=%d\n", c.subject.name, c.size, c.latency, c.parallelism)
	if err := faults.Latency(c.latency); err != nil { //nolint:contextcheck // a setting of the proxy, done at once
		return nil, err
	}
	steps := c.steps()
	var ofFloor, ofQuiet, ofOurs [][]sample
	for range runs {
		for _, provider := range []struct {
			binary, environment string
			samples             *[][]sample
		}{{floor, "FLOOR=", &ofFloor}, {floor, "FLOOR=quiet", &ofQuiet}, {ours, "FLOOR=", &ofOurs}} {
			taken, err := c.walk(ctx, provider.binary, steps, provider.environment)
			if err != nil {
				return nil, err
			}
			*provider.samples = append(*provider.samples, taken)
		}
	}
	exchanged, err := c.count(ctx, ours, steps)
	if err != nil {
		return nil, err
	}
	var figures []figure
	for i, s := range steps {
		if !c.measures(s) {
			continue
		}
		f := figure{
			Subject: c.subject.name, Topics: c.size, Latency: c.latency, Parallelism: c.parallelism, Command: s.name, Runs: runs,
			Ours: median(ofOurs, i), Floor: median(ofFloor, i), Quiet: median(ofQuiet, i), Traffic: exchanged[i],
		}
		f.Ratio, f.QuietRatio = f.Ours.Seconds/f.Floor.Seconds, f.Ours.Seconds/f.Quiet.Seconds
		fmt.Fprintf(os.Stderr, "  %-20s floor %.2f s, quiet floor %.2f s, ours %.2f s: %.2f, %.2f\n",
			f.Command, f.Floor.Seconds, f.Quiet.Seconds, f.Ours.Seconds, f.Ratio, f.QuietRatio)
		figures = append(figures, f)
	}
	return figures, nil
}

// walk runs the steps in a fresh workspace with one provider.
func (c course) walk(ctx context.Context, binary string, steps []step, environment ...string) ([]sample, error) {
	workspace, err := c.workspace(binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(workspace) }()
	if c.seeded() {
		if err := c.seed(ctx, workspace, environment...); err != nil {
			return nil, err
		}
	}
	taken := make([]sample, 0, len(steps))
	for _, s := range steps {
		one, err := terraform(ctx, workspace, s, environment...)
		if err != nil {
			return nil, fmt.Errorf("%s with %s: %w", s.name, filepath.Base(filepath.Dir(binary)), err)
		}
		taken = append(taken, one)
	}
	return taken, nil
}

func (c course) workspace(binary string) (string, error) {
	dir, err := os.MkdirTemp(c.dir, "workspace-")
	if err != nil {
		return "", err
	}
	quoted := make([]string, 0, len(c.servers))
	for _, server := range c.servers {
		quoted = append(quoted, fmt.Sprintf("%q", server))
	}
	files := map[string]string{
		"main.tf": fmt.Sprintf(configuration, strings.Join(quoted, ", "), c.subject.resources),
		"cli.tfrc": fmt.Sprintf("provider_installation {\n  dev_overrides { \"kafka-layout/kafka\" = %q }\n  direct {}\n}\n",
			filepath.Dir(binary)),
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// median takes, of the samples of one step, the one in the middle by time.
func median(runs [][]sample, step int) sample {
	all := make([]sample, 0, len(runs))
	for _, run := range runs {
		all = append(all, run[step])
	}
	slices.SortFunc(all, func(a, b sample) int {
		switch {
		case a.Seconds < b.Seconds:
			return -1
		case a.Seconds > b.Seconds:
			return 1
		}
		return 0
	})
	return all[len(all)/2]
}
