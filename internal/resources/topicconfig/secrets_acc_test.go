// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// secretConfig declares one key in each of the three maps. Kafka hides no config of a topic, so these are secrets by declaration only,
// and every broker answer has them in clear: the hard case for a log. They come from variables, as in real life: Terraform itself
// shows and saves what stands in the configuration.
type secretConfig struct {
	topic                        string
	canary, sensitive, writeOnly string // values of flush.ms, retention.bytes, retention.ms
	version                      int
}

// labelOfSecrets is the canary of logs: Terraform writes addresses into its log, and values never.
const labelOfSecrets = "canary_of_logs"

func (s secretConfig) write(w *cli.Workspace, block string) {
	w.Setenv("TF_VAR_sensitive", s.sensitive)
	w.Setenv("TF_VAR_write_only", s.writeOnly)
	w.Write("main.tf", block+`
variable "sensitive" {
  type      = string
  sensitive = true
}
variable "write_only" {
  type      = string
  sensitive = true
  ephemeral = true
}
`+resourceBlock(labelOfSecrets, s.topic, map[string]string{"flush.ms": s.canary},
		`sensitive_config = { "retention.bytes" = var.sensitive }`,
		`sensitive_config_wo = { "retention.ms" = var.write_only }`,
		fmt.Sprintf(`sensitive_config_wo_version = %d`, s.version)))
}

func (s secretConfig) set() map[string]string {
	return map[string]string{"flush.ms": s.canary, "retention.bytes": s.sensitive, "retention.ms": s.writeOnly}
}

// randomNumber is a number between first and first+1 times the scale, which with so many digits occurs nowhere by chance.
func randomNumber(first, scale int64) string { return fmt.Sprint(first*scale + rand.Int64N(scale)) }

// Acceptance line 11: a sensitive value is flagged in plan and state and in no output or log; a write-only one is in no file either.
// The warning of data loss, which shows values before and after, shows neither. Cases C-33, C-34, C-112.
func TestAccTopicConfig_secrets(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	topic := cluster.UniqueTopic(t, 1, 1)
	block := cli.ProviderBlock(cluster.BootstrapServers())
	w.Setenv("TF_LOG", "TRACE")
	w.Setenv("TF_LOG_PATH", w.Path("trace.log"))

	const digits18, digits12 = 100_000_000_000_000_000, 1_000_000_000
	one := secretConfig{topic: topic, canary: randomNumber(9, digits18), sensitive: randomNumber(8, digits18), writeOnly: randomNumber(314, digits12), version: 1}
	one.write(w, block)
	plan := w.Run("plan", "-out=plan.out").Succeeds().Says("(sensitive value)", "(write-only attribute)")
	w.Scan(plan).Hides(one.canary, one.sensitive, one.writeOnly)
	w.ScanFile("plan.out").Hides(one.canary, one.writeOnly)
	w.ScanFile("plan.out").Shows(one.sensitive) // flagged, not left out: the scan can tell the two apart
	shown := w.Run("show", "-json", "plan.out").Succeeds()
	w.Scan(shown).Hides(one.canary, one.writeOnly)
	if flagged := `"sensitive_config":true`; !strings.Contains(shown.Stdout, flagged) {
		t.Errorf("The plan does not flag the map: no %s in %s", flagged, shown.Stdout)
	}
	applied := w.Run("apply", "plan.out").Succeeds()
	w.Scan(applied).Hides(labelOfSecrets, one.sensitive, one.writeOnly)
	expectConfigs(t, admin, topic, one.set())
	w.ScanFile("terraform.tfstate").Hides(one.canary, one.writeOnly)
	expectFlagged(t, w)

	// Both secrets fall, which the brokers' clean-up may act on.
	two := secretConfig{topic: topic, canary: randomNumber(9, digits18), sensitive: randomNumber(6, digits18), writeOnly: randomNumber(313, digits12), version: 2}
	secrets := []string{one.sensitive, one.writeOnly, two.sensitive, two.writeOnly}
	two.write(w, block)
	rotated := w.Run("apply", "-auto-approve").Succeeds().Says("retention.ms: (sensitive value) -> (sensitive value)",
		"retention.bytes: (sensitive value) -> (sensitive value)", "0 added, 1 changed, 0 destroyed")
	w.Scan(rotated).Hides(two.canary, secrets...)
	expectConfigs(t, admin, topic, two.set())
	w.ScanFile("terraform.tfstate").Hides(two.canary, one.writeOnly, two.writeOnly)
	w.ScanFile("terraform.tfstate.backup").Hides(one.canary, one.writeOnly, two.writeOnly)

	gone := w.Run("plan", "-destroy").Succeeds().Says("retention.ms: (sensitive value) -> (sensitive value)")
	w.Scan(gone).Hides(two.canary, secrets...)
	w.ScanFile("trace.log").Hides("kafka_topic_config."+labelOfSecrets, secrets...)
}

// expectFlagged fails the test unless state flags the sensitive map and names both keys.
func expectFlagged(t *testing.T, w *cli.Workspace) {
	t.Helper()
	instance, ok := w.Instance("kafka_topic_config." + labelOfSecrets)
	if !ok {
		t.Fatal("The resource is not in state")
	}
	if !strings.Contains(string(instance.SensitiveAttributes), `"sensitive_config"`) {
		t.Errorf("State flags %s", instance.SensitiveAttributes)
	}
	if keys := fmt.Sprint(instance.Attributes["sensitive_keys"]); keys != "[retention.bytes retention.ms]" {
		t.Errorf("State has the sensitive keys %s", keys)
	}
}
