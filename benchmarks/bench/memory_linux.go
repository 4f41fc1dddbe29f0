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

const memoryBeat = 100 * time.Millisecond

// watchMemory looks at the provider processes below a process until the returned function is called, which gives the highest peak in MiB.
func watchMemory(parent int) (peak func() float64) {
	stop, done := make(chan struct{}), make(chan float64)
	go func() {
		highest := 0.0
		beat := time.NewTicker(memoryBeat)
		defer beat.Stop()
		for {
			for _, pid := range children(parent) {
				highest = max(highest, peakOf(pid))
			}
			select {
			case <-beat.C:
			case <-stop:
				done <- highest
				return
			}
		}
	}()
	return func() float64 { close(stop); return <-done }
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
