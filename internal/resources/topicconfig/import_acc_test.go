// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// oddTopics creates topics with each kind of name that Kafka takes, and returns the names with the topics' configs.
func oddTopics(t *testing.T, cluster *testbed.Cluster) map[string]map[string]string {
	// A dot and an underscore are one and the same in Kafka's metrics, so no two names differ by them alone.
	unique := testbed.UniqueName(t)
	unique = unique[len(unique)-8:]
	topics := map[string]map[string]string{
		"acc.dots.and.more." + unique:                 {"retention.ms": "3600000", "cleanup.policy": "compact,delete"},
		"acc_under_scores_" + unique:                  {"max.message.bytes": "2097152"},
		"acc-Dashes--UPPER-" + unique:                 {},
		strings.Repeat("x", 249-len(unique)) + unique: {"segment.ms": "86400000"},
		"_" + unique + ".-_":                          {"compression.type": "zstd"},
	}
	for name, configs := range topics {
		cluster.CreateTopic(t, name, 1, 1, configs)
	}
	return topics
}

// Acceptance line 12: import blocks bring in topics of any legal name, many at a time, and change nothing that the configuration
// says. Cases C-120, C-138, C-23.
func TestAccTopicConfig_importBlockForEach(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	topics := oddTopics(t, cluster)
	recorder := testbed.Record(t, cluster)
	var b strings.Builder
	for name, configs := range topics {
		fmt.Fprintf(&b, "    %q = {", name)
		for key, value := range configs {
			fmt.Fprintf(&b, " %q = %q,", key, value)
		}
		b.WriteString(" }\n")
	}
	w.Write("main.tf", cli.ProviderBlock(recorder.BootstrapServers())+fmt.Sprintf(`
locals {
  topics = {
%s  }
}
import {
  for_each = local.topics
  to       = kafka_topic_config.all[each.key]
  id       = each.key
}
resource "kafka_topic_config" "all" {
  for_each = local.topics
  topic    = each.key
  config   = length(each.value) > 0 ? each.value : null
}
`, b.String()))

	w.Run("plan").Succeeds().Says(fmt.Sprintf("Plan: %d to import, 0 to add, 0 to change, 0 to destroy", len(topics)))
	w.Run("apply", "-auto-approve").Succeeds().Says(fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", len(topics)))
	if n := len(w.State()); n != len(topics) {
		t.Errorf("State has %d resources, expected %d", n, len(topics))
	}
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
	expectTraffic(t, recorder, 0, 0)
}

// Acceptance line 12: terraform writes the configuration of existing topics itself, and that configuration plans nothing.
// Cases C-23, C-138.
func TestAccTopicConfig_generatedConfig(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	recorder := testbed.Record(t, cluster)
	blocks := cli.ProviderBlock(recorder.BootstrapServers())
	number := 0
	for name := range oddTopics(t, cluster) {
		number++
		blocks += fmt.Sprintf("import {\n  to = kafka_topic_config.generated_%d\n  id = %q\n}\n", number, name)
	}
	w.Write("main.tf", blocks)

	imports := fmt.Sprintf("Plan: %d to import, 0 to add, 0 to change, 0 to destroy", number)
	w.Run("plan", "-generate-config-out=generated.tf").Succeeds().Says(imports)
	generated, err := os.ReadFile(w.Path("generated.tf"))
	if err != nil || strings.Count(string(generated), `resource "kafka_topic_config"`) != number {
		t.Fatalf("Terraform generated (%v):\n%s", err, generated)
	}
	w.Run("apply", "-auto-approve").Succeeds().Says(fmt.Sprintf("%d imported, 0 added, 0 changed, 0 destroyed", number))
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
	expectTraffic(t, recorder, 0, 0)
}

// Acceptance line 12: the import command, and what it says of a topic that is not there (case C-119) and of a name that none can have.
func TestAccTopicConfig_importCommand(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	topic := testbed.UniqueName(t)
	declared := map[string]string{"retention.ms": "3600000"}
	cluster.CreateTopic(t, topic, 1, 1, declared)
	w.Write("main.tf", cli.ProviderBlock(cluster.BootstrapServers())+resourceBlock("imported", topic, declared))

	w.Run("import", "kafka_topic_config.imported", topic+"-not").Exits(cli.Failed).Says(
		fmt.Sprintf("Error: Cannot import the configs of topic %q", topic+"-not"), fmt.Sprintf("The topic %q does not exist", topic+"-not"))
	w.Run("import", "kafka_topic_config.imported", "no topic").Exits(cli.Failed).Says("Malformed import id", `"no topic" is no name of a topic`)
	w.Run("import", "kafka_topic_config.imported", topic).Succeeds()
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
}
