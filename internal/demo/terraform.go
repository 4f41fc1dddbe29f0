// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// pathVariable names the CLI to use, as in terraform-plugin-testing.
	pathVariable = "TF_ACC_TERRAFORM_PATH"

	// interruptPatience is how long a CLI may take to end in order after an interrupt, before it is killed.
	interruptPatience = 20 * time.Second
)

// Exit codes of terraform plan -detailed-exitcode.
const (
	planEmpty   = 0
	planRefused = 1
	planChanges = 2
)

// cli is a Terraform (or OpenTofu) CLI that uses the provider built from this repository, in a directory of its own.
type cli struct {
	path string
	dir  string
	env  []string
}

// findCLI looks for terraform, then tofu, and last asks the repository's tool, which fetches Terraform where the network allows.
func findCLI(ctx context.Context) (string, error) {
	if path := os.Getenv(pathVariable); path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("%s: %w", pathVariable, err)
		}
		return filepath.Abs(found)
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	cmd := exec.CommandContext(ctx, "go", "run", "./internal/tools/terraform")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if reason, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); reason != "" {
			return "", errors.New(reason)
		}
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// newCLI prepares the CLI at path for runs in dir against the brokers. bin is where the provider's binary is, rc the file for the
// CLI's own settings.
func newCLI(path, dir, bin, rc string, servers []string) (*cli, error) {
	config := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"kafka-layout/kafka\" = %q\n  }\n  direct {}\n}\n", bin)
	if err := os.WriteFile(rc, []byte(config), 0o600); err != nil {
		return nil, err
	}
	env := append(cleanEnvironment(os.Environ()),
		"TF_CLI_CONFIG_FILE="+rc, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1",
		"KAFKA_BOOTSTRAP_SERVERS="+strings.Join(servers, ","))
	return &cli{path: path, dir: dir, env: env}, nil
}

// cleanEnvironment leaves out what would steer Terraform or the provider to something else than the demo's.
func cleanEnvironment(environment []string) []string {
	var clean []string
	for _, variable := range environment {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "KAFKA_") {
			clean = append(clean, variable)
		}
	}
	return clean
}

// run runs the CLI and gives what it wrote to either output, and its exit code. An error says that it did not run to its end.
func (c *cli) run(ctx context.Context, args ...string) (output string, code int, err error) {
	var both bytes.Buffer
	cmd := c.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &both, &both
	code, err = exitCode(ctx, cmd.Run())
	return both.String(), code, err
}

// command makes a process in a group of its own, so that an interrupt at the terminal reaches it once, through the context: after
// two Terraform ends without order.
func (c *cli) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.path, args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = interruptPatience
	return cmd
}

func exitCode(ctx context.Context, err error) (int, error) {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return -1, errInterrupted
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode(), nil
	default:
		return -1, err
	}
}

// change is what a plan does with one resource.
type change struct {
	action string
	// before and after have the configs; nil where the resource is not there.
	before, after map[string]string
}

// changes reads a saved plan: what it does, keyed by resource address, those that it does not change left out.
func (c *cli) changes(ctx context.Context, plan string) (map[string]change, error) {
	var stdout, stderr bytes.Buffer
	cmd := c.command(ctx, "show", "-json", plan)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if code, err := exitCode(ctx, cmd.Run()); err != nil || code != 0 {
		return nil, fmt.Errorf("terraform show -json: exit code %d (%w)\n%s", code, err, stderr.String())
	}
	return parseChanges(stdout.Bytes())
}

func parseChanges(planJSON []byte) (map[string]change, error) {
	type attributes struct {
		Config map[string]string `json:"config"`
	}
	var plan struct {
		Resources []struct {
			Address string `json:"address"`
			Change  struct {
				Actions []string    `json:"actions"`
				Before  *attributes `json:"before"`
				After   *attributes `json:"after"`
			} `json:"change"`
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(planJSON, &plan); err != nil {
		return nil, fmt.Errorf("read the plan's JSON: %w", err)
	}
	found := map[string]change{}
	for _, r := range plan.Resources {
		action := strings.Join(r.Change.Actions, "+")
		if action == "no-op" {
			continue
		}
		one := change{action: action}
		if r.Change.Before != nil {
			one.before = r.Change.Before.Config
		}
		if r.Change.After != nil {
			one.after = r.Change.After.Config
		}
		found[r.Address] = one
	}
	return found, nil
}
