// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 17: a plan after which brokers delete more says so with the values before and after, a destroy included; a resource
// that keeps its configs on destroy sends nothing then. Cases C-07, C-123.
func TestAccTopicConfig_mayDeleteData(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	recorder := testbed.Record(t, cluster)
	block := cli.ProviderBlock(recorder.BootstrapServers())
	declared := map[string]string{"cleanup.policy": "compact", "retention.ms": "1209600000"}
	inherited := configInForce(t, admin, topic, "retention.ms")
	warning := fmt.Sprintf("Warning: The change of topic %q may delete data", topic)

	w.Write("main.tf", block+resourceBlock("precious", topic, declared))
	w.Run("apply", "-auto-approve").Succeeds().SaysNot("may delete data")

	w.Write("main.tf", block+resourceBlock("precious", topic, map[string]string{"retention.ms": "3600000"}))
	w.Run("plan").Succeeds().Says(warning, "cleanup.policy: compact -> delete", "retention.ms: 1209600000 -> 3600000")
	w.Run("plan", "-destroy").Succeeds().Says(warning, "cleanup.policy: compact -> delete", "retention.ms: 1209600000 -> "+inherited)

	recorder.Reset()
	w.Write("main.tf", block+resourceBlock("precious", topic, declared, `on_destroy = "keep"`))
	w.Run("apply", "-auto-approve").Succeeds().Says("0 added, 1 changed, 0 destroyed")
	w.Run("apply", "-destroy", "-auto-approve").Succeeds().Says("0 added, 0 changed, 1 destroyed").SaysNot("may delete data")
	expectTraffic(t, recorder, 0, 0)
	expectConfigs(t, admin, topic, declared)
}

// Acceptance line 17: a destroy resets what state knows, in one request, and the topic stays. Case C-07.
func TestAccTopicConfig_destroyResets(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	recorder := testbed.Record(t, cluster)
	w.Write("main.tf", cli.ProviderBlock(recorder.BootstrapServers())+
		resourceBlock("gone", topic, map[string]string{"retention.ms": "3600000", "segment.ms": "86400000"}))
	w.Run("apply", "-auto-approve").Succeeds()
	recorder.Reset()
	w.Run("apply", "-destroy", "-auto-approve").Succeeds().Says("0 added, 0 changed, 1 destroyed")
	expectConfigs(t, cluster.Admin(t), topic, map[string]string{})
	if writes := recorder.Writes(); len(writes) != 1 {
		t.Errorf("%d writes, expected 1:\n%s", len(writes), recorder)
	}
}
