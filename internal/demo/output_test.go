// SPDX-License-Identifier: MPL-2.0

package main

import (
	"strings"
	"testing"
)

func TestRelevant(t *testing.T) {
	const output = `
Warning: Provider development overrides are in effect

The following provider development overrides are set in the CLI
configuration:
 - kafka-layout/kafka in /somewhere

The behavior may therefore not match any released version of the provider and
applying changes may cause the state to become incompatible with published
releases.
kafka_topic_config.orders: Refreshing state...

Terraform used the selected providers to generate the following execution
plan. Resource actions are indicated with the following symbols:
  ~ update in-place

Terraform will perform the following actions:

  # kafka_topic_config.orders will be updated in-place
  ~ resource "kafka_topic_config" "orders" {
      ~ config = {
          - "segment.bytes" = "1048576" -> null
        }
    }

Plan: 0 to add, 1 to change, 0 to destroy.

─────────────────────────────────────────────────────────────────────────────

Saved the plan to: plan
`
	const want = `  # kafka_topic_config.orders will be updated in-place
  ~ resource "kafka_topic_config" "orders" {
      ~ config = {
          - "segment.bytes" = "1048576" -> null
        }
    }

Plan: 0 to add, 1 to change, 0 to destroy.`
	if got := relevant(output); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestRelevantKeeps shows that no diagnostic is taken for noise.
func TestRelevantKeeps(t *testing.T) {
	for _, output := range []string{
		"Warning: Undeclared configs of topic \"audit\" will be reset\n\n  with kafka_topic_config.audit,",
		"Error: The brokers refuse the planned update\n\nINVALID_CONFIG: Invalid value sixty",
		"No changes. Your infrastructure matches the configuration.",
	} {
		if got := relevant(output); got != output {
			t.Errorf("got:\n%s\nwant:\n%s", got, output)
		}
	}
}

func TestQuotes(t *testing.T) {
	const output = "INVALID_CONFIG: Invalid value sixty for configuration retention.ms: Not a\n  number of type LONG. Correct it."
	if err := quotes(output, "Not a number of type LONG", "Correct it"); err != nil {
		t.Error(err)
	}
	err := quotes(output, "Not a number of type LONG", "policy", "retention.bytes")
	if err == nil || !strings.Contains(err.Error(), `"policy"`) || !strings.Contains(err.Error(), `"retention.bytes"`) {
		t.Errorf("got %v; want both missing sentences", err)
	}
}
