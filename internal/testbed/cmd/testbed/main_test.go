// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// envCommand makes this test binary the command.
const envCommand = "TESTBED_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(envCommand) != "" {
		os.Exit(command(context.Background(), os.Args[1:]))
	}
	os.Exit(m.Run())
}

// testbedCommand runs the command as a process and returns its outputs and its exit code.
func testbedCommand(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	// On the JVM, whatever the tests around run on.
	cmd.Env = append(append(os.Environ(), envCommand+"=1", testbed.EnvWay+"="), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestUpStatusDown(t *testing.T) {
	env := []string{envStateDir + "=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	t.Cleanup(func() { testbedCommand(t, env, "down") })

	if out, _, code := testbedCommand(t, env, "status"); code != exitNotRunning || out != "" {
		t.Fatalf("status before up: exit code %d, output %q", code, out)
	}
	out, errs, code := testbedCommand(t, env, "up")
	if code != exitOK {
		t.Fatalf("up: exit code %d: %s", code, errs)
	}
	list, found := strings.CutPrefix(strings.TrimSpace(out), "export KAFKA_BOOTSTRAP_SERVERS=")
	servers := strings.Split(list, ",")
	if !found || len(servers) != 3 {
		t.Fatalf("up printed %q", out)
	}
	for _, server := range servers {
		if err := testbed.Ping(t.Context(), server); err != nil {
			t.Errorf("%s does not answer: %v", server, err)
		}
	}
	if again, _, code := testbedCommand(t, env, "up"); code != exitOK || again != out {
		t.Errorf("a second up: exit code %d, output %q, want the cluster that runs", code, again)
	}
	if _, errs, code = testbedCommand(t, env, "status"); code != exitOK || strings.Count(errs, " answers\n") != 3 {
		t.Errorf("status: exit code %d: %s", code, errs)
	}
	for _, args := range [][]string{
		{"kafka-topics.sh", "--create", "--topic", "tool", "--partitions", "3", "--replication-factor", "3"},
		{"kafka-configs.sh", "--alter", "--topic", "tool", "--add-config", "segment.bytes=1048576"},
	} {
		args = append([]string{"tool", args[0], "--bootstrap-server", list}, args[1:]...)
		if _, errs, code := testbedCommand(t, env, args...); code != exitOK {
			t.Errorf("%v: exit code %d: %s", args, code, errs)
		}
	}
	if out, errs, code := testbedCommand(t, env, "tool", "kafka-configs.sh", "--bootstrap-server", list, "--describe", "--topic", "tool"); code != exitOK ||
		!strings.Contains(out, "segment.bytes=1048576") {
		t.Errorf("describe: exit code %d, %q: %s", code, out, errs)
	}
	if _, _, code := testbedCommand(t, env, "tool", "kafka-topics.sh", "--bootstrap-server", list, "--describe", "--topic", "absent"); code != 1 {
		t.Errorf("describe of an absent topic: exit code %d, want the tool's", code)
	}
	dir := strings.TrimPrefix(env[0], envStateDir+"=")
	s, _, err := readState(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, errs, code = testbedCommand(t, env, "down"); code != exitOK {
		t.Fatalf("down: exit code %d: %s", code, errs)
	}
	for _, b := range s.Brokers {
		if b.Pid == 0 || syscall.Kill(b.Pid, 0) == nil {
			t.Errorf("process %d of broker %d is still there", b.Pid, b.ID)
		}
	}
	left, _ := filepath.Glob(strings.TrimPrefix(env[1], "TMPDIR=") + "/*")
	if len(left) > 0 {
		t.Errorf("down left %v", left)
	}
	if _, _, code = testbedCommand(t, env, "down"); code != exitOK {
		t.Errorf("a second down: exit code %d", code)
	}
}

func TestRunPassesTheClusterAndTheExitCode(t *testing.T) {
	temp := t.TempDir()
	out, errs, code := testbedCommand(t, []string{"TMPDIR=" + temp}, "run", "--", "/bin/sh", "-c",
		`echo "$TESTBED_BOOTSTRAP_SERVERS $TESTBED_KAFKA_VERSION"; ls "$TESTBED_DIR"/node-1/logs; exit 7`)
	if code != 7 {
		t.Errorf("exit code %d, want the command's: %s", code, errs)
	}
	fields := strings.Fields(out)
	if len(fields) != 3 || len(strings.Split(fields[0], ",")) != 3 || fields[1] != testbed.DefaultVersion || fields[2] != "server.log" {
		t.Fatalf("the command found %q", out)
	}
	for _, server := range strings.Split(fields[0], ",") {
		if err := testbed.Ping(t.Context(), server); err == nil {
			t.Errorf("%s still answers", server)
		}
	}
	_, dir, _ := strings.Cut(strings.TrimSpace(errs), "logs are in ")
	if _, err := os.Stat(filepath.Join(dir, "node-1", "logs", "server.log")); err != nil {
		t.Errorf("the logs of a failed command are not kept: %v in %q", err, errs)
	}
}

func TestOneLineSaysWhatToInstall(t *testing.T) {
	java, err := exec.LookPath("java")
	if err != nil {
		t.Fatal(err)
	}
	onlyJava := t.TempDir()
	if err := os.Symlink(java, filepath.Join(onlyJava, "java")); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	tests := map[string]struct {
		env  []string
		want string
	}{
		"no java, no docker": {[]string{"PATH=" + empty, "JAVA_HOME="}, "install a Java runtime, version 17 or later"},
		"no mvn":             {[]string{"PATH=" + onlyJava, "JAVA_HOME="}, "install Apache Maven"},
		"docker wanted":      {[]string{"PATH=" + onlyJava, "TESTBED=docker"}, "install and start Docker"},
		"wrong JAVA_HOME":    {[]string{"PATH=" + empty, "JAVA_HOME=" + empty}, "or set JAVA_HOME"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			// An empty cache, so that nothing resolved earlier hides what is missing.
			env := append([]string{envStateDir + "=" + t.TempDir(), "XDG_CACHE_HOME=" + t.TempDir(), "HOME=" + t.TempDir()}, tt.env...)
			_, errs, code := testbedCommand(t, env, "run", "--", "true")
			if code != exitFailed || !strings.Contains(errs, tt.want) || strings.Count(errs, "\n") != 1 {
				t.Errorf("run: exit code %d: %q, want one line with %q", code, errs, tt.want)
			}
			_, errs, code = testbedCommand(t, env, "up")
			lines := strings.Split(strings.TrimSpace(errs), "\n")
			if code != exitFailed || len(lines) != 2 || !strings.Contains(lines[1], tt.want) {
				t.Errorf("up: exit code %d: %q, want one line with %q after the announcement", code, errs, tt.want)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"start"}, {"up", "now"}, {"run"}, {"up", "-no-such-flag"}, {"tool"}, {"tool", "kafka-server-start.sh"}} {
		if _, errs, code := testbedCommand(t, nil, args...); code != exitUsage || errs == "" {
			t.Errorf("testbed %v: exit code %d, %q", args, code, errs)
		}
	}
}
