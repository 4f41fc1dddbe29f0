// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
)

// labelOfSecrets is the canary of logs: Terraform writes addresses into its log, and values never.
const labelOfSecrets = "canary_of_logs"

// secretBroker is broker 1 with a plain config and two write-only secrets, which come from ephemeral variables as in real life.
func secretBroker(w *cli.Workspace, block, delay, password, jaas string, version int) {
	w.Setenv("TF_VAR_password", password)
	w.Setenv("TF_VAR_jaas", jaas)
	w.Write("main.tf", block+fmt.Sprintf(`
variable "password" {
  type      = string
  sensitive = true
  ephemeral = true
}
variable "jaas" {
  type      = string
  sensitive = true
}
resource "kafka_broker_config" %q {
  broker_id                   = 1
  config                      = { "log.segment.delete.delay.ms" = %q }
  sensitive_config            = { %q = var.jaas }
  sensitive_config_wo         = { %q = var.password }
  sensitive_config_wo_version = %d
}
`, labelOfSecrets, delay, jaasConfig, storePassword, version))
}

// Acceptance line 5 (without a TLS listener); C-34, C-45, C-112: secrets of a broker are in no output, log or error; a write-only one is in no
// file either. A rotation writes it, a value that the broker refuses is quoted without it.
func TestAccBrokerConfig_secrets(t *testing.T) {
	w := cli.New(t)
	b := newBench(t)
	block := cli.ProviderBlock(b.rec.BootstrapServers())
	w.Setenv("TF_LOG", "TRACE")
	w.Setenv("TF_LOG_PATH", w.Path("trace.log"))
	jaas := "com.example.Module required password=" + otherSecret + ";"

	secretBroker(w, block, "864000001", topSecret, jaas, 1)
	plan := w.Run("plan", "-out=plan.out").Succeeds().Says("(sensitive value)", "(write-only attribute)", storePassword)
	w.Scan(plan).Hides("864000001", topSecret, otherSecret)
	w.ScanFile("plan.out").Hides("864000001", topSecret)
	w.Scan(w.Run("show", "-json", "plan.out").Succeeds()).Hides("864000001", topSecret)
	w.Scan(w.Run("apply", "plan.out").Succeeds()).Hides(labelOfSecrets, topSecret, otherSecret)
	b.has("1", configs{"log.segment.delete.delay.ms": "864000001", storePassword: hidden, jaasConfig: hidden})
	w.ScanFile("terraform.tfstate").Hides("864000001", topSecret)

	b.rec.Reset()
	secretBroker(w, block, "864000001", topSecret+"-rotated", jaas, 1)
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
	b.quiet()
	secretBroker(w, block, "864000001", topSecret+"-rotated", jaas, 2)
	w.Scan(w.Run("apply", "-auto-approve").Succeeds().Says("0 added, 1 changed, 0 destroyed")).Hides(labelOfSecrets, topSecret, otherSecret)
	b.wrote("1", map[string]any{storePassword: topSecret + "-rotated"})

	w.Write("main.tf", strings.Replace(block+`
variable "password" {
  type      = string
  ephemeral = true
}
resource "kafka_broker_config" "LABEL" {
  broker_id                   = 1
  sensitive_config_wo         = { "log.retention.bytes" = var.password }
  sensitive_config_wo_version = 3
}
`, "LABEL", labelOfSecrets, 1))
	refused := w.Run("plan").Exits(cli.Failed).Says("Invalid value (sensitive value) for configuration log.retention.bytes")
	w.Scan(refused).Hides(labelOfSecrets, topSecret, otherSecret)
	w.Write("main.tf", block)
	w.Scan(w.Run("apply", "-auto-approve").Succeeds().Says("1 destroyed")).Hides(labelOfSecrets, topSecret, otherSecret)
	b.has("1", configs{})
	w.ScanFile("trace.log").Hides("kafka_broker_config."+labelOfSecrets, topSecret, otherSecret)
}

