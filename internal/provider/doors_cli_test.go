// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/doors"
)

// opensForTerraform is acceptance lines 1, 3 and 7 with Terraform itself, at the level TRACE: a password that is ephemeral, an
// authority that is not known before apply, a client secret and a passphrase of the environment, and a refusal at the end.
func (h *house) opensForTerraform(t *testing.T) {
	w := cli.New(t)
	clearEnvironment(t)
	topic := h.UniqueTopic(t, 1, 3)
	w.Write("ca.pem", string(h.Authority.PEM()))
	// What the documentation shows, for this cluster.
	example, err := os.ReadFile("../../examples/connect/apache-kafka-scram.tf")
	if err != nil {
		t.Fatal(err)
	}
	block := strings.NewReplacer(`"kafka-1.example.com:9093", "kafka-2.example.com:9093"`, `"`+strings.Join(h.Servers(t, doors.SecureSASL), `", "`)+`"`,
		`file("ca.pem")`, "terraform_data.authority.output", `"terraform"`, strconv.Quote(doors.User)).Replace(string(example))
	w.Write("main.tf", block+fmt.Sprintf(`
resource "terraform_data" "authority" {
  input = file("ca.pem")
}

resource "kafka_topic_config" "this" {
  topic  = %q
  config = { "max.message.bytes" = "2000000" }
}
`, topic))
	w.Setenv("TF_LOG", "TRACE")
	log := func(name string) { w.Setenv("TF_LOG_PATH", w.Path(name)) }

	log("apply.log")
	w.Setenv("TF_VAR_kafka_password", doors.Password)
	// What belongs to another mechanism is not used, and not shown either.
	w.Setenv("KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET", doors.ClientSecret)
	w.Setenv("KAFKA_TLS_CLIENT_KEY_PASSPHRASE", passphrase)
	planned := w.Run("plan", "-out=plan").Succeeds()
	applied := w.Run("apply", "plan").Succeeds()
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)

	log("refused.log")
	w.Setenv("TF_VAR_kafka_password", "canary-wrong")
	refused := w.Run("plan").Exits(cli.Failed)
	refused.Says(`the broker refuses user "alice" with SCRAM-SHA-512`, "Correct sasl of the provider")

	secrets := []string{doors.Password, doors.ClientSecret, passphrase, "canary-wrong"}
	w.ScanFile("plan").Hides(topic, secrets...)
	w.ScanFile("terraform.tfstate").Hides(topic, secrets...)
	w.ScanFile("apply.log").Hides("kafka_topic_config.this", secrets...)
	w.ScanFile("refused.log").Hides("the broker refuses user", secrets...)
	w.ScanFile("apply.log").Shows("Kafka client library")
	for _, result := range []*cli.Result{planned, applied, refused} {
		for _, secret := range secrets {
			if strings.Contains(result.Text(), secret) {
				t.Errorf("Terraform shows %s", secret)
			}
		}
	}
}
