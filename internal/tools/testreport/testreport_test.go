// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample is a module whose packages end in each way a package of tests can end.
var sample = map[string]string{
	"go.mod": "module sample\n\ngo 1.26\n",
	"good/good_test.go": `package good
import "testing"
func TestUnit(t *testing.T) { t.Run("a", func(t *testing.T) {}); t.Run("b/c", func(t *testing.T) {}) }
func TestAccThing(t *testing.T) {}
func TestAccSkipped(t *testing.T) { t.Skip("needs TF_ACC") }
func TestAllSkipped(t *testing.T) { t.Run("x", func(t *testing.T) { t.SkipNow() }) }
`,
	"fails/fails_test.go": `package fails
import "testing"
func TestTable(t *testing.T) {
	t.Run("right", func(t *testing.T) {})
	t.Run("wrong", func(t *testing.T) { t.Error("got 1, want 2") })
}
func TestBesideSubtests(t *testing.T) { t.Run("fine", func(t *testing.T) {}); t.Error("left something behind") }
`,
	"panics/panics_test.go": `package panics
import "testing"
func TestWaits(t *testing.T) { t.Parallel(); select {} }
func TestPanics(t *testing.T) { t.Parallel(); panic("out of range") }
`,
	"exits/exits_test.go": `package exits
import ("fmt"; "os"; "testing")
func TestMain(m *testing.M) { m.Run(); fmt.Println("a goroutine leaked"); os.Exit(1) }
func TestFine(t *testing.T) {}
`,
	"broken/broken_test.go": "package broken\nimport \"testing\"\nfunc TestX(t *testing.T) { undefinedThing() }\n",
	"none/none.go":          "package none\n",
}

// report writes the sample, runs its packages and returns what was printed and whether the run counts as good.
func report(t *testing.T, wanted minimum, packages ...string) (string, bool) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sample {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	command := append([]string{"go", "-C", dir, "test", "-json", "-count=1"}, packages...)
	var out bytes.Buffer
	ok := run(t.Context(), command, wanted, &out)
	return out.String(), ok
}

func wants(t *testing.T, out string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(out, line) {
			t.Errorf("the report lacks %q:\n%s", line, out)
		}
	}
}

func TestGoodRun(t *testing.T) {
	out, ok := report(t, minimum{Unit: new(2), Acceptance: new(1)}, "./good", "./none")
	if !ok {
		t.Errorf("a good run was refused:\n%s", out)
	}
	wants(t, out,
		"pass ", "sample/good  (2 unit, 1 acceptance, 2 skipped)",
		"SKIPPED  sample/good TestAccSkipped: good_test.go:5: needs TF_ACC\n",
		"SKIPPED  sample/good TestAllSkipped/x: ",
		"unit tests: 2 ran, 0 failed, 1 skipped (at least 2 must run)\n",
		"acceptance tests: 1 ran, 0 failed, 1 skipped (at least 1 must run)\n",
	)
	if !strings.HasSuffix(out, "\n3 passed, 0 failed\n") {
		t.Errorf("the last line is not the plain count:\n%s", out)
	}
}

func TestFewerThanTheMinimum(t *testing.T) {
	out, ok := report(t, minimum{Unit: new(3), Acceptance: new(2)}, "./good")
	if ok {
		t.Errorf("accepted:\n%s", out)
	}
	wants(t, out, "FAILED: only 2 unit tests ran, the minimum is 3\n", "FAILED: only 1 acceptance tests ran, the minimum is 2\n")
}

func TestFailures(t *testing.T) {
	for name, want := range map[string]struct {
		pkg   string
		lines []string
	}{
		"a subtest": {"./fails", []string{
			"--- FAIL: sample/fails TestTable/wrong", "fails_test.go:5: got 1, want 2",
			"--- FAIL: sample/fails TestBesideSubtests", "left something behind",
			"(4 unit, 0 acceptance, 2 FAILED)", "FAILED: 2 tests failed", "\n2 passed, 2 failed\n",
		}},
		"a panic": {"./panics", []string{
			"panic: out of range", "TestWaits did not finish", "FAILED: 2 tests failed", "\n0 passed, 2 failed\n",
		}},
		"an exit": {"./exits", []string{
			"a goroutine leaked", "FAILED: package sample/exits failed without a failed test", "\n1 passed, 1 failed\n",
		}},
		"a compile error": {"./broken", []string{
			"undefined: undefinedThing", "FAILED: package sample/broken failed without a failed test", "FAILED: no test ran",
		}},
		"no tests": {"./none", []string{"FAILED: no test ran", "\n0 passed, 0 failed\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, ok := report(t, minimum{}, want.pkg)
			if ok {
				t.Errorf("accepted:\n%s", out)
			}
			wants(t, out, want.lines...)
			if strings.Contains(out, "TestTable (") {
				t.Errorf("a parent is shown beside its failed subtest:\n%s", out)
			}
		})
	}
}

func TestForeignLinesAndEndlessPackage(t *testing.T) {
	var out bytes.Buffer
	ok := run(t.Context(), []string{"printf", `%s\n`, "brokers are up", `{"Action":"run","Package":"p","Test":"TestAccHalf"}`}, minimum{}, &out)
	if ok {
		t.Error("a run that was cut off was accepted")
	}
	wants(t, out.String(), "brokers are up\n", "p TestAccHalf did not finish", "\n0 passed, 1 failed\n")
}

func TestReadMinimum(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "minimum.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write(`{"unit": 7, "acceptance": 3}`)
	m, err := readMinimum(good, "unit")
	if err != nil || m.Unit == nil || *m.Unit != 7 || m.Acceptance != nil {
		t.Errorf("unit only: %+v, %v", m, err)
	}
	if m, err := readMinimum("", ""); err != nil || m.Unit != nil {
		t.Errorf("nothing required: %+v, %v", m, err)
	}
	for name, c := range map[string]struct{ file, require string }{
		"no file":       {filepath.Join(t.TempDir(), "none.json"), "unit"},
		"a wrong kind":  {good, "units"},
		"half a file":   {write(`{"unit": 7}`), "unit"},
		"a typo inside": {write(`{"unit": 7, "acceptance": 3, "unti": 1}`), "unit"},
	} {
		if _, err := readMinimum(c.file, c.require); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
