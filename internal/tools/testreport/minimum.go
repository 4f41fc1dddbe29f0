// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// minimum is the least number of tests that must run; nil: not checked.
type minimum struct {
	Unit       *int `json:"unit"`
	Acceptance *int `json:"acceptance"`
}

// readMinimum reads the file and keeps the kinds in require, which are separated by commas.
func readMinimum(file, require string) (minimum, error) {
	var stored, wanted minimum
	if require == "" {
		return wanted, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return wanted, err
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&stored); err != nil {
		return wanted, fmt.Errorf("%s: %w", file, err)
	}
	if stored.Unit == nil || stored.Acceptance == nil {
		return wanted, fmt.Errorf(`%s: needs both "unit" and "acceptance"`, file)
	}
	for _, kind := range strings.Split(require, ",") {
		switch kind {
		case "unit":
			wanted.Unit = stored.Unit
		case "acceptance":
			wanted.Acceptance = stored.Acceptance
		default:
			return wanted, fmt.Errorf("-require %s: want unit, acceptance or both", require)
		}
	}
	return wanted, nil
}

// missing says in one sentence per kind what did not run.
func (m minimum) missing(ran counts) []string {
	var problems []string
	for _, kind := range []struct {
		name string
		want *int
		got  int
	}{{"unit", m.Unit, ran.unit.ran()}, {"acceptance", m.Acceptance, ran.acceptance.ran()}} {
		if kind.want != nil && kind.got < *kind.want {
			problems = append(problems, fmt.Sprintf("only %d %s tests ran, the minimum is %d", kind.got, kind.name, *kind.want))
		}
	}
	return problems
}
