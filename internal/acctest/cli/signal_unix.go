// SPDX-License-Identifier: MPL-2.0

//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// ownGroup has a command start a process group, as a shell does, which its providers then belong to. A command that is killed takes
// them with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

func interruptGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
