// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// Acceptance line 14: Ctrl-C ends an apply whose brokers do not answer, long before request_timeout would; nothing is tainted, state
// says what is known, and the next apply finishes. Cases C-96, C-99, C-114, C-95.
//
// One update never reaches a broker; one create does, and its confirmation is what hangs. They use two aliases of the provider, which
// are two processes: neither can wait for a connection that hangs for the other.
func TestAccTopicConfig_interruptedApply(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	updated, created := cluster.UniqueTopic(t, 1, 1), cluster.UniqueTopic(t, 1, 1)
	first, second := testbed.Record(t, cluster), testbed.Record(t, cluster)
	// Longer than the command may take at all: if the interrupt did not end it, the test would fail.
	const patient = `request_timeout = "1h"`
	block := cli.ProviderBlock(first.BootstrapServers(), patient) +
		fmt.Sprintf("provider \"kafka\" {\n  alias = \"second\"\n  bootstrap_servers = [%q]\n  %s\n}\n", second.BootstrapServers()[0], patient)
	before, after := map[string]string{"retention.ms": "3600000"}, map[string]string{"retention.ms": "7200000"}
	w.Write("main.tf", block+resourceBlock("updated", updated, before))
	w.Run("apply", "-auto-approve").Succeeds()

	w.Write("main.tf", block+resourceBlock("updated", updated, after)+resourceBlock("created", created, after, "provider = kafka.second"))
	write, confirmation := hangAtWrite(first), hangAfterWrite(second)
	running := w.Start("apply", "-auto-approve")
	write.await(t)
	confirmation.await(t)
	running.Interrupt()
	running.Wait().Exits(cli.Failed).Says("Interrupt received", "The run was interrupted",
		fmt.Sprintf("Error: Cannot update the configs of topic %q", updated), fmt.Sprintf("Error: Cannot create the configs of topic %q", created))
	write.stop()
	confirmation.stop()

	expectConfigs(t, admin, updated, before)
	expectConfigs(t, admin, created, after)
	state := w.State()
	if len(state) != 1 || state[0].Address != "kafka_topic_config.updated" || state[0].Status != "" {
		t.Fatalf("State is %v", state)
	}
	if config := fmt.Sprint(state[0].Attributes["config"]); config != fmt.Sprint(before) {
		t.Errorf("State has the config %s, expected %v", config, before)
	}

	w.Run("apply", "-auto-approve").Succeeds().Says("1 added, 1 changed, 0 destroyed")
	expectConfigs(t, admin, updated, after)
	expectConfigs(t, admin, created, after)
	w.Run("plan", "-detailed-exitcode").Exits(cli.NoChanges)
}

// hanging are brokers that leave some requests without an answer.
type hanging struct {
	stop    func()
	reached chan struct{} // closed when the first such request came
}

// hangAt leaves requests without an answer, which then never reach a broker.
func hangAt(recorder *testbed.Recorder, chosen func(testbed.Request) bool) *hanging {
	h := &hanging{reached: make(chan struct{})}
	var once sync.Once
	h.stop = recorder.Intercept(func(q testbed.Request) testbed.Verdict {
		if !chosen(q) {
			return testbed.Forward()
		}
		once.Do(func() { close(h.reached) })
		return testbed.NoAnswer()
	})
	return h
}

// hangAtWrite lets no write through.
func hangAtWrite(recorder *testbed.Recorder) *hanging { return hangAt(recorder, isWrite) }

// hangAfterWrite lets writes through, and no read that comes after one.
func hangAfterWrite(recorder *testbed.Recorder) *hanging {
	var written atomic.Bool
	return hangAt(recorder, func(q testbed.Request) bool {
		if isWrite(q) {
			written.Store(true)
		}
		return written.Load() && q.Key == int16(kmsg.DescribeConfigs)
	})
}

func isWrite(q testbed.Request) bool {
	alter, ok := q.Body.(*kmsg.IncrementalAlterConfigsRequest)
	return ok && !alter.ValidateOnly
}

// await returns once a request hangs.
func (h *hanging) await(t *testing.T) {
	t.Helper()
	select {
	case <-h.reached:
	case <-time.After(time.Minute):
		t.Fatal("The apply did not come to the request that hangs")
	}
}
