// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// fakeCLI makes a CLI that answers init and plan with the given shell words.
func fakeCLI(t *testing.T, onInit, onPlan string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terraform")
	script := "#!/bin/sh\ncase $1 in init) " + onInit + ";; plan) " + onPlan + ";; esac\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func dist(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, platform := range []string{runtime.GOOS + "_" + runtime.GOARCH, "plan9_mips"} {
		if err := os.WriteFile(filepath.Join(dir, "terraform-provider-kafka_0.1.0-dev_"+platform+".zip"), []byte(platform), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWorkspace(t *testing.T) {
	t.Setenv("TF_LOG", "TRACE")
	t.Setenv("KAFKA_CLUSTER_ID", "another")
	dir := t.TempDir()
	w, err := newWorkspace(dir, dist(t))
	if err != nil {
		t.Fatal(err)
	}
	w.servers = "localhost:1"
	zip := "terraform-provider-kafka_0.1.0-dev_" + runtime.GOOS + "_" + runtime.GOARCH + ".zip"
	text, err := os.ReadFile(filepath.Join(dir, "mirror/registry.terraform.io/kafka-layout/kafka", zip))
	if err != nil || string(text) != runtime.GOOS+"_"+runtime.GOARCH {
		t.Errorf("the mirror has %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "main.tf")); err != nil || !strings.Contains(string(text), `"0.1.0-dev"`) {
		t.Errorf("main.tf: %s, %v", text, err)
	}
	environment := w.environment()
	if !slices.Contains(environment, "KAFKA_BOOTSTRAP_SERVERS=localhost:1") || !slices.Contains(environment, "TF_CLI_CONFIG_FILE="+w.cliConfig()) {
		t.Errorf("environment %v", environment)
	}
	if slices.Contains(environment, "TF_LOG=TRACE") || slices.Contains(environment, "KAFKA_CLUSTER_ID=another") {
		t.Error("a variable of the caller's would change the plan")
	}
}

func TestNoZipForThisPlatform(t *testing.T) {
	if _, err := newWorkspace(t.TempDir(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "no zip for "+runtime.GOOS) {
		t.Errorf("error %v", err)
	}
}

func TestVerify(t *testing.T) {
	const (
		installed = "echo Installed kafka-layout/kafka v0.1.0-dev"
		refusal   = "printf '│ Invalid value sixty\\n│ for configuration retention.ms: Not a number\\n'; exit 1"
		plans     = "case \"$*\" in *sixty*) " + refusal + ";; *) echo 1 to add; exit 2;; esac"
	)
	for name, c := range map[string]struct{ onInit, onPlan, want string }{
		"all as it should be":       {installed, plans, ""},
		"another version installed": {"echo Installed kafka-layout/kafka v0.0.9", plans, "terraform init ended with exit code 0"},
		"init fails":                {"exit 1", plans, "terraform init ended with exit code 1"},
		"no change planned":         {installed, "exit 0", "terraform plan ended with exit code 0"},
		"nothing refuses":           {installed, "echo 1 to add; exit 2", "terraform plan with a wrong value ended with exit code 2"},
		"another refusal":           {installed, "case \"$*\" in *sixty*) echo no brokers; exit 1;; *) echo 1 to add; exit 2;; esac", "without \"Invalid value sixty"},
	} {
		t.Run(name, func(t *testing.T) {
			err := verify(t.Context(), fakeCLI(t, c.onInit, c.onPlan), dist(t), "localhost:1")
			if c.want == "" && err != nil {
				t.Errorf("refused: %v", err)
			}
			if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}
