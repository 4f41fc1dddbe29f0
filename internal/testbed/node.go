// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	files "github.com/kafka-layout/terraform-provider-kafka/testbed"
)

// kafkaMain is the class of Kafka's servers.
const kafkaMain = "kafka.Kafka"

// node is one server: a broker, a controller, both, or ZooKeeper.
type node struct {
	id   int
	rack string
	port int // the client port that the server listens on; 0 for a controller alone
	// advertised is the client port that clients are told: port, or that of a proxy in front of it.
	advertised int
	listeners  []int // the ports of Options.Listeners
	env        map[string]string
	// properties are the file that the server reads, where the test bed writes it: before Kafka 3.7 nothing else makes it of env.
	properties map[string]string
	dir        string // config, data and logs
	main       string // the class that runs
	isBroker   bool

	mu     sync.Mutex
	cmd    *exec.Cmd
	exited chan struct{} // closed when cmd has ended
	ending bool          // somebody told it to end
	paused bool
}

func (n *node) logFile() string { return filepath.Join(n.dir, "logs", "server.log") }
func (n *node) config() string  { return filepath.Join(n.dir, "config", "server.properties") }

// prepare makes the node's directories, the set-up of its log, and the file that it reads.
func (n *node) prepare(ctx context.Context, run *runtime) error {
	for _, dir := range []string{n.defaults(), n.mounted(), filepath.Dir(n.config()), filepath.Dir(n.logFile())} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	content, err := files.Files.ReadFile(run.generation.logConfig)
	if err != nil {
		return err
	}
	if err := os.WriteFile(n.logConfig(run), content, 0o600); err != nil {
		return err
	}
	if n.properties != nil {
		return n.writeProperties()
	}
	return n.runEntryPoint(ctx, run)
}

func (n *node) defaults() string { return filepath.Join(n.dir, "defaults") }
func (n *node) mounted() string  { return filepath.Join(n.dir, "mounted") }

// logConfig is where the set-up of the node's log is. The entry point wants it among the defaults.
func (n *node) logConfig(run *runtime) string {
	return filepath.Join(n.defaults(), run.generation.logConfig)
}

// runEntryPoint has Kafka's own container entry point turn the node's environment into server.properties, and format its directories.
func (n *node) runEntryPoint(ctx context.Context, run *runtime) error {
	args := append(n.jvmFlags(), run.generation.logFlag+n.logConfig(run),
		"-cp", n.classPath(run), "kafka.docker.KafkaDockerWrapper", "setup",
		"--default-configs-dir", n.defaults(), "--mounted-configs-dir", n.mounted(), "--final-configs-dir", filepath.Dir(n.config()))
	cmd := exec.CommandContext(ctx, run.java, args...)
	// Only this environment: the entry point takes every KAFKA_… variable for a broker property.
	for key, value := range n.env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	run.watchdog.join(cmd)
	output, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("prepare node %d: %w\n%s", n.id, err, tail(string(output), 20))
	}
	return nil
}

// classPath is Kafka's, with what the node's description adds.
func (n *node) classPath(run *runtime) string {
	if added := n.env["CLASSPATH"]; added != "" {
		return run.classPath + string(filepath.ListSeparator) + added
	}
	return run.classPath
}

func (n *node) jvmFlags() []string {
	return append(strings.Fields(n.env["KAFKA_HEAP_OPTS"]), strings.Fields(n.env["KAFKA_JVM_PERFORMANCE_OPTS"])...)
}

// start runs the prepared server. Its output is appended to its log file.
func (n *node) start(run *runtime) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	log, err := os.OpenFile(n.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	args := append(n.jvmFlags(), run.generation.logFlag+n.logConfig(run), "-cp", n.classPath(run), n.main, n.config())
	cmd := exec.Command(run.java, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = n.dir, log, log
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	run.watchdog.join(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start node %d: %w", n.id, err)
	}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = cmd.Wait()
	}()
	n.cmd, n.exited, n.ending, n.paused = cmd, exited, false, false
	return nil
}

// pid is the server's process id, 0 while it does not run.
func (n *node) pid() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cmd == nil || n.hasExited() {
		return 0
	}
	return n.cmd.Process.Pid
}

// serves reports whether the server runs and can answer.
func (n *node) serves() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cmd != nil && !n.hasExited() && !n.paused
}

// hasExited needs mu to be held.
func (n *node) hasExited() bool {
	select {
	case <-n.exited:
		return true
	default:
		return false
	}
}

// signal sends a signal to the running server.
func (n *node) signal(sig syscall.Signal) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cmd == nil || n.hasExited() {
		return fmt.Errorf("node %d does not run", n.id)
	}
	return n.cmd.Process.Signal(sig)
}

// end sends a signal that ends the running server.
func (n *node) end(sig syscall.Signal) error {
	n.mu.Lock()
	n.ending = true
	n.mu.Unlock()
	return n.signal(sig)
}

// endedByItself reports whether the server has ended and nobody told it to.
func (n *node) endedByItself() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cmd != nil && n.hasExited() && !n.ending
}

// done is closed when the server has ended, nil if it never ran.
func (n *node) done() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.exited
}

// wait returns when the server has ended, at once if it never ran.
func (n *node) wait(ctx context.Context) error {
	exited := n.done()
	if exited == nil {
		return nil
	}
	select {
	case <-exited:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("node %d has not ended: %w; its log is %s", n.id, ctx.Err(), n.logFile())
	}
}

// waitEnded returns when a server that was killed has ended, which the system sees to.
func (n *node) waitEnded() {
	if exited := n.done(); exited != nil {
		<-exited
	}
}
