// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// watchdog ends the cluster's processes when this process ends, however it ends.
//
// It is a shell that reads from a pipe whose other end only this process holds, and that leads a process group which every server
// of the cluster joins. When this process ends, SIGKILL included, the system closes the pipe, and the shell kills its group: no
// list of pids to keep, none to go stale, and stopped processes end too.
type watchdog struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

func startWatchdog() (*watchdog, error) {
	cmd := exec.Command("/bin/sh", "-c", `trap "" HUP INT TERM; read -r _; kill -KILL 0`)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	return &watchdog{cmd: cmd, pipe: pipe}, nil
}

// join makes a command that is not started yet a member of the watchdog's group.
func (w *watchdog) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: w.cmd.Process.Pid}
}

// close kills the group and the watchdog with it.
func (w *watchdog) close() {
	_ = w.pipe.Close()
	_ = w.cmd.Wait()
}
