// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Exit codes of terraform plan -detailed-exitcode.
const (
	exitNoChanges = 0
	exitError     = 1
	exitChanges   = 2
)

const noValue = "sixty" // no broker takes it for a number of milliseconds

// install runs terraform init, which takes the provider out of the mirror's zip or fails.
func (w workspace) install(ctx context.Context) error {
	output, code, err := w.run(ctx, "init", "-input=false", "-no-color")
	if err != nil {
		return err
	}
	if want := "Installed kafka-layout/kafka v" + w.version; code != exitNoChanges || !strings.Contains(output, want) {
		return unexpected("terraform init", code, output, want)
	}
	return nil
}

func (w workspace) planAccepted(ctx context.Context) error {
	output, code, err := w.plan(ctx, "86400000")
	if err != nil {
		return err
	}
	if want := "1 to add"; code != exitChanges || !strings.Contains(output, want) {
		return unexpected("terraform plan", code, output, want)
	}
	return nil
}

// planRefused wants the brokers' own sentence about the value.
func (w workspace) planRefused(ctx context.Context) error {
	output, code, err := w.plan(ctx, noValue)
	if err != nil {
		return err
	}
	// The CLI wraps lines, so the sentence is looked for with single spaces.
	if want := "Invalid value " + noValue + " for configuration retention.ms"; code != exitError || !strings.Contains(unwrapped(output), want) {
		return unexpected("terraform plan with a wrong value", code, output, want)
	}
	return nil
}

func (w workspace) plan(ctx context.Context, retention string) (string, int, error) {
	return w.run(ctx, "plan", "-input=false", "-no-color", "-detailed-exitcode", "-var", "retention="+retention)
}

// run returns a command's output, both streams, and its exit code.
func (w workspace) run(ctx context.Context, args ...string) (string, int, error) {
	cmd := exec.CommandContext(ctx, w.terraform, args...)
	cmd.Dir = w.dir
	cmd.Env = w.environment()
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return "", 0, err
	}
	return string(output), cmd.ProcessState.ExitCode(), nil
}

// unwrapped undoes what the CLI's frame around a diagnostic does to a sentence.
func unwrapped(output string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(output, "│", " ")), " ")
}

func unexpected(step string, code int, output, want string) error {
	return fmt.Errorf("%s ended with exit code %d and without %q:\n%s", step, code, want, output)
}
