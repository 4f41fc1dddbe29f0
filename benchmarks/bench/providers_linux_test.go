// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os/exec"
	"testing"
)

// A child that computes is seen to, and to have had memory; what has no child is not.
func TestWatchProviders(t *testing.T) {
	for script, busy := range map[string]bool{
		"(i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done); true": true,
		"i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done":         false,
	} {
		cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		taken := watchProviders(cmd.Process.Pid)
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		if got := taken(); (got.CPUSeconds > 0) != busy || (got.MiB > 0) != busy {
			t.Errorf("%s took %+v", script, got)
		}
	}
}
