// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// envChild makes this test binary the parent of a cluster that the test then kills.
const envChild = "TESTBED_TEST_CHILD"

func TestServersEndWithAKilledParent(t *testing.T) {
	if os.Getenv(envChild) != "" {
		runChild()
	}
	temp := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServersEndWithAKilledParent$")
	cmd.Env = append(os.Environ(), envChild+"=1", "TMPDIR="+temp)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the child ended without a cluster: %v", err)
	}
	var running, paused, watcher int
	if _, err := fmt.Sscanf(line, "pids %d %d %d", &running, &paused, &watcher); err != nil {
		t.Fatalf("the child said %q: %v", line, err)
	}
	pids := []int{running, paused, watcher}
	for _, pid := range pids {
		if !alive(pid) {
			t.Fatalf("process %d does not run before the parent is killed", pid)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for _, pid := range pids {
		for alive(pid) {
			select {
			case <-ctx.Done():
				_ = syscall.Kill(pid, syscall.SIGKILL)
				t.Fatalf("process %d outlived its parent", pid)
			case <-time.After(pollInterval):
			}
		}
	}
	t.Setenv("TMPDIR", temp)
	checkSweep(t, temp)
}

// runChild starts a cluster, pauses one of its brokers, says the pids, and waits to be killed.
func runChild() {
	c, err := Start(context.Background(), Options{Brokers: 2})
	if err == nil {
		err = c.Pause(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("pids %d %d %d\n", c.Brokers()[0].Pid, c.Brokers()[1].Pid, c.run.watchdog.cmd.Process.Pid)
	select {}
}

// alive reports whether a process runs; one that ended and that nobody has waited for does not.
func alive(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", fmt.Sprint(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

// checkSweep checks that the next start removes what the killed parent left, but for the logs.
func checkSweep(t *testing.T, temp string) {
	data, err := os.ReadDir(temp)
	if err != nil || len(data) == 0 {
		t.Fatalf("the killed parent left nothing: %v", err)
	}
	dir := temp + "/" + data[0].Name()
	if _, err := os.Stat(dataDir(dir, 1)); err != nil {
		t.Fatalf("the killed parent left no data: %v", err)
	}
	sweep()
	if _, err := os.Stat(dataDir(dir, 1)); !os.IsNotExist(err) {
		t.Errorf("data of a killed parent is still there: %v", err)
	}
	if _, err := os.Stat(nodeDir(dir, 1) + "/logs/server.log"); err != nil {
		t.Errorf("the log of a killed parent is gone: %v", err)
	}
	old := time.Now().Add(-2 * keepLogs)
	if err := os.Chtimes(dir+"/"+ownerLock, old, old); err != nil {
		t.Fatal(err)
	}
	sweep()
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("old logs are still there: %v", err)
	}
}
