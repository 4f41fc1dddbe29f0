// SPDX-License-Identifier: MPL-2.0

package main

import (
	"slices"
	"strings"
)

// noise are the first words of lines that Terraform writes at every run and that say nothing about the demo.
var noise = []string{
	"Terraform used the selected providers", "OpenTofu used the selected providers", "plan. Resource actions are indicated",
	"Terraform will perform the following actions", "OpenTofu will perform the following actions",
	"  + create", "  ~ update in-place", "  - destroy", "Saved the plan to:", "─",
	"Planning failed. Terraform encountered", "Planning failed. OpenTofu encountered",
}

// relevant leaves of Terraform's output what a reader of the demo needs: changes, warnings, errors and totals.
func relevant(output string) string {
	var kept []string
	inOverrides := false
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, " \n")
		switch {
		case strings.Contains(line, "Provider development overrides are in effect"):
			inOverrides = true
		case inOverrides:
			inOverrides = !strings.HasSuffix(line, "releases.")
		case strings.Contains(line, ": Refreshing state..."), startsWithAny(line, noise):
		default:
			kept = append(kept, line)
		}
	}
	kept = slices.CompactFunc(kept, func(a, b string) bool { return a == "" && b == "" })
	return strings.Trim(strings.Join(kept, "\n"), "\n")
}

func startsWithAny(line string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(line, prefix) })
}

// indent puts every line a little to the right, as a quotation.
func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// flat takes out line breaks, so that a sentence is found however Terraform wrapped it.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }
