// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// acceptancePrefix is how Terraform's acceptance tests are named by custom; all others are unit tests.
const acceptancePrefix = "TestAcc"

// test is what is known of one test or subtest.
type test struct {
	outcome     string // pass, fail, skip; empty while it runs
	seconds     float64
	output      []string
	subtests    bool
	failedChild bool
}

// pkg is what is known of one package.
type pkg struct {
	tests   map[string]*test
	output  []string
	counted counts
	done    bool
}

// named is a test with its package, as it is shown.
type named struct {
	name, detail string
	seconds      float64
}

// tally gathers the events of a run and prints what cannot wait: failures and one line per package.
type tally struct {
	out      io.Writer
	packages map[string]*pkg
	builds   map[string][]string // output of the compiler and vet by import path
	skipped  []named
	slow     []named
	broken   []string // packages that failed without a failed test
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, packages: map[string]*pkg{}, builds: map[string][]string{}}
}

// add takes one event.
func (t *tally) add(e event) {
	switch {
	case e.Action == actionPlain:
		fmt.Fprint(t.out, e.Output)
	case e.Action == actionBuildOutput:
		t.builds[e.ImportPath] = append(t.builds[e.ImportPath], e.Output)
	case e.Package == "":
	case e.Test == "":
		t.addPackage(e)
	default:
		t.addTest(e)
	}
}

func (t *tally) pkg(name string) *pkg {
	if t.packages[name] == nil {
		t.packages[name] = &pkg{tests: map[string]*test{}}
	}
	return t.packages[name]
}

func (p *pkg) test(name string) *test {
	if p.tests[name] == nil {
		p.tests[name] = &test{}
	}
	return p.tests[name]
}

// parent is the test that name is a subtest of. A subtest's name may hold slashes of its own, and then the longest
// prefix that is a test is its parent.
func (p *pkg) parent(name string) *test {
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		if parent := p.tests[name[:i]]; parent != nil {
			return parent
		}
	}
	return nil
}

func (t *tally) addTest(e event) {
	p := t.pkg(e.Package)
	current := p.test(e.Test)
	switch e.Action {
	case actionRun:
		if parent := p.parent(e.Test); parent != nil {
			parent.subtests = true
		}
	case actionOutput:
		if !isMarker(e.Output) {
			current.output = append(current.output, e.Output)
		}
	case actionPass, actionFail, actionSkip:
		current.outcome, current.seconds = e.Action, e.Elapsed
		t.endTest(e.Package, e.Test, p, current)
	}
}

// endTest prints a failure at once, notes a skip, and lets go of the output.
func (t *tally) endTest(pkgName, name string, p *pkg, ended *test) {
	shown := named{name: shortName(pkgName) + " " + name, seconds: ended.seconds}
	switch ended.outcome {
	case actionFail:
		if parent := p.parent(name); parent != nil {
			parent.failedChild = true
		}
		if !ended.failedChild || len(ended.output) > 0 {
			t.printFailure(shown.name, ended)
		}
	case actionSkip:
		shown.detail = strings.Join(strings.Fields(strings.Join(ended.output, " ")), " ")
		t.skipped = append(t.skipped, shown)
	}
	if !strings.Contains(name, "/") {
		t.slow = append(t.slow, shown)
	}
	ended.output = nil
}

func (t *tally) addPackage(e event) {
	p := t.pkg(e.Package)
	switch e.Action {
	case actionOutput:
		p.output = append(p.output, e.Output)
	case actionPass, actionFail, actionSkip:
		t.endPackage(e, p)
	}
}

// endPackage counts the package's tests and prints its line.
func (t *tally) endPackage(e event, p *pkg) {
	p.done = true
	t.countTests(e.Package, p)
	failed := p.counted.unit.failed + p.counted.acceptance.failed
	if e.Action == actionFail && failed == 0 {
		t.broken = append(t.broken, e.Package)
		fmt.Fprintf(t.out, "--- FAIL: package %s\n%s", shortName(e.Package), indent(append(t.builds[e.FailedBuild], p.output...)))
	}
	if len(p.tests) > 0 || e.Action == actionFail {
		fmt.Fprintf(t.out, "%-4s %8.1fs  %s  (%s)\n", e.Action, e.Elapsed, shortName(e.Package), p.counted)
	}
	p.output = nil
}

// countTests counts the leaves: a test with subtests counts as these. A test that failed beside its subtests, and one
// that never ended (a panic, a timeout or a signal took its process), counts as failed.
func (t *tally) countTests(pkgName string, p *pkg) {
	for _, name := range slices.Sorted(maps.Keys(p.tests)) {
		current := p.tests[name]
		leaf := !current.subtests
		if leaf && current.outcome == "" {
			t.printFailure(shortName(pkgName)+" "+name+" did not finish", current)
		}
		if leaf || (current.outcome == actionFail && !current.failedChild) {
			p.counted.kind(name).add(current.outcome)
		}
	}
}

// finish counts the packages whose end was never reported.
func (t *tally) finish() {
	for _, name := range slices.Sorted(maps.Keys(t.packages)) {
		if p := t.packages[name]; !p.done {
			t.endPackage(event{Action: actionFail, Package: name}, p)
		}
	}
}

func (t *tally) total() counts {
	var sum counts
	for _, p := range t.packages {
		sum.unit = sum.unit.plus(p.counted.unit)
		sum.acceptance = sum.acceptance.plus(p.counted.acceptance)
	}
	return sum
}
