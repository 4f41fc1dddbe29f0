// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// C-11: a service that reports inherited keys as the topic's own is taken at its word: they show as foreign keys with their values, in
// the warning of a create and as drift, and unmanaged_keys silences both.
func TestAServiceThatCallsInheritedKeysOwn(t *testing.T) {
	callsThemOwn := func(own configs) { own["flush.ms"], own["flush.messages"] = "5000", "100" }
	for _, action := range []acctest.Action{acctest.Create, acctest.Update} {
		t.Run(string(action), func(t *testing.T) {
			b := newBench(t, nil)
			config := b.declare(configs{"segment.ms": "3600000"})
			silenced := config.With("unmanaged_keys", []string{"flush.*"})
			if action == acctest.Update {
				b.applied(config)
			}
			b.rec.Intercept(stale(b.topic, callsThemOwn))
			p := b.tf.Plan(b.resource, config)
			if action == acctest.Create {
				warning := p.Diagnostics.OneWarning(t)
				if warning.Summary != fmt.Sprintf("Undeclared configs of topic %q will be reset", b.topic) ||
					!strings.Contains(warning.Detail, "  flush.messages = \"100\"\n  flush.ms = \"5000\"\n") {
					t.Errorf("%s", warning)
				}
			} else {
				planned(t, p, acctest.Update, configs{"segment.ms": "3600000"})
				b.inState(configs{"segment.ms": "3600000", "flush.ms": "5000", "flush.messages": "100"})
			}

			b.tf.Plan(b.resource, silenced).Diagnostics.None(t)
			b.tf.Apply(b.resource, silenced).None(t)
			for _, write := range b.rec.Writes() {
				if got := fmt.Sprint(altered(t, write, b.topic)); got != "map[segment.ms:3600000]" {
					t.Errorf("The write says %s", got)
				}
			}
			b.rec.Reset()
			b.tf.Empty(b.resource, silenced)
			b.inState(configs{"segment.ms": "3600000"})
			b.quiet()
			b.has(configs{"segment.ms": "3600000"})
		})
	}
}

// C-15: an update that has no effect fails with the wanted and the current value, and state keeps what it was, so that the next plan
// shows the same change again.
func TestAnUpdateThatHasNoEffect(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(configs{"segment.ms": "3600000"}))
	next := b.declare(configs{"segment.ms": "7200000"}).With("timeouts", values{"update": "1s"})
	p := b.tf.Plan(b.resource, next)
	planned(t, p, acctest.Update, configs{"segment.ms": "7200000"})
	stop := b.rec.Intercept(stale(b.topic, func(own configs) { own["segment.ms"] = "3600000" }))
	got := b.tf.ApplyPlan(p).One(t)
	if got.Summary != fmt.Sprintf("Cannot update the configs of topic %q", b.topic) ||
		!strings.Contains(got.Detail, `segment.ms is "3600000" although "7200000" was written`) {
		t.Errorf("%s", got)
	}
	b.inState(configs{"segment.ms": "3600000"})
	planned(t, b.tf.Plan(b.resource, next), acctest.Update, configs{"segment.ms": "7200000"})

	t.Log("Where the write shows after all, the next apply has nothing left to write.")
	stop()
	b.rec.Reset()
	b.tf.Apply(b.resource, next).None(t)
	b.has(configs{"segment.ms": "7200000"})
	if n := len(b.rec.Writes()); n != 0 {
		t.Errorf("%d writes of what is set already", n)
	}
}
