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

// composeEnvironments returns the environment of each service of compose.yaml, keyed by node id, with the file's interpolations
// taken from variables.
func composeEnvironments(ctx context.Context, variables map[string]string) (map[int]map[string]string, error) {
	content, err := files.Files.ReadFile("compose.yaml")
	if err != nil {
		return nil, err
	}
	project, err := loader.LoadWithContext(ctx, types.ConfigDetails{
		WorkingDir:  ".",
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: content}},
		Environment: variables,
	}, func(o *loader.Options) { o.SetProjectName("kafka-testbed", true) })
	if err != nil {
		return nil, fmt.Errorf("compose.yaml: %w", err)
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
			return nil, fmt.Errorf("compose.yaml: service %s: KAFKA_NODE_ID: %w", name, err)
		}
		nodes[id] = env
	}
	return nodes, nil
}
