// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"strings"
)

// count is how many tests of one kind ended how.
type count struct {
	passed, failed, skipped int
}

// ran is the number of tests that did something: a skipped one did not.
func (c count) ran() int { return c.passed + c.failed }

func (c count) plus(o count) count {
	return count{c.passed + o.passed, c.failed + o.failed, c.skipped + o.skipped}
}

func (c *count) add(outcome string) {
	switch outcome {
	case actionPass:
		c.passed++
	case actionSkip:
		c.skipped++
	default:
		c.failed++
	}
}

// counts is a count per kind of test.
type counts struct {
	unit, acceptance count
}

func (c *counts) kind(testName string) *count {
	if strings.HasPrefix(testName, acceptancePrefix) {
		return &c.acceptance
	}
	return &c.unit
}

func (c counts) String() string {
	both := c.unit.plus(c.acceptance)
	text := fmt.Sprintf("%d unit, %d acceptance", c.unit.ran(), c.acceptance.ran())
	if both.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", both.skipped)
	}
	if both.failed > 0 {
		text += fmt.Sprintf(", %d FAILED", both.failed)
	}
	return text
}
