// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 13: of 200 topics in one apply a broker refuses one. The others are done, the error names the one, and the next
// plan shows it alone. With plan_validation = "warn" the plan says so beforehand and goes on.
func TestAccTopicConfig_oneOfManyIsRefused(t *testing.T) {
	t.Parallel()
	const count, refused = 200, 137
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	prefix := testbed.UniqueName(t)
	topics := createMany(t, cluster, admin, prefix, count)
	w.Write("main.tf", cli.ProviderBlock(cluster.BootstrapServers(), `plan_validation = "warn"`)+fmt.Sprintf(`
resource "kafka_topic_config" "many" {
  count  = %d
  topic  = "%s-${count.index}"
  config = { "segment.ms" = count.index == %d ? "sixty" : "3600000" }
}
`, count, prefix, refused))

	r := w.Run("apply", "-auto-approve", "-json").Exits(cli.Failed)
	address, entity := fmt.Sprintf("kafka_topic_config.many[%d]", refused), fmt.Sprintf("topic %q", topics[refused])
	expectOne(t, r.Diagnostics("error"), address, entity)
	expectOne(t, r.Diagnostics("warning"), address, entity)
	if n := len(r.Of("apply_complete")); n != count-1 {
		t.Errorf("%d creates are complete, expected %d", n, count-1)
	}
	if n := len(w.State()); n != count-1 {
		t.Errorf("State has %d resources, expected %d", n, count-1)
	}
	expectAllSetBut(t, admin, topics, topics[refused])

	planned := w.Run("plan", "-json").Succeeds().Of("planned_change")
	if len(planned) != 1 {
		t.Errorf("The next plan has %d changes, expected 1: %v", len(planned), planned)
	}
}

// expectOne fails the test unless exactly one diagnostic of a plan and apply is about an object. Terraform's own ones have no address.
func expectOne(t *testing.T, diagnostics []cli.Diagnostic, address, entity string) {
	t.Helper()
	found := map[string]bool{}
	for _, d := range diagnostics {
		if d.Address == "" {
			continue
		}
		found[d.Summary] = true
		if d.Address != address || !strings.Contains(d.Summary, entity) || !strings.Contains(d.Detail, "Invalid value sixty for configuration segment.ms") {
			t.Errorf("Unexpected %s of %s: %s: %s", d.Severity, d.Address, d.Summary, d.Detail)
		}
	}
	if len(found) != 1 {
		t.Errorf("Diagnostics of resources: %v, expected one", found)
	}
}

// createMany creates topics with the names prefix-0, prefix-1, … in one request.
func createMany(t *testing.T, cluster *testbed.Cluster, admin *kadm.Client, prefix string, count int) []string {
	t.Helper()
	topics := make([]string, count)
	for i := range topics {
		topics[i] = fmt.Sprintf("%s-%d", prefix, i)
	}
	t.Cleanup(func() {
		if _, err := admin.DeleteTopics(context.Background(), topics...); err != nil {
			t.Errorf("Delete %d topics: %v", count, err)
		}
	})
	answers, err := admin.CreateTopics(t.Context(), 1, 1, nil, topics...)
	if err == nil {
		err = answers.Error()
	}
	if err != nil {
		t.Fatalf("Create %d topics: %v", count, err)
	}
	cluster.WaitTopic(t, topics[count-1], 1)
	return topics
}

func expectAllSetBut(t *testing.T, admin *kadm.Client, topics []string, but string) {
	t.Helper()
	described, err := admin.DescribeTopicConfigs(t.Context(), topics...)
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range described {
		want, got := map[string]string{"segment.ms": "3600000"}, map[string]string{}
		if topic.Name == but {
			want = map[string]string{}
		}
		for _, config := range topic.Configs {
			if config.Source == kmsg.ConfigSourceDynamicTopicConfig {
				got[config.Key] = config.MaybeValue()
			}
		}
		if topic.Err != nil || !maps.Equal(got, want) {
			t.Errorf("Topic %q has %v (%v), expected %v", topic.Name, got, topic.Err, want)
		}
	}
}
