// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// References to what config providers hold (KIP-297): the providers are declared beside them, as brokers look for them in
// the same set; the provider's own keys are unknown to brokers, so they stand in a sensitive map.
func TestConfigProviderReferences(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "secrets.properties")
	if err := os.WriteFile(file, []byte("password="+topSecret+"\ndelay=86400000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	password, delay := fmt.Sprintf("${file:%s:password}", file), fmt.Sprintf("${file:%s:delay}", file)
	config := values{"broker_id": 1, "config": configs{"log.segment.delete.delay.ms": delay, "config.providers": "file"}, "sensitive_config": configs{
		storePassword: password, "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
	}}
	r := b.tf.Resource(typeName)
	b.tf.Apply(r, config).None(t)
	if got := effective(t, b.cluster, 1, "log.segment.delete.delay.ms"); got != "86400000" {
		t.Errorf("The delay is %q", got)
	}
	b.tf.Empty(r, config)
	inState(t, r, "config", config["config"])
	b.outside("1", map[string]any{"log.segment.delete.delay.ms": "86400000"}) // the same value, and not the reference
	planned(t, b.tf.Plan(r, config), acctest.Update, config["config"])
	b.rec.Reset()
	b.tf.Apply(r, config).None(t)
	b.wrote("1", map[string]any{"log.segment.delete.delay.ms": delay})
	shown(t, r.Raw())
	again := b.tf.Resource(typeName)
	b.tf.Walk().Import(again, "1").None(t)
	inState(t, again, "config", config["config"])
	b.tf.Destroy(r).None(t)
	b.has("1", configs{})
}
