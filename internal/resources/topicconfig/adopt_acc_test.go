// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 3 (a plan names what adopting a topic takes away, the apply leaves exactly the declared set) and line 4 (nothing
// to do means nothing sent). Cases C-04, C-05, C-08, C-13.
func TestAccTopicConfig_adopts(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := testbed.UniqueName(t)
	// retention.ms is set to what it would be anyway: it counts by where it comes from, not by its value.
	cluster.CreateTopic(t, topic, 1, 3, map[string]string{
		"retention.ms": "604800000", "max.message.bytes": "2097152", "cleanup.policy": "delete",
	})
	recorder := testbed.Record(t, cluster)
	declared := map[string]string{"cleanup.policy": "compact", "segment.bytes": "1073741824"}
	w.Write("main.tf", cli.ProviderBlock(recorder.BootstrapServers())+resourceBlock("adopted", topic, declared))

	w.Run("plan", "-out=plan.out").Succeeds().Says(
		"Plan: 1 to add, 0 to change, 0 to destroy",
		`Warning: Undeclared configs of topic "`+topic+`" will be reset`,
		`max.message.bytes = "2097152"`, `retention.ms = "604800000"`,
	).SaysNot(`cleanup.policy = "delete"`)
	expectTraffic(t, recorder, 0, 1)

	w.Run("apply", "plan.out").Succeeds().SaysNot("turned up after the plan")
	expectConfigs(t, admin, topic, declared)
	// The core of the apply walk plans again, which is one more validation.
	expectTraffic(t, recorder, 1, 2)

	tool, err := cluster.RunTool(t.Context(), "org.apache.kafka.tools.ConfigCommand",
		"--bootstrap-server", cluster.BootstrapServers()[0], "--describe", "--topic", topic)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"cleanup.policy=compact", "segment.bytes=1073741824"} {
		if !strings.Contains(tool, key) {
			t.Errorf("Kafka's own tool does not show %s:\n%s", key, tool)
		}
	}
	if n := strings.Count(tool, "synonyms="); n != len(declared) {
		t.Errorf("Kafka's own tool shows %d configs of the topic's own, expected %d:\n%s", n, len(declared), tool)
	}

	recorder.Reset()
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges).Says("No changes.")
	w.Run("apply", "-auto-approve").Succeeds().Says("0 added, 0 changed, 0 destroyed")
	expectTraffic(t, recorder, 0, 0)
	if len(recorder.Requests()) == 0 {
		t.Error("No request at all reached the recorder, so it counted nothing")
	}
}
