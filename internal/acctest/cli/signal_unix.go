// SPDX-License-Identifier: MPL-2.0

//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// ownGroup has a command start a process group, as a shell does, which its providers then belong to. A command that is killed takes
// them with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// killProviders kills the providers that terraform has started, as the system does when it is out of memory.
func killProviders(cmd *exec.Cmd) error {
	children, err := exec.CommandContext(context.Background(), "pgrep", "-P", strconv.Itoa(cmd.Process.Pid), "-f", "terraform-provider-").Output()
	if err != nil {
		return fmt.Errorf("find the providers with pgrep: %w", err)
	}
	for _, line := range strings.Fields(string(children)) {
		pid, convErr := strconv.Atoi(line)
		err = errors.Join(err, convErr)
		if convErr == nil {
			err = errors.Join(err, syscall.Kill(pid, syscall.SIGKILL))
		}
	}
	return err
}

func interruptGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
