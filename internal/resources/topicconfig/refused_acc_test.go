// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 7: what a broker refuses fails in the plan, at the attribute and in the broker's words, and nothing is applied.
// Cases C-01, C-136.
func TestAccTopicConfig_refusedPlan(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	good, bad := cluster.UniqueTopic(t, 1, 1), cluster.UniqueTopic(t, 1, 1)
	recorder := testbed.Record(t, cluster)
	w.Write("main.tf", cli.ProviderBlock(recorder.BootstrapServers())+
		resourceBlock("good", good, map[string]string{"retention.ms": "3600000"})+
		resourceBlock("bad", bad, map[string]string{"retention.ms": "sixty"}))

	r := w.Run("apply", "-auto-approve", "-json").Exits(cli.Failed)
	problems := r.Diagnostics("error")
	if len(problems) != 1 {
		t.Fatalf("%d errors, expected 1:\n%s", len(problems), r.Stdout)
	}
	problem := problems[0]
	if problem.Address != "kafka_topic_config.bad" || strings.TrimSpace(problem.Snippet.Code) != `"retention.ms" = "sixty"` {
		t.Errorf("The error is at %s, %q", problem.Address, problem.Snippet.Code)
	}
	if want := fmt.Sprintf("The brokers refuse the planned create of the configs of topic %q", bad); problem.Summary != want {
		t.Errorf("Summary %q, expected %q", problem.Summary, want)
	}
	if broker := "Invalid value sixty for configuration retention.ms: Not a number of type LONG"; !strings.Contains(problem.Detail, broker) {
		t.Errorf("The broker's words %q are not in %q", broker, problem.Detail)
	}
	if started := r.Of("apply_start"); len(started) != 0 {
		t.Errorf("The apply started: %v", started)
	}
	expectTraffic(t, recorder, 0, 2)
}

// Terraform panics where a string key is to be found among keys that are written as numbers, so no test without Terraform itself would
// notice.
func TestAccTopicConfig_numberAsKey(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	for config, says := range map[string]string{
		`config = { 1 = "x", "retention.ms" = "1000" }`:                                         "Unknown topic config name: 1",
		`config = { 1 = "1000", "retention.ms" = "1000" }` + "\n  sensitive_config = { 1 = 2 }": `Config "1" is declared twice`,
	} {
		w.Write("main.tf", fmt.Sprintf("%s\nresource \"kafka_topic_config\" \"test\" {\n  topic  = %q\n  %s\n}\n", cli.ProviderBlock(cluster.BootstrapServers()), topic, config))
		w.Run("plan", "-no-color").Exits(cli.Failed).Says(says, "with kafka_topic_config.test").SaysNot("panic")
	}
}

// Acceptance line 21: a value that the protocol cannot carry is refused before any broker sees it.
func TestAccTopicConfig_tooLongValue(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	recorder := testbed.Record(t, cluster)
	w.Write("main.tf", cli.ProviderBlock(recorder.BootstrapServers())+resourceBlock("long", topic,
		map[string]string{"follower.replication.throttled.replicas": strings.Repeat("0:1,", 10_000)}))

	w.Run("plan").Exits(cli.Failed).Says("Error: Config value is too long", "The value has 40000 bytes; Kafka's protocol carries at most 32767")
	if requests := recorder.Requests(); len(requests) != 0 {
		t.Errorf("Requests reached the brokers:\n%s", recorder)
	}
}
