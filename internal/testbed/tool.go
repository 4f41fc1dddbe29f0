// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// RunTool runs one of Kafka's own tools, named by its class, on the class path of the brokers, and returns what it wrote to its
// standard output. An error has what it wrote to either output. Example:
//
//	c.RunTool(ctx, "org.apache.kafka.tools.ConfigCommand", "--bootstrap-server", c.BootstrapServers()[0], "--describe", "--topic", "t")
//
// The config tool is kafka.admin.ConfigCommand up to Kafka 4.0.
func (c *Cluster) RunTool(ctx context.Context, class string, args ...string) (string, error) {
	cmd, err := ToolCommand(ctx, c.version(), class, args...)
	if err != nil {
		return "", err
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%s %s: %w\n%s", class, strings.Join(args, " "), err, strings.TrimSpace(stdout.String()+stderr.String()))
	}
	return stdout.String(), nil
}

// ToolCommand prepares one of the tools of a Kafka version, named by its class, for a run on the JVM of this machine.
func ToolCommand(ctx context.Context, version, class string, args ...string) (*exec.Cmd, error) {
	java, err := findJava(ctx)
	if err != nil {
		return nil, err
	}
	path, err := classPath(ctx, version)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, java, append([]string{"-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", path, class}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	return cmd, nil
}

// version is the Kafka version whose jars fit the cluster.
func (c *Cluster) version() string {
	if c.options.Version == "" {
		return DefaultVersion
	}
	return c.options.Version
}
