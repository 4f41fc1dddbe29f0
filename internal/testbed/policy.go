// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	files "github.com/kafka-layout/terraform-provider-kafka/testbed"
)

// policyJar returns the path of the jar with the policy's class. Maven builds it once; the result is kept until the sources change.
func policyJar(ctx context.Context) (string, error) {
	project, err := policyProject()
	if err != nil {
		return "", err
	}
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_ = fs.WalkDir(files.Files, "policy", func(path string, entry fs.DirEntry, _ error) error {
		sum.Write(project[path]) // in the order of the walk, which is that of the names
		return nil
	})
	kept := filepath.Join(cache, fmt.Sprintf("policy-%x.jar", sum.Sum(nil)[:8]))
	unlock, err := lockFile(kept + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(kept); err == nil {
		return kept, nil
	}
	build, err := os.MkdirTemp(cache, "policy-build-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(build) }()
	if err := runMaven(ctx, project, "--file", "policy/pom.xml", "package", "-Djar.directory="+build); err != nil {
		return "", fmt.Errorf("build testbed/policy: %w", err)
	}
	return kept, os.Rename(filepath.Join(build, "testbed-policy.jar"), kept)
}

// policyProject has the files of the policy's Maven project, keyed by their slash-separated paths.
func policyProject() (map[string][]byte, error) {
	project := map[string][]byte{}
	err := fs.WalkDir(files.Files, "policy", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		project[path], err = files.Files.ReadFile(path)
		return err
	})
	return project, err
}
