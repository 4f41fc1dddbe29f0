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

// course is one combination of size, latency and parallelism.
type course struct {
	size, parallelism int
	latency           time.Duration
	servers           []string
	dir               string
}

// figure is what one command took with both providers, medians over the runs.
type figure struct {
	Topics      int           `json:"topics"`
	Latency     time.Duration `json:"latency_ns"`
	Parallelism int           `json:"parallelism"`
	Command     string        `json:"command"`
	Ours        sample        `json:"ours"`
	Floor       sample        `json:"floor"`
	Ratio       float64       `json:"ratio"`
	// Requests are those of one more run, by Kafka's names.
	Requests map[string]int `json:"requests,omitempty"`
}

// step is one command of the course.
type step struct {
	name string
	args []string
}

const configuration = `
terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}
variable "retention" { type = string }
provider "kafka" {
  bootstrap_servers = [%s]
}
resource "kafka_topic_config" "t" {
  count  = %d
  topic  = format("bench-%%05d", count.index)
  config = { "cleanup.policy" = "delete", "retention.ms" = var.retention, "min.insync.replicas" = "1", "segment.bytes" = "1073741824" }
}
`

func (c course) steps() []step {
	common := []string{"-no-color", "-input=false", fmt.Sprintf("-parallelism=%d", c.parallelism)}
	apply := func(value string) []string {
		return slices.Concat([]string{"apply", "-auto-approve"}, common, []string{"-var=retention=" + value})
	}
	plan := func(value string) []string {
		return slices.Concat([]string{"plan"}, common, []string{"-var=retention=" + value})
	}
	return []step{
		{"apply, all created", apply("604800000")},
		{"plan, unchanged", plan("604800000")},
		{"apply, unchanged", apply("604800000")},
		{"plan, all changed", plan("604900000")},
		{"apply, all changed", apply("604900000")},
		{"destroy", slices.Concat([]string{"destroy", "-auto-approve"}, common, []string{"-var=retention=604900000"})},
	}
}

// measure goes through the course with both providers in turn, so that both see the same machine.
func (c course) measure(ctx context.Context, faults *testbed.Faults, ours, floor string, runs int) ([]figure, error) {
	if err := faults.Latency(c.latency); err != nil { //nolint:contextcheck // a setting of the proxy, done at once
		return nil, err
	}
	steps := c.steps()
	samples := map[string][][]sample{}
	for range runs {
		for _, binary := range []string{floor, ours} {
			taken, err := c.walk(ctx, binary, steps)
			if err != nil {
				return nil, err
			}
			samples[binary] = append(samples[binary], taken)
		}
	}
	requests, err := c.count(ctx, ours, steps)
	if err != nil {
		return nil, err
	}
	var figures []figure
	for i, s := range steps {
		f := figure{
			Topics: c.size, Latency: c.latency, Parallelism: c.parallelism, Command: s.name,
			Ours: median(samples[ours], i), Floor: median(samples[floor], i), Requests: requests[i],
		}
		f.Ratio = f.Ours.Seconds / f.Floor.Seconds
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
	taken := make([]sample, 0, len(steps))
	for _, s := range steps {
		one, err := terraform(ctx, workspace, s.args, environment...)
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
		"main.tf": fmt.Sprintf(configuration, strings.Join(quoted, ", "), c.size),
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
