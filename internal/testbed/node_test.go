// SPDX-License-Identifier: MPL-2.0

package testbed

import "testing"

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
