// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// beat is how often providers are looked at. What they do in their last one is not seen.
	beat = 50 * time.Millisecond
	// ticksPerSecond is Linux's USER_HZ, which is the same on every machine that Go runs on.
	ticksPerSecond = 100
)

// watchProviders looks at the processes below a process, which are Terraform's providers, until the returned function is called. That one
// gives what they have taken.
func watchProviders(parent int) (taken func() providers) {
	stop, done := make(chan struct{}), make(chan providers)
	go func() {
		var all providers
		seconds := map[int]float64{}
		ticker := time.NewTicker(beat)
		defer ticker.Stop()
		for {
			for _, pid := range children(parent) {
				all.MiB = max(all.MiB, peakOf(pid))
				seconds[pid] = max(seconds[pid], secondsOf(pid))
			}
			select {
			case <-ticker.C:
			case <-stop:
				for _, one := range seconds {
					all.CPUSeconds += one
				}
				done <- all
				return
			}
		}
	}()
	return func() providers { close(stop); return <-done }
}

func children(parent int) []int {
	var pids []int
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", parent))
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue
		}
		for field := range strings.FieldsSeq(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// peakOf is VmHWM, the most memory that the process has had.
func peakOf(pid int) float64 {
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 64)
			if err == nil {
				return kib / 1024
			}
		}
	}
	return 0
}

// secondsOf is what the process has computed for so far: fields 14 and 15 of its stat, which come after its name in parentheses.
func secondsOf(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	const user, system = 14 - 3, 15 - 3
	if len(fields) <= system {
		return 0
	}
	ticks := 0.0
	for _, field := range []string{fields[user], fields[system]} {
		n, _ := strconv.ParseFloat(field, 64) // digits only
		ticks += n
	}
	return ticks / ticksPerSecond
}
