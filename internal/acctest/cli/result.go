// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bufio"
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The exit codes of terraform plan -detailed-exitcode, of which the first two are those of every command.
const (
	NoChanges = 0
	Failed    = 1
	Changes   = 2
)

// Result is how a command ended.
type Result struct {
	t       testing.TB
	command string

	Code           int
	Stdout, Stderr string
}

func (r *Result) fatalf(format string, args ...any) {
	r.t.Helper()
	r.t.Logf("%s: exit code %d\n%s%s", r.command, r.Code, r.Stdout, r.Stderr)
	r.t.Fatalf(r.command+": "+format, args...)
}

// Exits fails the test unless the command ended with an exit code.
func (r *Result) Exits(code int) *Result {
	r.t.Helper()
	if r.Code != code {
		r.fatalf("exit code %d, expected %d", r.Code, code)
	}
	return r
}

// Succeeds fails the test unless the exit code is 0.
func (r *Result) Succeeds() *Result {
	r.t.Helper()
	return r.Exits(0)
}

// Text is what a person reads, without the frames and the line breaks that terraform puts around diagnostics: all white space is
// single blanks.
func (r *Result) Text() string {
	framed := strings.NewReplacer("│", " ", "╷", " ", "╵", " ")
	return strings.Join(strings.Fields(framed.Replace(r.Stdout+"\n"+r.Stderr)), " ")
}

// Says fails the test unless the output has each of the texts. A text's white space counts as [Result.Text] has it.
func (r *Result) Says(texts ...string) *Result {
	r.t.Helper()
	output := r.Text()
	for _, text := range texts {
		if !strings.Contains(output, text) {
			r.fatalf("it does not say %q", text)
		}
	}
	return r
}

// SaysNot fails the test if the output has one of the texts.
func (r *Result) SaysNot(texts ...string) *Result {
	r.t.Helper()
	output := r.Text()
	for _, text := range texts {
		if strings.Contains(output, text) {
			r.fatalf("it says %q", text)
		}
	}
	return r
}

// Message is a line of a command that ran with -json.
type Message struct {
	Type       string
	Diagnostic *Diagnostic
	Hook       struct {
		Resource struct{ Addr string }
	}
}

// Diagnostic is an error or a warning, as -json has it.
type Diagnostic struct {
	Severity, Summary, Detail, Address string

	Range   struct{ Start struct{ Line int } }
	Snippet struct{ Code string }
}

// Messages are the lines of a command that ran with -json.
func (r *Result) Messages() []Message {
	r.t.Helper()
	var messages []Message
	lines := bufio.NewScanner(strings.NewReader(r.Stdout))
	lines.Buffer(nil, len(r.Stdout)+1)
	for lines.Scan() {
		var m Message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			r.fatalf("a line is not a JSON object: %v", err)
		}
		messages = append(messages, m)
	}
	return messages
}

// Of are the messages of a type, such as apply_complete.
func (r *Result) Of(kind string) []Message {
	r.t.Helper()
	return slices.DeleteFunc(r.Messages(), func(m Message) bool { return m.Type != kind })
}

// Diagnostics are the errors or warnings, by their severity, of a command that ran with -json.
func (r *Result) Diagnostics(severity string) []Diagnostic {
	r.t.Helper()
	var diagnostics []Diagnostic
	for _, m := range r.Of("diagnostic") {
		if m.Diagnostic.Severity == severity {
			diagnostics = append(diagnostics, *m.Diagnostic)
		}
	}
	return diagnostics
}
