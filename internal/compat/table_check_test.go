// SPDX-License-Identifier: MPL-2.0

package compat

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	results := newTable()
	needy := testCase{name: "needy", needs: countless}
	results.add("9.9.9", "topics", testCase{name: "plain"}, false, false)
	results.add("9.9.9", "topics", needy, true, false)
	results.add("9.9.9", "topics", needy, true, true)
	results.add("8.8.8", "topics", needy, false, false)
	text := results.String()
	for _, want := range []string{
		"9.9.9                        topics                    1      1            1\n",
		"8.8.8                        topics                    1      0            0\n",
		"9.9.9: needy: needs CreateTopics (19) version 4",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "8.8.8: needy") {
		t.Errorf("an offered case is said not to be:\n%s", text)
	}
}

// A case that needs something says what happens where it is lacking, or it could not be asserted.
func TestCasesThatNeedSomethingSayWhatHappensInstead(t *testing.T) {
	names := map[string]bool{}
	core := 0
	for _, suite := range suites {
		for _, c := range suite.cases {
			if names[suite.name+c.name] || c.run == nil || (c.needs == nil) != (c.instead == nil) {
				t.Errorf("%s: %s", suite.name, c.name)
			}
			names[suite.name+c.name] = true
			if c.core {
				core++
			}
		}
	}
	if core == 0 || core == len(names) {
		t.Errorf("%d of %d cases are core", core, len(names))
	}
}
