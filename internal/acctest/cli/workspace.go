// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// commandTimeout is when a command that hangs is killed, and its test with it.
const commandTimeout = 3 * time.Minute

// Workspace is a directory with a configuration and its state, in which terraform runs. It is removed when the test ends.
type Workspace struct {
	t         testing.TB
	terraform string
	dir       string
	env       []string
}

// New returns an empty workspace whose terraform takes the provider kafka-layout/kafka from the binary under test, through
// dev_overrides: terraform init is neither needed nor possible.
func New(t testing.TB) *Workspace {
	t.Helper()
	w := Bare(t)
	w.ConfigureCLI(fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"kafka-layout/kafka\" = %q\n  }\n  direct {}\n}\n",
		filepath.ToSlash(filepath.Dir(Provider(t)))))
	return w
}

// Bare returns an empty workspace whose terraform knows no provider; see [Workspace.ConfigureCLI].
func Bare(t testing.TB) *Workspace {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("Acceptance tests skipped unless env 'TF_ACC' set")
	}
	command := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if command == "" {
		command = "terraform"
	}
	path, err := exec.LookPath(command)
	if err != nil {
		t.Fatalf("There is no Terraform: %v. Install it, or set TF_ACC_TERRAFORM_PATH to the command.", err)
	}
	w := &Workspace{t: t, terraform: path, dir: t.TempDir()}
	// Under the race detector a process sleeps a second before it exits unless told otherwise, and a command has several providers.
	w.env = []string{
		"CHECKPOINT_DISABLE=1", "TF_CLI_ARGS=-no-color",
		"TF_CLI_ARGS_init=-input=false", "TF_CLI_ARGS_plan=-input=false", "TF_CLI_ARGS_apply=-input=false",
		"GORACE=atexit_sleep_ms=0 log_path=" + w.Path(raceLog),
	}
	w.ConfigureCLI("")
	t.Cleanup(w.reportRaces)
	return w
}

// ConfigureCLI sets the content of the file that terraform takes its own settings from, other than those of the configuration.
func (w *Workspace) ConfigureCLI(text string) {
	w.t.Helper()
	w.Write("cli.tfrc", text)
	w.Setenv("TF_CLI_CONFIG_FILE", w.Path("cli.tfrc"))
}

// Setenv sets a variable for the commands that follow.
func (w *Workspace) Setenv(name, value string) { w.env = append(w.env, name+"="+value) }

// Path is the path of a file of the workspace.
func (w *Workspace) Path(name string) string { return filepath.Join(w.dir, name) }

// Write sets the content of a file of the workspace.
func (w *Workspace) Write(name, text string) {
	w.t.Helper()
	if err := os.WriteFile(w.Path(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// Remove removes a file of the workspace.
func (w *Workspace) Remove(name string) {
	w.t.Helper()
	if err := os.Remove(w.Path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// Run runs terraform and returns how it ended. An exit code other than 0 is the caller's to judge.
func (w *Workspace) Run(args ...string) *Result {
	w.t.Helper()
	return w.Start(args...).Wait()
}

// Process is a terraform command that runs.
type Process struct {
	w              *Workspace
	name           string
	cmd            *exec.Cmd
	cancel         context.CancelFunc
	stdout, stderr bytes.Buffer
	started        time.Time
}

// Start starts terraform. The caller waits for it.
func (w *Workspace) Start(args ...string) *Process {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout)
	p := &Process{w: w, name: "terraform " + strings.Join(args, " "), cancel: cancel, started: time.Now()}
	p.cmd = exec.CommandContext(ctx, w.terraform, args...)
	p.cmd.Dir = w.dir
	p.cmd.Env = append(cleanEnvironment(), w.env...)
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	ownGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		cancel()
		w.t.Fatalf("%s: %v", p.name, err)
	}
	return p
}

// Interrupt does what Ctrl-C does in a terminal: terraform and its providers get the signal.
func (p *Process) Interrupt() {
	p.w.t.Helper()
	if err := interruptGroup(p.cmd); err != nil {
		p.w.t.Fatalf("Interrupt %s: %v", p.name, err)
	}
}

// KillProviders kills the providers of the command, and not terraform, which then tells that they are gone.
func (p *Process) KillProviders() {
	p.w.t.Helper()
	if err := killProviders(p.cmd); err != nil {
		p.w.t.Fatalf("Kill the providers of %s: %v", p.name, err)
	}
}

// Wait returns how the command ended. One that does not end within minutes is killed and fails the test.
func (p *Process) Wait() *Result {
	p.w.t.Helper()
	defer p.cancel()
	err := p.cmd.Wait()
	r := &Result{t: p.w.t, command: p.name, Stdout: p.stdout.String(), Stderr: p.stderr.String(), Code: p.cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || r.Code < 0) {
		r.fatalf("it did not end by itself: %v", err)
	}
	p.w.t.Logf("%s: exit code %d after %.1f s", p.name, r.Code, time.Since(p.started).Seconds())
	return r
}

// cleanEnvironment is this process's environment without what would change what terraform or the provider do.
func cleanEnvironment() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") && !strings.HasPrefix(variable, "KAFKA_") {
			env = append(env, variable)
		}
	}
	return env
}

const raceLog = "data-race"

// reportRaces fails the test if the race detector in the provider's process saw something: terraform hides what a provider prints.
func (w *Workspace) reportRaces() {
	reports, err := filepath.Glob(w.Path(raceLog + ".*"))
	if err != nil {
		w.t.Error(err)
	}
	for _, report := range reports {
		text, err := os.ReadFile(report)
		w.t.Errorf("The provider has a data race: %s (%v)", text, err)
	}
}
