// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

const minimumJava = 17

var javaVersion = regexp.MustCompile(`version "(\d+)`)

// findJava returns the path of a java that is recent enough: JAVA_HOME's, else the first on PATH.
func findJava(ctx context.Context) (string, error) {
	install := fmt.Sprintf("install a Java runtime, version %d or later (for example openjdk-17-jdk-headless), or set JAVA_HOME", minimumJava)
	java := filepath.Join(os.Getenv("JAVA_HOME"), "bin", "java")
	if os.Getenv("JAVA_HOME") == "" {
		found, err := exec.LookPath("java")
		if err != nil {
			return "", errors.New("java not found: " + install)
		}
		java = found
	}
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s does not run (%w): %s", java, err, install)
	}
	match := javaVersion.FindSubmatch(out)
	if match == nil {
		return "", fmt.Errorf("%s tells no version: %s", java, install)
	}
	if major, _ := strconv.Atoi(string(match[1])); major < minimumJava {
		return "", fmt.Errorf("%s is version %d: %s", java, major, install)
	}
	return java, nil
}
