// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// executable makes a file that can be run and returns its directory and path.
func executable(t *testing.T, name string) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir, path
}

func TestFind(t *testing.T) {
	pathDir, onPath := executable(t, "terraform")
	_, named := executable(t, "tofu")
	for name, c := range map[string]struct{ variable, path, want string }{
		"on the PATH":                       {"", pathDir, onPath},
		"the variable wins over the PATH":   {named, pathDir, named},
		"the variable may name another CLI": {named, "", named},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(pathVariable, c.variable)
			t.Setenv("PATH", c.path)
			got, err := find(t.Context())
			if err != nil || got != c.want {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// TestFindCached shows that a version that was fetched once is found without asking the network.
func TestFindCached(t *testing.T) {
	cache := t.TempDir()
	t.Setenv(pathVariable, "")
	t.Setenv("PATH", "")
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, "terraform-provider-kafka", "terraform-"+fetchedVersion)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "terraform")
	script := "#!/bin/sh\necho '{\"terraform_version\": \"" + fetchedVersion + "\"}'\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := find(t.Context())
	if err != nil || got != path {
		t.Errorf("got %q, %v; want %q", got, err, path)
	}
}

func TestFindNothing(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel() // the release site is not asked
	for name, c := range map[string]struct{ variable, want string }{
		"nowhere":          {"", "install Terraform 1.11 or later, or set " + pathVariable},
		"a wrong variable": {"/nonexistent/terraform", "/nonexistent/terraform is not an executable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(pathVariable, c.variable)
			t.Setenv("PATH", "")
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			t.Setenv("HOME", t.TempDir())
			path, err := find(cancelled)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %q, %v; want one line with %q", path, err, c.want)
			}
		})
	}
}
