// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Diagnostic is an error or a warning. Path is where it stands, in the configuration's spelling: config["retention.ms"]; empty for none.
type Diagnostic struct {
	Warning               bool
	Path, Summary, Detail string
}

// String is how failure messages show it.
func (d Diagnostic) String() string {
	severity := "error"
	if d.Warning {
		severity = "warning"
	}
	return fmt.Sprintf("%s at %q: %s\n    %s", severity, d.Path, d.Summary, strings.ReplaceAll(d.Detail, "\n", "\n    "))
}

// Diagnostics are what a call said.
type Diagnostics []Diagnostic

// Errors are the errors among them.
func (d Diagnostics) Errors() Diagnostics { return d.only(false) }

// Warnings are the warnings among them.
func (d Diagnostics) Warnings() Diagnostics { return d.only(true) }

func (d Diagnostics) only(warning bool) Diagnostics {
	var some Diagnostics
	for _, diagnostic := range d {
		if diagnostic.Warning == warning {
			some = append(some, diagnostic)
		}
	}
	return some
}

// String lists them.
func (d Diagnostics) String() string {
	lines := make([]string, 0, len(d))
	for _, diagnostic := range d {
		lines = append(lines, diagnostic.String())
	}
	return strings.Join(lines, "\n")
}

// None fails the test if there is any diagnostic, a warning included.
func (d Diagnostics) None(t testing.TB) {
	t.Helper()
	if len(d) > 0 {
		t.Fatalf("Diagnostics where none are due:\n%s", d)
	}
}

// NoErrors fails the test if there is an error.
func (d Diagnostics) NoErrors(t testing.TB) {
	t.Helper()
	if errs := d.Errors(); len(errs) > 0 {
		t.Fatalf("Errors where none are due:\n%s", errs)
	}
}

// One gives the only error, and fails the test if there is another number of them.
func (d Diagnostics) One(t testing.TB) Diagnostic {
	t.Helper()
	errs := d.Errors()
	if len(errs) != 1 {
		t.Fatalf("%d errors where one is due:\n%s", len(errs), d)
	}
	return errs[0]
}

// OneWarning gives the only diagnostic, which must be a warning.
func (d Diagnostics) OneWarning(t testing.TB) Diagnostic {
	t.Helper()
	if len(d) != 1 || !d[0].Warning {
		t.Fatalf("Not one warning and nothing else:\n%s", d)
	}
	return d[0]
}

// diagnosticsOf converts the protocol's. Core and the house rule both want a summary and a detail in each (C-136).
func diagnosticsOf(t testing.TB, all []*tfprotov6.Diagnostic) Diagnostics {
	t.Helper()
	var d Diagnostics
	for _, p := range all {
		diagnostic := Diagnostic{Warning: p.Severity == tfprotov6.DiagnosticSeverityWarning, Path: pathText(p.Attribute), Summary: p.Summary, Detail: p.Detail}
		if strings.TrimSpace(p.Summary) == "" || strings.TrimSpace(p.Detail) == "" {
			t.Errorf("A diagnostic without a summary or a detail: %s", diagnostic)
		}
		d = append(d, diagnostic)
	}
	return d
}

func pathText(at *tftypes.AttributePath) string {
	if at == nil {
		return ""
	}
	var b strings.Builder
	for i, step := range at.Steps() {
		switch s := step.(type) {
		case tftypes.AttributeName:
			if i > 0 {
				b.WriteString(".")
			}
			b.WriteString(string(s))
		case tftypes.ElementKeyString:
			fmt.Fprintf(&b, "[%q]", string(s))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&b, "[%d]", int64(s))
		case tftypes.ElementKeyValue:
			var text string
			if v := tftypes.Value(s); v.Type().Is(tftypes.String) && v.IsKnown() && !v.IsNull() {
				_ = v.As(&text)
			}
			fmt.Fprintf(&b, "[%q]", text)
		}
	}
	return b.String()
}
