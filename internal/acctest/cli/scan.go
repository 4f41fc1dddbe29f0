// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// Scanned is all the text of a file or an output, made to be searched for secrets.
type Scanned struct {
	w    *Workspace
	name string
	text string
}

// ScanFile reads a file of the workspace: a log, a state file, a saved plan (a zip of several files).
func (w *Workspace) ScanFile(name string) Scanned {
	w.t.Helper()
	raw, err := os.ReadFile(w.Path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := unpacked(raw)
	if err != nil {
		w.t.Fatalf("Read %s: %v", name, err)
	}
	return Scanned{w: w, name: name, text: decoded(text)}
}

// Scan takes what a command printed.
func (w *Workspace) Scan(r *Result) Scanned {
	return Scanned{w: w, name: r.command, text: decoded(r.Text() + r.Stdout + r.Stderr)}
}

// Hides fails the test if a secret is in the text. It first finds the canary, which was planted beside the secret in a place where
// it may be seen: a search that cannot find the one proves nothing about the other.
func (s Scanned) Hides(canary string, secrets ...string) {
	s.w.t.Helper()
	if !strings.Contains(s.text, canary) {
		s.w.t.Errorf("%s: the canary %q is not there, so the search for secrets means nothing", s.name, canary)
	}
	for _, secret := range secrets {
		if at := strings.Index(s.text, secret); at >= 0 {
			s.w.t.Errorf("%s shows a secret: …%s…", s.name, s.text[max(0, at-200):min(len(s.text), at+200)])
		}
	}
}

// Shows fails the test unless a text is there.
func (s Scanned) Shows(text string) {
	s.w.t.Helper()
	if !strings.Contains(s.text, text) {
		s.w.t.Errorf("%s does not have %q", s.name, text)
	}
}

// unpacked is the content of a zip's files one after the other; anything else as it is.
func unpacked(raw []byte) (string, error) {
	if !bytes.HasPrefix(raw, []byte("PK")) {
		return string(raw), nil
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, file := range archive.File {
		content, err := file.Open()
		if err != nil {
			return "", fmt.Errorf("%s: %w", file.Name, err)
		}
		_, err = io.Copy(&all, content)
		_ = content.Close()
		if err != nil {
			return "", fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return all.String(), nil
}

// encodedText is a quoted text in base 64, such as a provider's private data in a state file.
var encodedText = regexp.MustCompile(`"([A-Za-z0-9+/]{16,}={0,2})"`)

// decoded is a text and behind it what its base-64 parts mean.
func decoded(text string) string {
	var all strings.Builder
	all.WriteString(text)
	for _, match := range encodedText.FindAllStringSubmatch(text, -1) {
		if plain, err := base64.StdEncoding.DecodeString(match[1]); err == nil {
			all.Write(append([]byte("\n"), plain...))
		}
	}
	return all.String()
}
