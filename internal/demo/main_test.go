// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// root is the root of the repository as seen from this package.
const root = "../.."

// TestMain ends the cluster that the package's tests share.
func TestMain(m *testing.M) { testbed.Main(m) }

// realCLI is the CLI that make names, or the one that is installed.
func realCLI(t *testing.T) string {
	t.Helper()
	path, err := findCLI(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// executable writes a shell script and gives its path.
func executable(t *testing.T, script string) string {
	t.Helper()
	path := t.TempDir() + "/cli"
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}
