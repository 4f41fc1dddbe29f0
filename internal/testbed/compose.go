// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"strconv"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"

	files "github.com/kafka-layout/terraform-provider-kafka/testbed"
)

// composeNodes is the number of services in compose.yaml, named kafka-1, kafka-2, ….
const composeNodes = 3

// composeFiles are the Compose files that describe a cluster with these options, the later over the earlier.
func composeFiles(o Options) []string {
	if o.Policy {
		return []string{"compose.yaml", "compose.policy.yaml"}
	}
	return []string{"compose.yaml"}
}

// composeEnvironments returns the environment of each service of the Compose files, keyed by node id, with their interpolations
// taken from variables.
func composeEnvironments(ctx context.Context, names []string, variables map[string]string) (map[int]map[string]string, error) {
	details := types.ConfigDetails{WorkingDir: ".", Environment: variables}
	for _, name := range names {
		content, err := files.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		details.ConfigFiles = append(details.ConfigFiles, types.ConfigFile{Filename: name, Content: content})
	}
	project, err := loader.LoadWithContext(ctx, details, func(o *loader.Options) { o.SetProjectName("kafka-testbed", true) })
	if err != nil {
		return nil, fmt.Errorf("testbed/%v: %w", names, err)
	}
	nodes := make(map[int]map[string]string, len(project.Services))
	for name, service := range project.Services {
		env := make(map[string]string, len(service.Environment))
		for key, value := range service.Environment {
			if value != nil {
				env[key] = *value
			}
		}
		id, err := strconv.Atoi(env["KAFKA_NODE_ID"])
		if err != nil {
			return nil, fmt.Errorf("testbed/compose.yaml: service %s: KAFKA_NODE_ID: %w", name, err)
		}
		nodes[id] = env
	}
	return nodes, nil
}
