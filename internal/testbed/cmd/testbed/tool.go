// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// toolClasses are the classes behind the scripts of a Kafka distribution (its bin directory), keyed by their names there.
var toolClasses = map[string]string{
	"kafka-cluster.sh": "org.apache.kafka.tools.ClusterTool",
	"kafka-configs.sh": "org.apache.kafka.tools.ConfigCommand",
	"kafka-topics.sh":  "org.apache.kafka.tools.TopicCommand",
}

// tool runs one of Kafka's own tools with the terminal of this process, and returns its exit code. The jars of the brokers have it, so no
// distribution of Kafka has to be installed.
func tool(ctx context.Context, script string, args []string) (int, error) {
	class, known := toolClasses[script]
	if !known {
		return exitUsage, fmt.Errorf("%q is not one of %s", script, strings.Join(slices.Sorted(maps.Keys(toolClasses)), ", "))
	}
	cmd, err := testbed.ToolCommand(ctx, testbed.DefaultVersion, class, args...)
	if err != nil {
		return exitFailed, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return exitCode(cmd.Run())
}
