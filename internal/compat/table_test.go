// SPDX-License-Identifier: MPL-2.0

package compat

import (
	"fmt"
	"slices"
	"strings"
)

// table counts outcomes by platform and suite, and keeps which cases were not offered for lack of what.
type table struct {
	rows   []string // in the order in which they came
	counts map[string]*[3]int
	lacks  []string
}

const (
	passed = iota
	failed
	notOffered
)

func newTable() *table { return &table{counts: map[string]*[3]int{}} }

func (t *table) add(platform, suite string, c testCase, lacking, hasFailed bool) {
	row := fmt.Sprintf("%-28s %-20s", platform, suite)
	if t.counts[row] == nil {
		t.rows, t.counts[row] = append(t.rows, row), &[3]int{}
	}
	outcome := passed
	switch {
	case hasFailed:
		outcome = failed
	case lacking:
		outcome = notOffered
		if line := fmt.Sprintf("  %s: %s: needs %s", platform, c.name, c.needs); !slices.Contains(t.lacks, line) {
			t.lacks = append(t.lacks, line)
		}
	}
	t.counts[row][outcome]++
}

func (t *table) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%-28s %-20s %6s %6s %12s\n", "version", "suite", "passed", "failed", "not offered")
	for _, row := range t.rows {
		counts := t.counts[row]
		fmt.Fprintf(&text, "%s %6d %6d %12d\n", row, counts[passed], counts[failed], counts[notOffered])
	}
	if len(t.lacks) > 0 {
		fmt.Fprintf(&text, "not offered, and asserted to be so; what happens instead is asserted as well:\n%s\n", strings.Join(t.lacks, "\n"))
	}
	return text.String()
}
