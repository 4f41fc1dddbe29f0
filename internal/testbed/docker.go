// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	files "github.com/kafka-layout/terraform-provider-kafka/testbed"
)

// FindDocker reports in one line what is missing to run the Compose file with Docker, nil if nothing is.
func FindDocker(ctx context.Context) error {
	if err := exec.CommandContext(ctx, "docker", "info").Run(); err != nil {
		return errors.New("no Docker engine answers (docker info): install and start Docker")
	}
	if err := exec.CommandContext(ctx, "docker", "compose", "version").Run(); err != nil {
		return errors.New("docker compose is not there: install Docker's Compose plugin (for example docker-compose-plugin)")
	}
	return nil
}

// composeProject is a running Compose project.
type composeProject struct {
	name      string
	files     []string
	variables []string // NAME=value
}

// StartDocker runs the Compose file with Docker and returns when every broker, asked itself, knows all the others. The containers end
// with [Cluster.Close]; unlike servers on the JVM they outlive a killed process.
func StartDocker(ctx context.Context, o Options) (*Cluster, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if o.Mode != KRaft || o.Brokers != composeNodes || o.SeparateControllers || o.Proxied || len(o.ServerProperties) > 0 || len(o.Listeners) > 0 || len(o.Racks) > 0 || o.Authorizer {
		return nil, errors.New("with Docker the test bed runs what testbed/compose.yaml describes; other brokers, controllers, modes, racks, listeners, proxies, properties and an authorizer need the JVM")
	}
	ctx, cancel := context.WithTimeout(ctx, 3*startTimeout) // an image may have to be pulled
	defer cancel()
	if err := FindDocker(ctx); err != nil {
		return nil, err
	}
	dir, release, err := newClusterDir()
	if err != nil {
		return nil, err
	}
	c := &Cluster{options: o, id: newClusterID(), dir: dir, release: release, docker: &composeProject{name: filepath.Base(dir)}}
	if err := c.startDocker(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start Kafka %s with Docker: %w", o.Version, err), c.end())
	}
	return c, nil
}

func (c *Cluster) startDocker(ctx context.Context) error {
	if err := writeFiles(c.dir); err != nil {
		return err
	}
	variables := map[string]string{"CLUSTER_ID": c.id, "KAFKA_VERSION": c.options.Version}
	if c.options.Policy {
		jar, err := policyJar(ctx)
		if err != nil {
			return err
		}
		variables["POLICY_JAR"] = jar
	}
	var brokers []Broker
	for id := 1; id <= composeNodes; id++ {
		port, err := c.dockerPort(id)
		if err != nil {
			return err
		}
		variables[fmt.Sprintf("NODE_%d_PORT", id)] = strconv.Itoa(port)
		brokers = append(brokers, Broker{ID: id, Address: fmt.Sprintf("%s:%d", loopback, port), Rack: c.options.rackOf(id)})
	}
	for _, name := range composeFiles(c.options) {
		c.docker.files = append(c.docker.files, filepath.Join(c.dir, name))
	}
	for _, key := range slices.Sorted(maps.Keys(variables)) {
		c.docker.variables = append(c.docker.variables, key+"="+variables[key])
	}
	if err := c.docker.run(ctx, "up", "--detach", "--quiet-pull"); err != nil {
		return err
	}
	c.attached = brokers
	for _, b := range brokers {
		if err := waitAddress(ctx, b); err != nil {
			return fmt.Errorf("%w\n%s", err, c.docker.logs(ctx))
		}
	}
	return nil
}

func (c *Cluster) dockerPort(id int) (int, error) {
	if id <= len(c.options.Ports) && c.options.Ports[id-1] != 0 {
		return c.options.Ports[id-1], nil
	}
	return freePort()
}

// waitAddress returns when a broker that Docker runs names all brokers and a controller.
func waitAddress(ctx context.Context, b Broker) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return askUntil(ctx, b, knowsAllOfCompose)
}

func (p *composeProject) command(ctx context.Context, args ...string) *exec.Cmd {
	all := []string{"compose", "--project-name", p.name}
	for _, file := range p.files {
		all = append(all, "--file", file)
	}
	cmd := exec.CommandContext(ctx, "docker", append(all, args...)...)
	cmd.Env = append(os.Environ(), p.variables...)
	return cmd
}

func (p *composeProject) run(ctx context.Context, args ...string) error {
	if output, err := p.command(ctx, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("docker compose %s: %w\n%s", strings.Join(args, " "), err, tail(string(output), 20))
	}
	return nil
}

func (p *composeProject) logs(ctx context.Context) string {
	output, _ := p.command(ctx, "logs", "--tail", "15").CombinedOutput()
	return string(output)
}

// down ends the containers, also where the context that they were started under is done.
//
//nolint:contextcheck // see above
func (p *composeProject) down() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return p.run(ctx, "down", "--volumes", "--timeout", "1")
}

// writeFiles copies the embedded files into a directory.
func writeFiles(dir string) error {
	return fs.WalkDir(files.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		target := filepath.Join(dir, filepath.FromSlash(path))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		}
		content, err := files.Files.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o600)
	})
}
