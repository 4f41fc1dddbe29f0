// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
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
// One update never reaches a broker; one create does, and the confirmation is what hangs.
func TestAccTopicConfig_interruptedApply(t *testing.T) {
	t.Parallel()
	w := cli.New(t)
	cluster := testbed.Shared(t)
	admin := cluster.Admin(t)
	updated, created := cluster.UniqueTopic(t, 1, 1), cluster.UniqueTopic(t, 1, 1)
	recorder := testbed.Record(t, cluster)
	// Longer than the command may take at all: if the interrupt did not end it, the test would fail.
	block := cli.ProviderBlock(recorder.BootstrapServers(), `request_timeout = "1h"`)
	before, after := map[string]string{"retention.ms": "3600000"}, map[string]string{"retention.ms": "7200000"}
	w.Write("main.tf", block+resourceBlock("updated", updated, before))
	w.Run("apply", "-auto-approve").Succeeds()

	w.Write("main.tf", block+resourceBlock("updated", updated, after)+resourceBlock("created", created, after))
	hang := hangAtWrites(recorder, updated, created)
	running := w.Start("apply", "-auto-approve")
	hang.await(t)
	running.Interrupt()
	running.Wait().Exits(cli.Failed).Says("Interrupt received", "The run was interrupted",
		fmt.Sprintf("Error: Cannot update the configs of topic %q", updated), fmt.Sprintf("Error: Cannot create the configs of topic %q", created))
	hang.stop()

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

// hanging is a cluster that does not answer some requests.
type hanging struct {
	stop    func()
	reached chan struct{} // has an element for each of the two that hang
}

// hangAtWrites leaves the write to one topic unanswered, before it reaches a broker, and of the write to another every read after it.
func hangAtWrites(recorder *testbed.Recorder, lost, unconfirmed string) *hanging {
	h := &hanging{reached: make(chan struct{}, 1000)}
	var written atomic.Bool
	h.stop = recorder.Intercept(func(q testbed.Request) testbed.Verdict {
		switch body := q.Body.(type) {
		case *kmsg.IncrementalAlterConfigsRequest:
			if !body.ValidateOnly && has(body, lost) {
				h.reached <- struct{}{}
				return testbed.NoAnswer()
			}
			if !body.ValidateOnly && has(body, unconfirmed) {
				written.Store(true)
			}
		case *kmsg.DescribeConfigsRequest:
			if written.Load() {
				h.reached <- struct{}{}
				return testbed.NoAnswer()
			}
		}
		return testbed.Forward()
	})
	return h
}

func has(request *kmsg.IncrementalAlterConfigsRequest, topic string) bool {
	for _, resource := range request.Resources {
		if resource.ResourceName == topic {
			return true
		}
	}
	return false
}

// await returns once both hang.
func (h *hanging) await(t *testing.T) {
	t.Helper()
	for range 2 {
		select {
		case <-h.reached:
		case <-time.After(time.Minute):
			t.Fatal("The apply did not come to the requests that hang")
		}
	}
}
