// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	files "github.com/kafka-layout/terraform-provider-kafka/testbed"
)

// classPath returns the class path of a Kafka version. Maven resolves it once; the result is kept until the pom changes or a jar goes.
func classPath(ctx context.Context, version string) (string, error) {
	pom, err := files.Files.ReadFile(generationOf(version).pom)
	if err != nil {
		return "", err
	}
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	kept := filepath.Join(cache, fmt.Sprintf("classpath-%s-%x", version, sha256.Sum256(pom))[:len("classpath-")+len(version)+17])
	// Test packages run as processes of their own, side by side: one resolves, the others wait for it.
	unlock, err := lockFile(kept + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if content, err := os.ReadFile(kept); err == nil && allExist(filepath.SplitList(string(content))) {
		return string(content), nil
	}
	if err := runMaven(ctx, map[string][]byte{"pom.xml": pom},
		"dependency:build-classpath", "-Dkafka.version="+version, "-Dmdep.outputFile="+kept); err != nil {
		return "", fmt.Errorf("resolve the jars of Kafka %s: %w", version, err)
	}
	content, err := os.ReadFile(kept)
	return strings.TrimSpace(string(content)), err
}

func allExist(paths []string) bool {
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return false
		}
	}
	return len(paths) > 0
}

// runMaven runs goals in a temporary directory that holds the given files, keyed by their slash-separated paths.
func runMaven(ctx context.Context, project map[string][]byte, args ...string) error {
	mvn, err := exec.LookPath("mvn")
	if err != nil {
		return errors.New("mvn not found: install Apache Maven (for example the package maven)")
	}
	dir, err := os.MkdirTemp("", "kafka-testbed-mvn-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, content := range project {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, mvn, append([]string{"--quiet", "--batch-mode"}, args...)...)
	cmd.Dir = dir
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("mvn %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(output.String()))
	}
	return nil
}
