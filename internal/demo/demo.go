// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// exampleDir is the configuration that the demo applies; the demo runs at the root of the repository.
const exampleDir = "examples/demo"

// demo is the state of one play.
type demo struct {
	out io.Writer
	// work is a temporary directory for everything that is written; bin is where the provider's binary is.
	work, bin string
	// example is the configuration's directory, prefix what its topics' names begin with.
	example, prefix string

	// terraform is the path of the CLI.
	terraform string

	brokers  *brokers
	outsider *outsider
	cli      *cli
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// setUp prepares what the story needs.
func (d *demo) setUp() []step {
	return []step{
		{"Build the provider", d.build},
		{"Start three real brokers", d.start},
	}
}

func (d *demo) build(ctx context.Context) error {
	path, err := findCLI(ctx)
	if err != nil {
		return err
	}
	if err := buildProvider(ctx, d.bin); err != nil {
		return err
	}
	d.terraform = path
	d.say("The provider is built; the CLI is %s.", path)
	return nil
}

// buildProvider builds the provider into a directory.
func buildProvider(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, "terraform-provider-kafka"), ".")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the provider: %w\n%s", err, out)
	}
	return nil
}

func (d *demo) start(ctx context.Context) error {
	started, err := startBrokers(ctx)
	if err != nil {
		return err
	}
	d.brokers = started
	d.say("%s:", started.description)
	for _, server := range started.servers {
		d.say("    %s", server)
	}
	return d.connect(started.servers)
}

// connect prepares Terraform and the client that checks it for the brokers.
func (d *demo) connect(servers []string) error {
	var err error
	if d.outsider, err = newOutsider(servers); err != nil {
		return err
	}
	dir := filepath.Join(d.work, "configuration")
	if err := os.CopyFS(dir, os.DirFS(d.example)); err != nil {
		return err
	}
	d.cli, err = newCLI(d.terraform, dir, d.bin, filepath.Join(d.work, "cli.tfrc"), servers)
	return err
}

// tearDown stops the brokers and checks that they are gone.
func (d *demo) tearDown() result {
	r := result{title: "Stop the brokers", played: true}
	if d.brokers == nil {
		r.title = "Stop the brokers (none was started)"
		return r
	}
	start := time.Now()
	r.err = d.stop()
	r.took = time.Since(start)
	return r
}

// stop ends what was started; it may be called again.
func (d *demo) stop() error {
	if d.outsider != nil {
		d.outsider.close()
		d.outsider = nil
	}
	if d.brokers == nil {
		return nil
	}
	stop := d.brokers.stop
	d.brokers = nil
	return stop()
}

// show prints what Terraform wrote, as a quotation.
func (d *demo) show(output string) { d.say("%s", indent(relevant(output))) }

const planFile = "plan"

// plan makes a plan and wants its exit code to be the given one. It gives what Terraform wrote.
func (d *demo) plan(ctx context.Context, want int, variables ...string) (string, error) {
	args := []string{"plan", "-no-color", "-detailed-exitcode", "-out=" + planFile, "-var=topic_prefix=" + d.prefix}
	for _, variable := range variables {
		args = append(args, "-var="+variable)
	}
	d.say("$ terraform plan%s", strings.Join(append([]string{""}, variables...), " -var "))
	output, code, err := d.cli.run(ctx, args...)
	if err != nil {
		return output, err
	}
	d.show(output)
	if code != want {
		return output, fmt.Errorf("terraform plan ended with exit code %d (%s), expected was %d (%s)", code, planMeans(code), want, planMeans(want))
	}
	return output, nil
}

func planMeans(code int) string {
	switch code {
	case planEmpty:
		return "no changes"
	case planChanges:
		return "changes"
	default:
		return "error"
	}
}

// apply applies the plan that was made last, and checks on every broker that the topics have exactly these configs.
func (d *demo) apply(ctx context.Context, want configs) error {
	d.say("$ terraform apply")
	output, code, err := d.cli.run(ctx, "apply", "-no-color", planFile)
	if err != nil {
		return err
	}
	d.show(output)
	if code != 0 {
		return fmt.Errorf("terraform apply ended with exit code %d", code)
	}
	return d.check(ctx, want)
}

// check asks every broker, once, whether the topics have exactly these configs of their own.
func (d *demo) check(ctx context.Context, want configs) error {
	if err := d.outsider.shown(ctx, want); err != nil {
		return err
	}
	d.say("\nEach of the %d brokers, asked by another client, shows exactly the declared configs.", len(d.outsider.servers))
	return nil
}

// quotes wants every sentence to be in the output.
func quotes(output string, sentences ...string) error {
	var missing []error
	text := flat(output)
	for _, sentence := range sentences {
		if !strings.Contains(text, flat(sentence)) {
			missing = append(missing, fmt.Errorf("the output of terraform does not say %q", sentence))
		}
	}
	return errors.Join(missing...)
}
