// SPDX-License-Identifier: MPL-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// slowest is how many of the slowest tests are listed.
const slowest = 5

// modulePrefix is left out of package names in the report.
const modulePrefix = "github.com/kafka-layout/terraform-provider-kafka/"

func shortName(pkg string) string { return strings.TrimPrefix(pkg, modulePrefix) }

// isMarker says whether a line of output only frames a test; the report frames it itself.
func isMarker(line string) bool {
	line = strings.TrimLeft(line, " ")
	return strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ")
}

func indent(lines []string) string {
	text := strings.TrimRight(strings.Join(lines, ""), "\n")
	if text == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}

func (t *tally) printFailure(name string, failed *test) {
	fmt.Fprintf(t.out, "--- FAIL: %s (%.1fs)\n%s", name, failed.seconds, indent(failed.output))
}

// problems says why the run as a whole failed, minimum aside; none if it did not.
func (t *tally) problems(commandErr error) []string {
	var problems []string
	sum := t.total()
	if failed := sum.unit.failed + sum.acceptance.failed; failed > 0 {
		problems = append(problems, fmt.Sprintf("%d tests failed", failed))
	}
	for _, name := range t.broken {
		problems = append(problems, "package "+shortName(name)+" failed without a failed test")
	}
	if sum.unit.ran()+sum.acceptance.ran() == 0 {
		problems = append(problems, "no test ran")
	}
	if commandErr != nil {
		problems = append(problems, commandErr.Error())
	}
	return problems
}

// summarise prints the end of the report.
func (t *tally) summarise(wanted minimum, problems []string) {
	slices.SortFunc(t.slow, func(a, b named) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintln(t.out)
	for _, test := range t.slow[:min(slowest, len(t.slow))] {
		fmt.Fprintf(t.out, "slow %8.1fs  %s\n", test.seconds, test.name)
	}
	for _, test := range t.skipped {
		fmt.Fprintf(t.out, "SKIPPED  %s: %s\n", test.name, cmp.Or(test.detail, "no reason given"))
	}
	sum := t.total()
	printCount(t, "unit tests", sum.unit, wanted.Unit)
	printCount(t, "acceptance tests", sum.acceptance, wanted.Acceptance)
	for _, problem := range problems {
		fmt.Fprintln(t.out, "FAILED:", problem)
	}
	both := sum.unit.plus(sum.acceptance)
	fmt.Fprintf(t.out, "%d passed, %d failed\n", both.passed, both.failed+len(t.broken))
}

func printCount(t *tally, kind string, c count, want *int) {
	fmt.Fprintf(t.out, "%s: %d ran, %d failed, %d skipped", kind, c.ran(), c.failed, c.skipped)
	if want != nil {
		fmt.Fprintf(t.out, " (at least %d must run)", *want)
	}
	fmt.Fprintln(t.out)
}
