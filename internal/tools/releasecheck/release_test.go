// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const goodManifest = `{"version": 1, "metadata": {"protocol_versions": ["6.0"]}}`

// zipOf makes a zip with one file per name, all of the given mode.
func zipOf(t *testing.T, mode fs.FileMode, names ...string) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range names {
		header := &zip.FileHeader{Name: name}
		header.SetMode(mode)
		file, err := archive.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte("binary of " + name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// directory writes manifest and files as a release would stand in a repository, and returns the release's directory.
func directory(t *testing.T, manifest string, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "dist")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(root, manifestSource), manifest)
	for name, text := range files {
		write(filepath.Join(dir, name), text)
	}
	return dir
}

func sumLine(name, content string) string {
	return fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(content)), name)
}

// good is a release of two platforms.
func good(t *testing.T) map[string]string {
	t.Helper()
	const linux, windows = "terraform-provider-kafka_0.1.0_linux_amd64.zip", "terraform-provider-kafka_0.1.0_windows_amd64.zip"
	files := map[string]string{
		linux:   zipOf(t, 0o755, "terraform-provider-kafka_v0.1.0"),
		windows: zipOf(t, 0o755, "terraform-provider-kafka_v0.1.0.exe"),
	}
	files["terraform-provider-kafka_0.1.0_SHA256SUMS"] = sumLine(linux, files[linux]) + sumLine(windows, files[windows]) +
		sumLine("terraform-provider-kafka_0.1.0_manifest.json", goodManifest)
	return files
}

func TestCheckGood(t *testing.T) {
	r, err := check(directory(t, goodManifest, good(t)))
	if err != nil || r.version != "0.1.0" || len(r.zips) != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCheckFaults(t *testing.T) {
	const (
		sums  = "terraform-provider-kafka_0.1.0_SHA256SUMS"
		linux = "terraform-provider-kafka_0.1.0_linux_amd64.zip"
	)
	for name, c := range map[string]struct {
		manifest string
		spoil    func(files map[string]string)
		want     string
	}{
		"protocol 5":          {`{"version": 1, "metadata": {"protocol_versions": ["5.0"]}}`, func(map[string]string) {}, "protocols [5.0]; want 1, [6.0]"},
		"no zip":              {goodManifest, func(f map[string]string) { clear(f) }, "no zip in"},
		"no checksums":        {goodManifest, func(f map[string]string) { delete(f, sums) }, "_SHA256SUMS: no such file"},
		"no manifest listed":  {goodManifest, func(f map[string]string) { f[sums] = dropLine(f[sums], "manifest") }, "does not list terraform-provider-kafka_0.1.0_manifest.json"},
		"no zip listed":       {goodManifest, func(f map[string]string) { f[sums] = dropLine(f[sums], "linux") }, "does not list " + linux},
		"a stranger listed":   {goodManifest, func(f map[string]string) { f[sums] += sumLine("notes.txt", "") }, "lists notes.txt"},
		"a changed zip":       {goodManifest, func(f map[string]string) { f[linux] = zipOf(t, 0o755, "terraform-provider-kafka_v0.1.0", "x") }, "is wrong about " + linux},
		"two files":           {goodManifest, func(f map[string]string) { f[linux] = zipOf(t, 0o755, "terraform-provider-kafka_v0.1.0", "x") }, "holds 2 files"},
		"a bare name":         {goodManifest, func(f map[string]string) { f[linux] = zipOf(t, 0o755, "terraform-provider-kafka") }, "want the executable terraform-provider-kafka_v0.1.0"},
		"not executable":      {goodManifest, func(f map[string]string) { f[linux] = zipOf(t, 0o644, "terraform-provider-kafka_v0.1.0") }, "want the executable"},
		"two versions":        {goodManifest, func(f map[string]string) { f[strings.ReplaceAll(linux, "0.1.0", "0.2.0")] = f[linux] }, "zips of two versions"},
		"a misnamed zip":      {goodManifest, func(f map[string]string) { f["kafka.zip"] = f[linux] }, "kafka.zip is not named"},
		"a line without sums": {goodManifest, func(f map[string]string) { f[sums] += "what\n" }, "not a line of checksums"},
	} {
		t.Run(name, func(t *testing.T) {
			files := good(t)
			c.spoil(files)
			_, err := check(directory(t, c.manifest, files))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// dropLine removes the lines that hold word.
func dropLine(text, word string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, word) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
