// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// tellingLines is how much of a server's log is shown.
const tellingLines = 15

// CloseTelling closes a cluster whose tests failed. The logs stay for a day, and it writes where they are, and what they say of
// servers that ended although nobody told them to, as a log that stays on another machine helps nobody.
func (c *Cluster) CloseTelling(out io.Writer) error {
	var ended []*node
	c.mu.Lock()
	for _, n := range c.nodes {
		if n.endedByItself() {
			ended = append(ended, n)
		}
	}
	c.mu.Unlock()
	dir, err := c.closeKeepingLogs()
	_, _ = fmt.Fprintln(out, "The servers' logs are in", dir)
	for _, n := range ended {
		_, _ = fmt.Fprintf(out, "Node %d ended, and nobody told it to. %s\n", n.id, tellingOf(n.logFile()))
	}
	return err
}

// tellingOf gives the telling lines of a server's log.
func tellingOf(log string) string {
	content, err := os.ReadFile(log)
	if err != nil {
		return fmt.Sprintf("Its log cannot be read: %v", err)
	}
	return fmt.Sprintf("Its log is %s and says\n%s", log, telling(string(content), tellingLines))
}

// telling returns the lines of a server's log that tell why it ended: the first error with its stack, else the last lines. What a server
// logs while it shuts down can hide the reason.
func telling(log string, lines int) string {
	all := strings.Split(strings.TrimSpace(log), "\n")
	first := slices.IndexFunc(all, func(line string) bool {
		return strings.Contains(line, "] ERROR ") || strings.Contains(line, "] FATAL ")
	})
	if first < 0 {
		return tail(log, lines)
	}
	return strings.Join(all[first:min(first+lines, len(all))], "\n")
}

// tail returns the last lines of a text.
func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
