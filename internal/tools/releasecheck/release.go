// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const (
	project        = "terraform-provider-kafka"
	manifestSource = "terraform-registry-manifest.json"
	protocol       = "6.0" // without it in the manifest the Registry assumes protocol 5
)

// zipName is how the Registry finds version and platform; a platform has no underscore of its own here (no armv6 suffix).
var zipName = regexp.MustCompile(`^` + project + `_(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)_([a-z]+)_([a-z0-9]+)\.zip$`)

// release is what a directory holds of one version.
type release struct {
	dir     string
	version string
	zips    []string
	sums    map[string]string // file name to hexadecimal SHA-256
}

func (r release) manifestName() string { return project + "_" + r.version + "_manifest.json" }

// read finds the zips, which must be of one version, and the checksum file of that version.
func read(dir string) (release, error) {
	r := release{dir: dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return r, err
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".zip" {
			continue
		}
		parts := zipName.FindStringSubmatch(entry.Name())
		if parts == nil {
			return r, fmt.Errorf("%s is not named %s_<version>_<os>_<arch>.zip", entry.Name(), project)
		}
		if r.version != "" && r.version != parts[1] {
			return r, fmt.Errorf("zips of two versions, %s and %s", r.version, parts[1])
		}
		r.version = parts[1]
		r.zips = append(r.zips, entry.Name())
	}
	if len(r.zips) == 0 {
		return r, fmt.Errorf("no zip in %s", dir)
	}
	r.sums, err = readSums(filepath.Join(dir, project+"_"+r.version+"_SHA256SUMS"))
	return r, err
}

// readSums reads the form of sha256sum: hexadecimal sum, two spaces, name.
func readSums(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	sums := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			return nil, fmt.Errorf("%s: not a line of checksums: %q", filepath.Base(path), lines.Text())
		}
		sums[name] = sum
	}
	return sums, lines.Err()
}

// checkSums compares every listed file, and wants the zips and the manifest and nothing else listed.
func (r release) checkSums() error {
	var faults []error
	wanted := append([]string{r.manifestName()}, r.zips...)
	for _, name := range wanted {
		sum, listed := r.sums[name]
		if !listed {
			faults = append(faults, fmt.Errorf("SHA256SUMS does not list %s", name))
			continue
		}
		text, err := r.content(name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if actual := sha256.Sum256(text); hex.EncodeToString(actual[:]) != sum {
			faults = append(faults, fmt.Errorf("SHA256SUMS is wrong about %s", name))
		}
	}
	for name := range r.sums {
		if !slices.Contains(wanted, name) {
			faults = append(faults, fmt.Errorf("SHA256SUMS lists %s, which is no part of a release", name))
		}
	}
	return errors.Join(faults...)
}

// content reads a file of the release. goreleaser uploads the manifest under its new name straight from the repository
// and leaves no copy beside the zips, so it is read where it is.
func (r release) content(name string) ([]byte, error) {
	if name == r.manifestName() {
		return os.ReadFile(manifestPath(r.dir))
	}
	return os.ReadFile(filepath.Join(r.dir, name))
}

func manifestPath(dir string) string { return filepath.Join(dir, "..", manifestSource) }

func (r release) checkManifest() error {
	text, err := r.content(r.manifestName())
	if err != nil {
		return err
	}
	var manifest struct {
		Version  int
		Metadata struct {
			ProtocolVersions []string `json:"protocol_versions"`
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return fmt.Errorf("%s: %w", manifestSource, err)
	}
	if manifest.Version != 1 || !slices.Equal(manifest.Metadata.ProtocolVersions, []string{protocol}) {
		return fmt.Errorf("%s: version %d, protocols %v; want 1, [%s]", manifestSource, manifest.Version, manifest.Metadata.ProtocolVersions, protocol)
	}
	return nil
}

// checkZip wants the executable, under the name that Terraform looks for, and nothing else.
func (r release) checkZip(name string) error {
	archive, err := zip.OpenReader(filepath.Join(r.dir, name))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer archive.Close() //nolint:errcheck // only read
	if len(archive.File) != 1 {
		return fmt.Errorf("%s holds %d files, want the provider alone", name, len(archive.File))
	}
	file := archive.File[0]
	want := project + "_v" + r.version
	if strings.Contains(name, "_windows_") {
		want += ".exe"
	}
	if file.Name != want || file.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s holds %s (%s), want the executable %s", name, file.Name, file.Mode(), want)
	}
	return readable(name, file)
}

// readable reads the file whole, which compares its checksum in the zip.
func readable(name string, file *zip.File) error {
	content, err := file.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer content.Close() //nolint:errcheck // only read
	if _, err := io.Copy(io.Discard, content); err != nil {
		return fmt.Errorf("%s: %s: %w", name, file.Name, err)
	}
	return nil
}
