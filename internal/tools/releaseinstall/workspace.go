// SPDX-License-Identifier: MPL-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

const (
	source = "registry.terraform.io/kafka-layout/kafka"

	cliConfig = `provider_installation {
  filesystem_mirror {
    path    = %q
    include = ["registry.terraform.io/kafka-layout/*"]
  }
}
`
	configuration = `terraform {
  required_providers {
    kafka = {
      source  = "kafka-layout/kafka"
      version = %q
    }
  }
}

variable "retention" { type = string }

resource "kafka_topic_config" "installed" {
  topic  = "release-install"
  config = { "retention.ms" = var.retention }
}
`
)

// workspace is a directory with a mirror, a CLI configuration that knows only this mirror, and a configuration.
type workspace struct {
	dir, zip, version  string
	terraform, servers string
}

// newWorkspace lays out dir for this platform's zip of the release in dist.
func newWorkspace(dir, dist string) (workspace, error) {
	w := workspace{dir: dir}
	entries, err := os.ReadDir(dist)
	if err != nil {
		return w, err
	}
	name := regexp.MustCompile(`^terraform-provider-kafka_(.+)_` + runtime.GOOS + `_` + runtime.GOARCH + `\.zip$`)
	for _, entry := range entries {
		if parts := name.FindStringSubmatch(entry.Name()); parts != nil {
			w.zip, w.version = entry.Name(), parts[1]
		}
	}
	if w.zip == "" {
		return w, fmt.Errorf("no zip for %s_%s in %s", runtime.GOOS, runtime.GOARCH, dist)
	}
	mirror := filepath.Join(dir, "mirror", filepath.FromSlash(source))
	if err := os.MkdirAll(mirror, 0o755); err != nil {
		return w, err
	}
	return w, errors.Join(
		copyFile(filepath.Join(mirror, w.zip), filepath.Join(dist, w.zip)),
		os.WriteFile(w.cliConfig(), fmt.Appendf(nil, cliConfig, filepath.Join(dir, "mirror")), 0o600),
		os.WriteFile(filepath.Join(dir, "main.tf"), fmt.Appendf(nil, configuration, w.version), 0o600),
	)
}

func (w workspace) cliConfig() string { return filepath.Join(w.dir, "mirror.tfrc") }

// environment is the caller's without what would change how Terraform or the provider behaves.
func (w workspace) environment() []string {
	var kept []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "KAFKA_") {
			kept = append(kept, variable)
		}
	}
	return append(kept, "TF_CLI_CONFIG_FILE="+w.cliConfig(), "CHECKPOINT_DISABLE=1", "KAFKA_BOOTSTRAP_SERVERS="+w.servers)
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
