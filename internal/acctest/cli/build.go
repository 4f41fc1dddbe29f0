// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

const (
	module     = "github.com/kafka-layout/terraform-provider-kafka"
	binaryName = "terraform-provider-kafka"
)

// built is the provider of this test process: the path of its binary.
var built = sync.OnceValues(build)

// Provider returns the path of the provider's binary, built from this module once for each test process.
func Provider(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatalf("Build the provider: %v", err)
	}
	return path
}

// build puts the binary below bin/, which make clean removes: a test process has no moment of its own to clean up after its last
// test. The flavour is the test's own, so that a build under the race detector compiles nothing a second time, and watches the
// provider too.
func build() (string, error) {
	ctx := context.Background()
	root, err := Root(ctx)
	if err != nil {
		return "", err
	}
	name, dir := binaryName, filepath.Join(root, "bin", "acctest")
	args := []string{"build"}
	if raceDetector {
		args, dir = append(args, "-race"), filepath.Join(root, "bin", "acctest-race")
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if _, err := goCommand(ctx, append(args, "-o", filepath.Join(fresh, name), module)...); err != nil {
		return "", err
	}
	// Test processes of other packages may be using the name: it never stands for half a file.
	path := filepath.Join(dir, name)
	return path, os.Rename(filepath.Join(fresh, name), path)
}

// Root returns the directory of the module that the working directory belongs to.
func Root(ctx context.Context) (string, error) {
	file, err := goCommand(ctx, "env", "GOMOD")
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(file)), nil
}

func goCommand(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return stdout.String(), nil
}
