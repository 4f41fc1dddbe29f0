// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// seeded tells whether the course starts from a state that is made of one resource's. Terraform takes time with the square of the number of
// resources to create them: for 5000, with each provider, that would be most of the measurement and nothing of its result.
func (c course) seeded() bool {
	return c.subject.own != nil && len(c.commands) > 0 && !slices.Contains(c.commands, creation)
}

// seed makes the cluster and the state of a workspace what the creation of all would have made them.
func (c course) seed(ctx context.Context, workspace string, environment ...string) error {
	if err := c.seedTopics(ctx); err != nil {
		return err
	}
	return c.seedState(ctx, workspace, environment...)
}

// seedTopics gives all topics the configs that the first edition declares.
func (c course) seedTopics(ctx context.Context) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(c.servers...))
	if err != nil {
		return err
	}
	defer client.Close()
	var configs []kadm.AlterConfig
	for key, value := range c.subject.own {
		configs = append(configs, kadm.AlterConfig{Name: key, Value: &value})
	}
	const chunk = 500
	for first := 0; first < c.size; first += chunk {
		var names []string
		for i := first; i < min(first+chunk, c.size); i++ {
			names = append(names, name(i))
		}
		answers, err := kadm.NewClient(client).AlterTopicConfigs(ctx, configs, names...)
		if err != nil {
			return err
		}
		for _, answer := range answers {
			if answer.Err != nil {
				return fmt.Errorf("set the configs of %s: %w", answer.Name, answer.Err)
			}
		}
	}
	return nil
}

// seedState applies one resource and makes all of its state.
func (c course) seedState(ctx context.Context, workspace string, environment ...string) error {
	one := []string{"apply", "-auto-approve", "-no-color", "-input=false", "-var=edition=0", "-var=size=1"}
	if _, err := terraform(ctx, workspace, step{args: one}, environment...); err != nil {
		return err
	}
	file := filepath.Join(workspace, "terraform.tfstate")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if text, err = multiply(text, c.size); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// multiply makes a state of many topics out of one that has the first.
func multiply(state []byte, size int) ([]byte, error) {
	var all map[string]any
	if err := json.Unmarshal(state, &all); err != nil {
		return nil, err
	}
	resources, _ := all["resources"].([]any)
	if len(resources) != 1 {
		return nil, fmt.Errorf("the state has %d resources, not one", len(resources))
	}
	resource, _ := resources[0].(map[string]any)
	instances, _ := resource["instances"].([]any)
	if len(instances) != 1 {
		return nil, fmt.Errorf("the state has %d instances, not one", len(instances))
	}
	first, err := json.Marshal(instances[0])
	if err != nil {
		return nil, err
	}
	instances = instances[:0]
	for i := range size {
		var instance map[string]any
		if err := json.Unmarshal([]byte(strings.ReplaceAll(string(first), name(0), name(i))), &instance); err != nil {
			return nil, err
		}
		instance["index_key"] = i
		instances = append(instances, instance)
	}
	resource["instances"] = instances
	return json.Marshal(all)
}
