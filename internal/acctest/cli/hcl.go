// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"strings"
)

// ProviderBlock is the part of a configuration that requires the provider and points it at brokers, host:port each. Further
// attributes of the provider block are given as lines of HCL.
func ProviderBlock(brokers []string, attributes ...string) string {
	return fmt.Sprintf(`terraform {
  required_providers {
    kafka = { source = "kafka-layout/kafka" }
  }
}

provider "kafka" {
  bootstrap_servers = ["%s"]
  %s
}
`, strings.Join(brokers, `", "`), strings.Join(attributes, "\n  "))
}
