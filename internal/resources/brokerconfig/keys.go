// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

// judgeKeys refuses, among the keys of the config attribute that change, passwords and keys that no live broker knows. Brokers
// would take both: a password would be shown by Terraform, a mistyped key stored and hidden.
func judgeKeys(planned entityconfig.Planned, brokers described) diag.Diagnostics {
	var diags diag.Diagnostics
	types, names := brokers.types(), brokers.names()
	for _, key := range planned.Plain {
		at := entityconfig.KeyPath("config", key, slices.Values(planned.Plain))
		switch t, known := configset.BrokerKeyType(key, types); {
		case t == configset.Password:
			diags.AddAttributeError(at, fmt.Sprintf("Config %q of %s is a secret", key, planned.Entity),
				fmt.Sprintf("Brokers hide the value of %s, and Terraform would show it. Declare it in sensitive_config, or in sensitive_config_wo to keep it out of state too.", key))
		case !known && planned.Refusals != entityconfig.ValidationOff:
			summary := fmt.Sprintf("No broker knows the config %q of %s", key, planned.Entity)
			detail := unknownKey(key, names)
			if planned.Refusals == entityconfig.ValidationWarn {
				diags.AddAttributeWarning(at, summary, detail)
			} else {
				diags.AddAttributeError(at, summary, detail)
			}
		}
	}
	return diags
}

func unknownKey(key string, names []string) string {
	detail := "A broker stores any key, and hides those that it does not know, so a mistyped one would have no effect and never be found."
	if nearest, ok := configset.NearestBrokerKey(key, names); ok {
		detail += fmt.Sprintf(" Did you mean %q?", nearest)
	}
	return detail + " A key of a plug-in belongs into a sensitive map, as Kafka hides it."
}

// shadows warns where brokers have a value of their own for what the cluster default sets.
func shadows(planned entityconfig.Planned, brokers described) diag.Diagnostics {
	var lines []string
	for _, key := range planned.Change.Keys() {
		if _, set := planned.Change.Set[key]; !set {
			continue
		}
		for _, broker := range brokers {
			if c, ok := find(broker.Configs, key); ok && broker.Entity.Own(c) {
				value := fmt.Sprintf("%q", c.Value)
				if c.Sensitive || slices.Contains(planned.Hidden, key) {
					value = "a hidden value"
				}
				lines = append(lines, fmt.Sprintf("  %s: %s has %s", key, broker.Entity, value))
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic("Brokers override the cluster default",
		configset.Scrub("The cluster default has no effect where a broker has its own value:\n\n"+strings.Join(lines, "\n"), planned.Secrets)+
			"\n\nReset the brokers' own values if the default is meant for them too.")}
}
