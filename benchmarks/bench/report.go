// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// save writes the files that are wanted.
func (o options) save(figures []figure) error {
	if o.markdown != "" {
		var text bytes.Buffer
		if err := table(&text, figures); err != nil {
			return err
		}
		if err := os.WriteFile(o.markdown, text.Bytes(), 0o600); err != nil {
			return err
		}
	}
	if o.json == "" {
		return nil
	}
	raw, err := json.MarshalIndent(map[string]any{"date": today(), "machine": machine(), "terraform": version(), "figures": figures}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(raw, '\n'), 0o600)
}

func table(w io.Writer, figures []figure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s, %s, %s; medians of the runs. The floor does nothing; the quiet floor does nothing and leaves out the framework's log, as ours does.\n\n",
		today(), machine(), version())
	b.WriteString("| resources | topics | network | -parallelism | command | runs | floor s | quiet floor s | ours s | ours / floor | ours / quiet floor | CPU, ours / floor | CPU, ours / quiet floor | provider CPU s | provider MiB | requests | kB |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, f := range figures {
		fmt.Fprintf(&b, "| %s | %d | %s | %d | %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f | %.0f | %s | %d |\n", f.Subject, f.Topics, f.Latency, f.Parallelism, f.Command, f.Runs,
			f.Floor.Seconds, f.Quiet.Seconds, f.Ours.Seconds, f.Ratio, f.QuietRatio, f.Ours.CPUSeconds/f.Floor.CPUSeconds, f.Ours.CPUSeconds/f.Quiet.CPUSeconds,
			f.Ours.Provider.CPUSeconds, f.Ours.Provider.MiB, requests(f.Traffic.Requests), f.Traffic.Bytes/1000)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func requests(counts map[string]int) string {
	parts := make([]string, 0, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	return strings.Join(parts, ", ")
}

func today() string { return time.Now().Format(time.DateOnly) }

func machine() string {
	return fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// version is the first line of terraform version.
func version() string {
	path := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if path == "" {
		path = "terraform"
	}
	text, err := exec.Command(path, "version").Output()
	if err != nil {
		return "unknown CLI"
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return first
}
