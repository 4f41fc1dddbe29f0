// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"fmt"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
)

// Acceptance 1, 3, 16; C-46, C-118, C-123: Terraform itself. An import block with a change in one saved plan, an empty second plan, fewer
// partitions refused with exit code 1, a saved plan that the cluster has outgrown, and a destroy that leaves the topic.
func TestAccTopicAssignment_cli(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}, {3}})
	w := cli.New(t)
	configured := func(partitions, replicas int) {
		w.Write("main.tf", fmt.Sprintf(`%s
import {
  to = kafka_topic_assignment.test
  id = %q
}

resource "kafka_topic_assignment" "test" {
  topic              = %q
  partitions         = %d
  replication_factor = %d
}
`, cli.ProviderBlock(b.rec.BootstrapServers()), topic, topic, partitions, replicas))
	}
	configured(12, 3)
	w.Run("plan", "-no-color", "-out=grow.tfplan").Succeeds().Says("1 to import, 0 to add, 1 to change, 0 to destroy", "What the new layout of topic", "keys map to other partitions")
	w.Run("apply", "-no-color", "grow.tfplan").Succeeds().Says("1 imported", "1 changed")
	var layout lists
	for p := range 12 {
		d := b.describe(topic).Partitions[int32(p)]
		layout = append(layout, d.Replicas)
	}
	b.spread(layout, 12, 3)
	w.Run("plan", "-no-color", "-detailed-exitcode").Exits(0)

	configured(6, 3)
	w.Run("plan", "-no-color").Exits(1).Says("cannot have fewer partitions", "12 partitions", "wants 6")

	configured(12, 2)
	w.Run("plan", "-no-color", "-out=shrink.tfplan").Succeeds().Says("0 to add, 1 to change, 0 to destroy")
	b.reassign(topic, map[int32][]int32{0: {5, 4, 3}})
	layout[0] = []int32{5, 4, 3}
	b.has(topic, layout)
	b.rec.Reset()
	w.Run("apply", "-no-color", "shrink.tfplan").Exits(1).Says("The cluster changed", "Nothing was written").SaysNot("inconsistent")
	b.quiet()

	w.Run("destroy", "-no-color", "-auto-approve").Succeeds().Says("1 destroyed")
	b.has(topic, layout)
}

// Acceptance 3: what is wrong with a list is told at its place. Keys are numbers in configurations, and Terraform panics where a string
// key is to be found among such, so no test without Terraform itself would notice.
func TestAccTopicAssignment_listsByNumber(t *testing.T) {
	b := newBench(t)
	topic := b.topic(lists{{1}, {2}})
	w := cli.New(t)
	for lists, says := range map[string]string{
		"{ 0 = [1], 1 = [99] }":   "Broker 99 does not exist",
		"{ 0 = [1], 1 = [2, 2] }": "Broker 2 is listed twice",
		"{ 0 = [1], 1 = [] }":     "at least one replica",
		"{ 0 = [1], 1 = [-1] }":   "a number from 0 up",
		"{ 0 = [1], 7 = [2] }":    `There is no partition "7"`,
	} {
		w.Write("main.tf", fmt.Sprintf("%s\nresource \"kafka_topic_assignment\" \"test\" {\n  topic      = %q\n  assignment = %s\n}\n",
			cli.ProviderBlock(b.rec.BootstrapServers()), topic, lists))
		w.Run("plan", "-no-color").Exits(1).Says(says, "with kafka_topic_assignment.test").SaysNot("panic")
	}
}
