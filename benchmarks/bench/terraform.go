// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// sample is what one command took: the whole process with its providers.
type sample struct {
	Seconds float64 `json:"seconds"`
	// CPUSeconds are those of Terraform and the provider together.
	CPUSeconds float64   `json:"cpu_seconds"`
	Provider   providers `json:"provider"`
}

// providers are the provider's processes of one command: one for each of Terraform's walks. Zero where the system does not tell.
type providers struct {
	// CPUSeconds are those of all, but for what each did in its last moments.
	CPUSeconds float64 `json:"cpu_seconds"`
	// MiB is the peak memory of the largest.
	MiB float64 `json:"mib"`
}

// build makes both providers, each in a directory of its own, without debug information as a release is.
func build(ctx context.Context, dir string) (ours, floor string, err error) {
	for name, pkg := range map[string]string{"ours": ".", "floor": "./benchmarks/floor"} {
		out := filepath.Join(dir, name, "terraform-provider-kafka")
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
		if text, err := cmd.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("build %s: %w\n%s", pkg, err, text)
		}
	}
	return filepath.Join(dir, "ours", "terraform-provider-kafka"), filepath.Join(dir, "floor", "terraform-provider-kafka"), nil
}

// terraform runs one command and measures it.
func terraform(ctx context.Context, dir string, s step, environment ...string) (sample, error) {
	path := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if path == "" {
		path = "terraform"
	}
	cmd := exec.CommandContext(ctx, path, s.args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+filepath.Join(dir, "cli.tfrc"))
	cmd.Env = append(cmd.Env, environment...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	taken := watchProviders(cmd.Process.Pid)
	err := cmd.Wait()
	took := time.Since(start)
	provider := taken()
	if err != nil {
		return sample{}, fmt.Errorf("%w\n%s", err, output.String())
	}
	if changes := bytes.Contains(output.Bytes(), []byte("Plan: ")); s.unchanged && changes {
		return sample{}, fmt.Errorf("something changes:\n%s", output.String())
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return sample{Seconds: took.Seconds(), CPUSeconds: cpu.Seconds(), Provider: provider}, nil
}

// traffic is what one command exchanged with the brokers.
type traffic struct {
	// Requests are counted by Kafka's names.
	Requests map[string]int `json:"requests,omitempty"`
	// Bytes are those sent and received.
	Bytes int64 `json:"bytes"`
}

var (
	requestLine = regexp.MustCompile(`Kafka request: .*\brequest=([A-Za-z]+)`)
	byteFigures = regexp.MustCompile(`\b(?:sent|received)_bytes=(\d+)`)
)

// count goes through the course once more with the provider's log on, which tells each of its requests. The log costs time, so this run
// is not measured.
func (c course) count(ctx context.Context, binary string, steps []step) ([]traffic, error) {
	workspace, err := c.workspace(binary)
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(workspace) }()
	if c.seeded() {
		if err := c.seed(ctx, workspace); err != nil {
			return nil, err
		}
	}
	var all []traffic
	for _, s := range steps {
		log := filepath.Join(workspace, "provider.log")
		_ = os.Remove(log)
		if _, err := terraform(ctx, workspace, s, "TF_LOG_PROVIDER=DEBUG", "TF_LOG_PATH="+log); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(log)
		if err != nil {
			return nil, err
		}
		all = append(all, trafficIn(string(text)))
	}
	return all, nil
}

// trafficIn reads a provider's log.
func trafficIn(log string) traffic {
	found := traffic{Requests: map[string]int{}}
	for line := range strings.Lines(log) {
		request := requestLine.FindStringSubmatch(line)
		if request == nil {
			continue
		}
		found.Requests[request[1]]++
		for _, figure := range byteFigures.FindAllStringSubmatch(line, -1) {
			n, _ := strconv.ParseInt(figure[1], 10, 64) // digits only
			found.Bytes += n
		}
	}
	return found
}
