// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestPlay(t *testing.T) {
	done := step{"does it", func(context.Context) error { return nil }}
	lies := step{"says it does", func(context.Context) error { return errors.New("it did not\nat all") }}
	for name, c := range map[string]struct {
		steps []step
		done  bool
		want  []string
	}{
		"all done":               {[]step{done, done}, true, []string{"ok", "Every step did what it says."}},
		"one that did not do it": {[]step{done, lies, done}, false, []string{"FAILED", "says it does: it did not\n", "not run", "Not every step"}},
		"the last did not do it": {[]step{done, lies}, false, []string{"FAILED", "Not every step"}},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			results := play(t.Context(), &out, c.steps)
			summarise(&out, results)
			if allDone(results) != c.done {
				t.Errorf("allDone is %v, want %v", !c.done, c.done)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("the output lacks %q:\n%s", want, out.String())
				}
			}
		})
	}
}

// TestPlayInterrupted shows that a step that ends well does not hide that the play was interrupted in it.
func TestPlayInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out strings.Builder
	results := play(ctx, &out, []step{
		{"is interrupted", func(context.Context) error { cancel(); return nil }},
		{"is not reached", func(context.Context) error { t.Error("played after the interrupt"); return nil }},
	})
	if allDone(results) || !errors.Is(results[0].err, errInterrupted) || results[1].played {
		t.Errorf("got %+v", results)
	}
}
