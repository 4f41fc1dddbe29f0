// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// witness is a test that is expected to fail.
type witness struct {
	testing.TB
	errors []string
}

func (w *witness) Helper() {}

func (w *witness) Errorf(format string, args ...any) {
	w.errors = append(w.errors, fmt.Sprintf(format, args...))
}

func TestScanFindsSecrets(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		content string
		want    []string // a part of each expected error
	}{
		"both plain":              {content: "canary and s3cret", want: []string{"shows a secret"}},
		"the secret in base 64":   {content: `canary {"private": "eyJrZXkiOiAiczNjcmV0In0="}`, want: []string{"shows a secret"}},
		"both in a zip":           {content: zipped(t, "canary", "s3cret"), want: []string{"shows a secret"}},
		"neither":                 {content: "nothing", want: []string{"the canary"}},
		"the secret alone":        {content: "s3cret", want: []string{"the canary", "shows a secret"}},
		"the canary alone":        {content: "canary"},
		"the canary alone in zip": {content: zipped(t, "one", "canary")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := &witness{TB: t}
			w := &Workspace{t: seen, dir: t.TempDir()}
			if err := os.WriteFile(w.Path("file"), []byte(test.content), 0o600); err != nil {
				t.Fatal(err)
			}
			w.ScanFile("file").Hides("canary", "s3cret")
			if len(seen.errors) != len(test.want) {
				t.Fatalf("errors %q, expected %d", seen.errors, len(test.want))
			}
			for i, part := range test.want {
				if !strings.Contains(seen.errors[i], part) {
					t.Errorf("error %q does not have %q", seen.errors[i], part)
				}
			}
		})
	}
}

func zipped(t *testing.T, contents ...string) string {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for i, content := range contents {
		entry, err := archive.Create(fmt.Sprint(i))
		if err == nil {
			_, err = entry.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestResultText(t *testing.T) {
	t.Parallel()
	r := &Result{Stdout: "Plan: 1\n", Stderr: "╷\n│ Error: The brokers refuse\n│ \n│ a value that is\n│ long\n╵\n"}
	if got, want := r.Text(), "Plan: 1 Error: The brokers refuse a value that is long"; got != want {
		t.Errorf("text is %q, expected %q", got, want)
	}
}

func TestState(t *testing.T) {
	t.Parallel()
	w := &Workspace{t: t, dir: t.TempDir()}
	if state := w.State(); state != nil {
		t.Errorf("state without a file is %v", state)
	}
	const file = `{"resources": [
	  {"mode": "data", "type": "d", "name": "x", "instances": [{"attributes": {}}]},
	  {"mode": "managed", "type": "r", "name": "one", "instances": [{"status": "tainted", "attributes": {"topic": "t"}}]},
	  {"mode": "managed", "type": "r", "name": "many", "instances": [{"index_key": 0, "attributes": {}}, {"index_key": 1, "attributes": {}}]}]}`
	if err := os.WriteFile(filepath.Join(w.dir, "terraform.tfstate"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := len(w.State()); n != 3 {
		t.Errorf("%d managed instances, expected 3", n)
	}
	one, ok := w.Instance("r.one")
	if !ok || one.Status != "tainted" || one.Attributes["topic"] != "t" {
		t.Errorf("r.one is %v, %t", one, ok)
	}
	if _, ok := w.Instance("r.none"); ok {
		t.Error("r.none is in state")
	}
}
