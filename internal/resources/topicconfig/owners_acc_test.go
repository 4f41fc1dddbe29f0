// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 16: whoever owns a topic's set in the configuration, the topic ends with the declared one. Cases C-13, C-124.
func TestAccTopicConfig_changesOwner(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	recorder := testbed.Record(t, cluster)
	block := cli.ProviderBlock(recorder.BootstrapServers())
	declared := map[string]string{"retention.ms": "3600000", "cleanup.policy": "compact"}
	w.Write("main.tf", block+resourceBlock("first", topic, declared))
	w.Run("apply", "-auto-approve").Succeeds()

	t.Log("Two resources for one topic are refused in the plan.")
	w.Write("main.tf", block+resourceBlock("first", topic, declared)+resourceBlock("second", topic, map[string]string{}))
	recorder.Reset()
	w.Run("apply", "-auto-approve").Exits(cli.Failed).Says(fmt.Sprintf("Error: Two resources own the configs of topic %q", topic))
	if writes := recorder.Writes(); len(writes) != 0 {
		t.Errorf("%d writes after a refused plan", len(writes))
	}

	t.Log("A rename without a moved block creates and destroys, in either order.")
	w.Write("main.tf", block+resourceBlock("renamed", topic, declared))
	w.Run("apply", "-auto-approve").Succeeds().Says("1 added, 0 changed, 1 destroyed")
	expectConfigs(t, admin, topic, declared)
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)

	t.Log("A replacement that creates first destroys afterwards what it has just written.")
	w.Write("main.tf", block+resourceBlock("renamed", topic, declared, "lifecycle {\n    create_before_destroy = true\n  }"))
	w.Run("apply", "-auto-approve", "-replace=kafka_topic_config.renamed").Succeeds().Says("1 added, 0 changed, 1 destroyed",
		fmt.Sprintf("Warning: The configs of topic %q were left as they are", topic), "moved block").SaysNot("change their resource")
	expectConfigs(t, admin, topic, declared)

	t.Log("With a moved block a rename is no change.")
	w.Write("main.tf", block+resourceBlock("moved", topic, declared)+
		"moved {\n  from = kafka_topic_config.renamed\n  to   = kafka_topic_config.moved\n}\n")
	recorder.Reset()
	w.Run("apply", "-auto-approve").Succeeds().Says("has moved to", "0 added, 0 changed, 0 destroyed")
	expectTraffic(t, recorder, 0, 0)

	t.Log("A removed block lets go of the topic and leaves it as it is (acceptance line 21, case C-123).")
	w.Write("main.tf", block+"removed {\n  from = kafka_topic_config.moved\n  lifecycle {\n    destroy = false\n  }\n}\n")
	w.Run("apply", "-auto-approve").Succeeds().Says("0 added, 0 changed, 0 destroyed")
	if state := w.State(); len(state) != 0 {
		t.Errorf("State still has %v", state)
	}
	expectConfigs(t, admin, topic, declared)
	expectTraffic(t, recorder, 0, 0)
}

// Acceptance line 16: a saved plan that is applied after the topic changed does what it showed, and leaves the rest for the next
// plan to show. Case C-06.
func TestAccTopicConfig_savedPlan(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	block := cli.ProviderBlock(cluster.BootstrapServers())
	w.Write("main.tf", block+resourceBlock("saved", topic, map[string]string{"retention.ms": "3600000", "segment.ms": "86400000"}))
	w.Run("apply", "-auto-approve").Succeeds()
	w.Write("main.tf", block+resourceBlock("saved", topic, map[string]string{"retention.ms": "7200000", "segment.ms": "86400000"}))
	w.Run("plan", "-out=plan.out").Succeeds().Says("Plan: 0 to add, 1 to change, 0 to destroy")

	setConfigs(t, cluster, topic, map[string]string{"max.message.bytes": "2097152", "retention.ms": "5000000", "segment.ms": "43200000"})
	w.Run("apply", "plan.out").Succeeds()
	expectConfigs(t, admin, topic, map[string]string{"retention.ms": "7200000", "max.message.bytes": "2097152", "segment.ms": "43200000"})

	w.Run("plan", "-detailed-exitcode").Exits(cli.Changes).Says(
		`- "max.message.bytes" = "2097152"`, `~ "segment.ms" = "43200000" -> "86400000"`, "Plan: 0 to add, 1 to change, 0 to destroy",
	).SaysNot(`~ "retention.ms"`)
}
