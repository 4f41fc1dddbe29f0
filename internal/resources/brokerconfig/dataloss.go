// SPDX-License-Identifier: MPL-2.0

package brokerconfig

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/dataloss"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/entityconfig"
)

const (
	cleanupPolicy  = "log.cleanup.policy"
	retentionMs    = "log.retention.ms"
	retentionBytes = "log.retention.bytes"
)

// inheritedKeys are the keys by which brokers delete the data of topics that have no value of their own.
var inheritedKeys = []string{cleanupPolicy, retentionMs, retentionBytes}

func touchesRetention(change configset.Change) bool {
	return slices.ContainsFunc(change.Keys(), func(key string) bool { return slices.Contains(inheritedKeys, key) })
}

// warnLosses warns where topics that inherit the brokers' values lose data by the change.
func warnLosses(planned entityconfig.Planned, brokers described) diag.Diagnostics {
	found := losses(planned, brokers)
	if len(found) == 0 {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(
		fmt.Sprintf("The change of %s may delete data", planned.Entity),
		configset.Scrub("Of topics that have no value of their own, brokers delete what the new values no longer keep:\n\n  "+strings.Join(found, "\n  "), planned.Secrets)+
			"\n\nDeleted records do not come back when the values are restored.")}
}

// warnUnread warns of a destroy whose effect could not be compared. A broker that is down is told of where the destroy is checked.
func warnUnread(planned entityconfig.Planned, err error) diag.Diagnostics {
	if errors.Is(err, kafkaapi.ErrBrokerUnavailable) {
		return nil
	}
	return diag.Diagnostics{diag.NewWarningDiagnostic(fmt.Sprintf("The change of %s may delete data", planned.Entity),
		"The change touches retention or clean-up, and the values in force could not be read to compare: "+entityconfig.Reason(err, planned.Secrets))}
}

// losses has a line for each difference by which a change lets live brokers delete data, for the cluster default with the brokers
// that it concerns.
func losses(planned entityconfig.Planned, brokers described) []string {
	var lines []string
	of := map[string][]string{}
	for _, broker := range brokers {
		if _, named := planned.Entity.BrokerID(); named && broker.Entity != planned.Entity {
			continue
		}
		was := inForce(broker.Configs)
		will := after(planned, broker, was)
		for _, key := range inheritedKeys {
			if !lessKept(key, was[key], will[key]) {
				continue
			}
			line := dataloss.Difference(key, was, will, planned.Hidden)
			if of[line] == nil {
				lines = append(lines, line)
			}
			of[line] = append(of[line], broker.Entity.String())
		}
	}
	if planned.Entity == kafkaapi.ClusterDefault() {
		for i, line := range lines {
			lines[i] = fmt.Sprintf("%s (%s)", line, strings.Join(of[line], ", "))
		}
	}
	return lines
}

// lessKept tells whether a broker keeps less with the second value. Retention counts under every policy, as a topic may have a policy of
// its own and inherit the retention.
func lessKept(key, was, will string) bool {
	if key == cleanupPolicy {
		return !dataloss.Deletes(was) && dataloss.Deletes(will)
	}
	return dataloss.Limit(will) < dataloss.Limit(was)
}

// inForce gives the values that topics inherit from a broker, of those that it told.
func inForce(configs []kafkaapi.Config) map[string]string {
	values := map[string]string{}
	for _, key := range inheritedKeys {
		if c, ok := find(configs, key); ok {
			values[key] = c.Value
		}
	}
	if retention, ok := dataloss.RetentionOf(configs); ok {
		values[retentionMs] = retention
	}
	return values
}

// after gives the values that topics inherit from a broker after the change: what it sets, for what it resets the next layer. The
// cluster default's change is none where a broker has a value of its own.
func after(planned entityconfig.Planned, broker kafkaapi.EntityConfigs, was map[string]string) map[string]string {
	layer := kafkaapi.SourceDynamicBroker
	if planned.Entity == kafkaapi.ClusterDefault() {
		layer = kafkaapi.SourceDynamicDefaultBroker
	}
	values := map[string]string{}
	for _, key := range inheritedKeys {
		values[key] = was[key]
		c, ok := find(broker.Configs, key)
		if !ok || layer == kafkaapi.SourceDynamicDefaultBroker && broker.Entity.Own(c) {
			continue
		}
		if value, sets := planned.Change.Set[key]; sets {
			values[key] = strings.TrimSpace(value)
		} else if slices.Contains(planned.Change.Delete, key) && c.Source == layer {
			values[key] = dataloss.NotRead
			if value, told := dataloss.Below(c, layer); told {
				values[key] = value
			}
		}
	}
	return values
}
