// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The rows of the guide are those that were measured, and its date is theirs.
func TestGuideShowsTheFigures(t *testing.T) {
	raw, err := os.ReadFile("../figures.json")
	if err != nil {
		t.Fatal(err)
	}
	var measured struct {
		Date      string   `json:"date"`
		Terraform string   `json:"terraform"`
		Figures   []figure `json:"figures"`
	}
	if err := json.Unmarshal(raw, &measured); err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../templates/guides/thousands-of-topics.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(guide), measured.Date) || !strings.Contains(string(guide), measured.Terraform) {
		t.Errorf("The guide does not say that it was measured on %s with %s", measured.Date, measured.Terraform)
	}
	rows := map[string]bool{}
	for _, f := range measured.Figures {
		if f.Subject == topicsByCount {
			rows[guideRow(f)] = true
		}
	}
	shown := 0
	for line := range strings.Lines(string(guide)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| topics") {
			continue
		}
		if shown++; !rows[line] {
			t.Errorf("Not measured: %s", line)
		}
	}
	if shown < 10 {
		t.Errorf("The guide shows %d figures", shown)
	}
}

func guideRow(f figure) string {
	return fmt.Sprintf("| %d | %s | %d | %s | %.1f | %.1f | %.2f | %.2f | %.0f |", f.Topics, f.Latency, f.Parallelism, f.Command,
		f.Floor.Seconds, f.Ours.Seconds, f.Ratio, f.QuietRatio, f.Ours.Provider.MiB)
}
