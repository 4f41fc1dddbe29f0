// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
)

// resourceBlock declares a layout in HCL.
func resourceBlock(name, topic string, layout lists) string {
	var text strings.Builder
	fmt.Fprintf(&text, "resource \"kafka_topic_assignment\" %q {\n  topic = %q\n  skip_checks = [\"rack_spread\"]\n  assignment = {\n", name, topic)
	for p, list := range layout {
		fmt.Fprintf(&text, "    %d = [%s]\n", p, strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list)), ", "), "[]"))
	}
	return text.String() + "  }\n}\n"
}

// Acceptance line 6; C-93: the provider's process is killed in mid-move, of an update and of a create. The next plan shows both again and says
// what is in flight; the next apply takes the moves over, finishes, and leaves no throttle behind. Acceptance line 4, C-99: so it goes after
// Ctrl-C, which ends Terraform soon.
func TestAccTopicAssignment_killed(t *testing.T) {
	b := newBench(t)
	b.unlimited()
	layout, want := lists{{1, 2}, {1, 2}}, lists{{3, 1}, {3, 1}}
	updated, created := b.topic(layout), b.topic(layout)
	for _, topic := range []string{updated, created} {
		b.cluster.Produce(t, topic, 2, 16<<20)
	}
	w := cli.New(t)
	configured := func(throttle int, blocks ...string) {
		w.Write("main.tf", cli.ProviderBlock(b.rec.BootstrapServers(), fmt.Sprintf("reassignment = { throttle_bytes_per_second = %d, max_moves_per_broker = 4 }", throttle))+strings.Join(blocks, "\n"))
	}
	configured(100_000, resourceBlock("updated", updated, layout))
	w.Run("apply", "-no-color", "-auto-approve").Succeeds()

	both := []string{resourceBlock("updated", updated, want), resourceBlock("created", created, want)}
	configured(100_000, both...)
	running := w.Start("apply", "-no-color", "-auto-approve")
	b.inFlight(updated, 0, 1)
	b.inFlight(created, 0, 1)
	running.KillProviders()
	running.Wait().Exits(cli.Failed)
	b.inFlight(updated, 0, 1)
	if left := b.throttleKeys(); !strings.Contains(left, "100000") || !strings.Contains(left, "0:3") {
		t.Errorf("A killed apply has left\n%s", left)
	}
	w.Run("plan", "-no-color", "-detailed-exitcode").Exits(cli.Changes).Says("1 to add, 1 to change, 0 to destroy",
		"What the new layout of topic \""+updated, "What the new layout of topic \""+created, "Partitions [0, 1] are on the way there already").SaysNot("must be replaced")

	running = w.Start("apply", "-no-color", "-auto-approve")
	seen := b.rec.Count(keyList)
	b.waitFor("apply to look at the moves", func() error { return b.asked(keyList, seen+20) })
	start := time.Now()
	running.Interrupt()
	running.Wait().Exits(cli.Failed).Says("The run was interrupted", "partitions [0, 1] are still being moved, and go on, throttled")
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("It took %s to end", took)
	}
	w.Run("plan", "-no-color", "-detailed-exitcode").Exits(cli.Changes).Says("1 to add, 1 to change, 0 to destroy").SaysNot("must be replaced", "tainted")

	configured(50_000_000, both...)
	w.Run("apply", "-no-color", "-auto-approve").Succeeds().Says("1 added, 1 changed")
	for _, topic := range []string{updated, created} {
		b.has(topic, want)
		b.led(topic)
	}
	if left := b.throttleKeys(); left != "" {
		t.Errorf("Kafka's own tool still shows\n%s", left)
	}
	w.Run("plan", "-no-color", "-detailed-exitcode").Exits(cli.NoChanges)
}
