// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseChanges(t *testing.T) {
	const plan = `{"resource_changes": [
	  {"address": "kafka_topic_config.a", "change": {"actions": ["no-op"], "before": {"config": {"k": "1"}}, "after": {"config": {"k": "1"}}}},
	  {"address": "kafka_topic_config.b", "change": {"actions": ["create"], "before": null, "after": {"config": {"k": "1"}}}},
	  {"address": "kafka_topic_config.c", "change": {"actions": ["update"], "before": {"config": {"k": "1", "l": "2"}}, "after": {"config": {"k": "3"}}}},
	  {"address": "kafka_topic_config.d", "change": {"actions": ["delete", "create"], "before": {"config": null}, "after": {"config": {}}}}]}`
	want := map[string]change{
		"kafka_topic_config.b": {action: "create", after: map[string]string{"k": "1"}},
		"kafka_topic_config.c": {action: "update", before: map[string]string{"k": "1", "l": "2"}, after: map[string]string{"k": "3"}},
		"kafka_topic_config.d": {action: "delete+create", after: map[string]string{}},
	}
	got, err := parseChanges([]byte(plan))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if _, err := parseChanges([]byte("Error: no such plan")); err == nil {
		t.Error("text that is no JSON passed for a plan")
	}
}

func TestCleanEnvironment(t *testing.T) {
	got := cleanEnvironment([]string{"PATH=/bin", "TF_LOG=TRACE", "KAFKA_BOOTSTRAP_SERVERS=production:9092", "HOME=/"})
	if want := []string{"PATH=/bin", "HOME=/"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRunExitCode(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		code   int
		fails  bool
	}{
		"done":    {"echo out; echo err >&2", 0, false},
		"changes": {"echo out; echo err >&2; exit 2", 2, false},
		"crashed": {"echo out; echo err >&2; kill -KILL $$", -1, true},
	} {
		t.Run(name, func(t *testing.T) {
			tool := &cli{path: executable(t, c.script), dir: t.TempDir()}
			output, code, err := tool.run(t.Context())
			if code != c.code || (err != nil) != c.fails || output != "out\nerr\n" {
				t.Errorf("got code %d, error %v, output %q", code, err, output)
			}
		})
	}
}

// TestRunInterrupted shows that a CLI is told to end, and may end in order, when the demo is interrupted.
func TestRunInterrupted(t *testing.T) {
	dir := t.TempDir()
	tool := &cli{path: executable(t, `trap 'echo ended; exit 0' INT; touch started; while :; do sleep 0.01; done`), dir: dir}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(dir + "/started"); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	output, _, err := tool.run(ctx)
	cancel()
	if !errors.Is(err, errInterrupted) || output != "ended\n" {
		t.Errorf("got error %v, output %q", err, output)
	}
}

func TestFindCLI(t *testing.T) {
	named := executable(t, "")
	dir := t.TempDir()
	tofu := dir + "/tofu"
	if err := os.WriteFile(tofu, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ variable, path, want string }{
		"the variable wins":                   {named, dir, named},
		"tofu where there is no terraform":    {"", dir, tofu},
		"a variable that names no program":    {"/nonexistent/terraform", dir, ""},
		"nothing, and no go to fetch it with": {"", t.TempDir(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(pathVariable, c.variable)
			t.Setenv("PATH", c.path)
			got, err := findCLI(t.Context())
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
			if err != nil && (strings.TrimSpace(err.Error()) == "" || strings.Contains(err.Error(), "\n")) {
				t.Errorf("the error is not one line: %q", err)
			}
		})
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Fatal("the PATH was not put back")
	}
}
