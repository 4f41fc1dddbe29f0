// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// setEnvironment sets what another process would have been given.
func setEnvironment(t *testing.T, variables []string) {
	t.Helper()
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
}

func TestAttachFindsTheSameCluster(t *testing.T) {
	c := Shared(t)
	setEnvironment(t, c.Environment())
	attached, err := attach(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if attached.ClusterID() != c.ClusterID() || attached.LogDir(2) != c.LogDir(2) || attached.version() != c.version() {
		t.Errorf("got cluster %s with logs in %s, want %s and %s", attached.ClusterID(), attached.LogDir(2), c.ClusterID(), c.LogDir(2))
	}
	for i, b := range attached.Brokers() {
		want := c.Brokers()[i]
		if b.ID != want.ID || b.Address != want.Address || b.Rack != want.Rack {
			t.Errorf("got broker %+v, want %+v", b, want)
		}
	}
	attached.UniqueTopic(t, 1, 3)

	ctx := context.Background()
	for name, forbidden := range map[string]func() error{
		"Stop":    func() error { return attached.Stop(ctx, 1) },
		"Kill":    func() error { return attached.Kill(ctx, 1) },
		"Restart": func() error { return attached.Restart(ctx, 1) },
		"Pause":   func() error { return attached.Pause(1) },
		"AddBroker": func() error {
			_, err := attached.AddBroker(ctx, "")
			return err
		},
	} {
		if err := forbidden(); !errors.Is(err, errAttached) {
			t.Errorf("%s of another process's broker: %v", name, err)
		}
	}
	if err := attached.Close(); err != nil {
		t.Error(err)
	}
	for _, b := range c.Brokers() {
		if err := Ping(ctx, b.Address); err != nil {
			t.Errorf("broker %d ended with a cluster that was only attached: %v", b.ID, err)
		}
	}
}

func TestAttachNamesTheAddress(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	address := fmt.Sprintf("%s:%d", loopback, port)
	t.Setenv(EnvBootstrapServers, address)
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	if _, err := attach(ctx); err == nil || !strings.Contains(err.Error(), EnvBootstrapServers+"="+address) {
		t.Errorf("got %v, want the variable and the address in it", err)
	}
}

func TestDockerRunsTheDescribedClusterOnly(t *testing.T) {
	for name, o := range map[string]Options{
		"more brokers":        {Brokers: 4},
		"separate controller": {SeparateControllers: true},
		"proxies":             {Proxied: true},
		"ZooKeeper":           {Version: "3.9.2", Mode: ZooKeeper},
		"a listener":          {Listeners: []Listener{{Name: "TLS", Protocol: "SSL"}}},
		"properties":          {ServerProperties: map[string]string{"num.io.threads": "3"}},
	} {
		if _, err := StartDocker(context.Background(), o); err == nil || !strings.Contains(err.Error(), "need the JVM") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