// Acceptance line 11; C-23, C-26: terraform writes the configuration of a broker and of the default itself, and that plans nothing.
func TestAccBrokerConfig_generatedConfig(t *testing.T) {
	w := cli.New(t)
	b := newBench(t)
	b.outside("1", map[string]any{"log.segment.delete.delay.ms": "86400000", "listener.name.external.max.connections": "500"})
	b.outside(clusterDefault, map[string]any{"log.segment.bytes": "104857600"})
	w.Write("main.tf", cli.ProviderBlock(b.rec.BootstrapServers())+`
import {
  to = kafka_broker_config.one
  id = "1"
}
import {
  to = kafka_broker_config.defaults
  id = "default"
}
`)
	w.Run("plan", "-generate-config-out=generated.tf").Succeeds().Says("Plan: 2 to import, 0 to add, 0 to change, 0 to destroy")
	generated, err := os.ReadFile(w.Path("generated.tf"))
	if err != nil || strings.Count(string(generated), `resource "kafka_broker_config"`) != 2 {
		t.Fatalf("Terraform generated (%v):\n%s", err, generated)
	}
	w.Run("apply", "-auto-approve").Succeeds().Says("2 imported, 0 added, 0 changed, 0 destroyed")
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
	b.quiet()
}

// C-25: for_each over brokers, each written at its own; a broker that is not declared stays as it is.
func TestAccBrokerConfig_forEach(t *testing.T) {
	w := cli.New(t)
	b := newBench(t)
	b.outside("3", map[string]any{"log.segment.delete.delay.ms": "3000000"})
	write := func(brokers string) {
		w.Write("main.tf", cli.ProviderBlock(b.rec.BootstrapServers())+`
resource "kafka_broker_config" "each" {
  for_each  = toset([`+brokers+`])
  broker_id = tonumber(each.key)
  config    = { "log.segment.delete.delay.ms" = "${1000000 + tonumber(each.key)}" }
}
`)
	}
	write(`"1", "2"`)
	w.Run("apply", "-auto-approve").Succeeds().Says("2 added, 0 changed, 0 destroyed")
	b.has("1", configs{"log.segment.delete.delay.ms": "1000001"})
	b.has("2", configs{"log.segment.delete.delay.ms": "1000002"})
	b.has("3", configs{"log.segment.delete.delay.ms": "3000000"})
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
	write(`"2"`)
	w.Run("apply", "-auto-approve").Succeeds().Says("0 added, 0 changed, 1 destroyed")
	b.has("1", configs{})
	b.has("2", configs{"log.segment.delete.delay.ms": "1000002"})
}

// Acceptance line 8; C-43: an unreachable broker leaves the exit status of an unchanged configuration as it is, and the plan names it.
func TestAccBrokerConfig_brokerDown(t *testing.T) {
	w := cli.New(t)
	b := newBench(t)
	block := cli.ProviderBlock(b.rec.BootstrapServers(), `request_timeout = "3s"`)
	write := func(delay string) {
		w.Write("main.tf", block+fmt.Sprintf(`
resource "kafka_broker_config" "each" {
  for_each  = toset(["1", "2"])
  broker_id = tonumber(each.key)
  config    = { "log.segment.delete.delay.ms" = each.key == "2" ? %q : "1000001" }
}
`, delay))
	}
	write("1000002")
	w.Run("apply", "-auto-approve").Succeeds()
	if err := b.rec.Refuse(2); err != nil {
		t.Fatal(err)
	}
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges).Says("Warning: The configs of broker 2 could not be refreshed", b.rec.Address(2))
	write("2000002")
	w.Run("plan", "-detailed-exitcode").Exits(cli.Failed).Says("Error: Cannot change the configs of broker 2", b.rec.Address(2))
	w.Run("apply", "-auto-approve").Exits(cli.Failed)
	if err := b.rec.Heal(2); err != nil {
		t.Fatal(err)
	}
	w.Run("apply", "-auto-approve").Succeeds().Says("0 added, 1 changed, 0 destroyed")
	b.has("2", configs{"log.segment.delete.delay.ms": "2000002"})
}
