// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	acctest "github.com/kafka-layout/terraform-provider-kafka/internal/acctest/cli"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// demoOn prepares the story for the shared cluster, on topics of the test's own.
func demoOn(t *testing.T, path, bin string) (*demo, *strings.Builder) {
	t.Helper()
	cluster := testbed.Shared(t)
	var out strings.Builder
	d := &demo{out: &out, work: t.TempDir(), example: root + "/" + exampleDir, prefix: testbed.UniqueName(t) + ".", terraform: path, bin: bin}
	if err := d.connect(cluster.BootstrapServers()); err != nil {
		t.Fatal(err)
	}
	admin := cluster.Admin(t)
	t.Cleanup(func() { _ = d.stop() })
	t.Cleanup(func() {
		for topic := range d.named(madeByHand) {
			if _, err := admin.DeleteTopic(context.Background(), topic); err != nil {
				t.Logf("Delete topic %s: %v", topic, err)
			}
		}
	})
	return d, &out
}

// TestAccDemo_story plays the story, the start and stop of its own brokers aside.
func TestAccDemo_story(t *testing.T) {
	d, out := demoOn(t, realCLI(t), filepath.Dir(acctest.Provider(t)))
	if results := play(t.Context(), out, d.story()); !allDone(results) {
		t.Error(out.String())
	}
}

// TestAccDemo_findsLies plays the story with CLIs that say what a good one would say and do not do it: the step that claims it fails.
func TestAccDemo_findsLies(t *testing.T) {
	steps := (&demo{}).story()
	const planned = `show) cat creates.json;;` + "\n"
	for name, c := range map[string]struct {
		script string
		failed string
	}{
		"every command is done and nothing happens": {"", steps[1].title},
		"changes are planned, but not these":        {"case $1 in plan) exit 2;; show) echo '{}';; esac", steps[1].title},
		"the warning of adopted keys is missing":    {"case $1 in plan) exit 2;; " + planned + " esac", steps[1].title},
		"apply says it is complete":                 {"case $1 in plan) cat warning; exit 2;; " + planned + " apply) echo Apply complete;; esac", steps[2].title},
	} {
		t.Run(name, func(t *testing.T) {
			d, out := demoOn(t, executable(t, c.script), t.TempDir())
			writeTruth(t, d)
			results := play(t.Context(), out, d.story())
			for _, r := range results {
				if r.played && (r.err != nil) != (r.title == c.failed) {
					t.Errorf("step %q: error %v; the one to fail is %q\n%s", r.title, r.err, c.failed, out)
				}
			}
			if allDone(results) {
				t.Error("the demo believed it")
			}
		})
	}
}

// writeTruth writes what a good CLI would say at the first plan.
func writeTruth(t *testing.T, d *demo) {
	t.Helper()
	var changes []any
	for topic, set := range declared {
		changes = append(changes, map[string]any{
			"address": address(topic),
			"change":  map[string]any{"actions": []string{"create"}, "after": map[string]any{"config": set}},
		})
	}
	creates, err := json.Marshal(map[string]any{"resource_changes": changes})
	if err != nil {
		t.Fatal(err)
	}
	warning := fmt.Sprintf("Undeclared configs of topic %q will be reset\n  segment.ms = \"3600000\"\n", d.prefix+"audit")
	for name, content := range map[string]string{"creates.json": string(creates), "warning": warning} {
		if err := os.WriteFile(d.cli.dir+"/"+name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
