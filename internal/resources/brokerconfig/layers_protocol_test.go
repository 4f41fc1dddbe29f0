// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// Acceptance line 1; C-25, C-27, C-40: the cluster default and two brokers side by side, in one run. Each is written at the right source and
// at the right broker, and the next plan is empty.
func TestDefaultAndBrokers(t *testing.T) {
	b := newBench(t)
	declared := map[string]values{
		clusterDefault: ofDefault(configs{"log.segment.delete.delay.ms": "259200000", "log.cleaner.threads": "2", "max.connections.per.ip.overrides": "127.0.0.2:50"}),
		"1":            ofBroker(1, configs{"log.segment.delete.delay.ms": "86400000", "listener.name.external.max.connections": "500"}),
		"2":            ofBroker(2, configs{"log.segment.bytes": "104857600", "num.io.threads": "8"}),
	}
	order := []string{clusterDefault, "1", "2"}
	held := map[string]*acctest.Resource{}
	plan, apply := b.tf.Walk(), b.tf.Walk()
	for _, name := range order {
		held[name] = b.tf.Resource(typeName)
		p := plan.Plan(held[name], declared[name])
		p.Diagnostics.None(t)
		apply.Apply(p, nil).None(t)
	}
	b.has(clusterDefault, declared[clusterDefault]["config"].(configs))
	b.has("1", declared["1"]["config"].(configs))
	b.has("2", declared["2"]["config"].(configs))
	b.has("3", configs{})
	for broker, delay := range map[int]string{1: "86400000", 2: "259200000", 3: "259200000"} {
		if got := effective(t, b.cluster, broker, "log.segment.delete.delay.ms"); got != delay {
			t.Errorf("Broker %d waits for %s ms, want %s", broker, got, delay)
		}
	}
	for i, request := range b.rec.Writes() {
		altered(t, request, order[i])
	}
	b.rec.Reset()
	for _, name := range order {
		b.tf.Empty(held[name], declared[name])
	}
	b.quiet()
	for _, name := range order {
		b.tf.Destroy(held[name])
		b.has(name, configs{})
	}
}
