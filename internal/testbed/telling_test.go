// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"strings"
	"syscall"
	"testing"
)

func TestTelling(t *testing.T) {
	for _, tt := range []struct{ name, log, want string }{
		{"an error hidden by the shutdown", "[1] INFO a\n[2] ERROR bind\ncause\n[3] INFO b\n[4] INFO c\n", "[2] ERROR bind\ncause"},
		{"no error", "[1] INFO a\n[2] INFO b\n[3] INFO c\n", "[2] INFO b\n[3] INFO c"},
		{"short", "[1] FATAL a", "[1] FATAL a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := telling(tt.log, 2); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Who closes a cluster after a failure learns which server ended by itself, and not of one that a test stopped.
func TestCloseTelling(t *testing.T) {
	ctx := context.Background()
	c, err := Start(ctx, Options{Brokers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(ctx, 2); err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(c.Brokers()[0].Pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	c.nodes[0].waitEnded()
	var out strings.Builder
	if err := c.CloseTelling(&out); err != nil {
		t.Error(err)
	}
	if said := out.String(); !strings.Contains(said, "Node 1 ended, and nobody told it to. Its log is "+c.nodes[0].logFile()+" and says\n[") ||
		strings.Contains(said, "Node 2") {
		t.Errorf("It says\n%s", said)
	}
}
