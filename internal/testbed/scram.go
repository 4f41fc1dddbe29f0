// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// scramIterations is the fewest that Kafka takes, as tests hash a password at each connection.
const scramIterations = 4096

// addScramUsers makes the users of SCRAM, and returns when every broker lets the last of them in.
func (c *Cluster) addScramUsers(ctx context.Context) error {
	users, mechanisms := c.options.scramUsers()
	if len(users) == 0 {
		return nil
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.BootstrapServers()...))
	if err != nil {
		return err
	}
	defer client.Close()
	names := slices.Sorted(maps.Keys(users))
	for _, mechanism := range mechanisms { // one request each: Kafka refuses one that names a user twice
		var upserts []kadm.UpsertSCRAM
		for _, name := range names {
			upserts = append(upserts, kadm.UpsertSCRAM{User: name, Password: users[name], Iterations: scramIterations, Mechanism: scramMechanism(mechanism)})
		}
		altered, err := kadm.NewClient(client).AlterUserSCRAMs(ctx, nil, upserts)
		if err == nil {
			err = altered.Error()
		}
		if err != nil {
			return fmt.Errorf("make the users of %s: %w", mechanism, err)
		}
	}
	return c.waitScram(ctx, names[len(names)-1], mechanisms[len(mechanisms)-1])
}

func scramMechanism(name string) kadm.ScramMechanism {
	if name == ScramSHA512 {
		return kadm.ScramSha512
	}
	return kadm.ScramSha256
}

// waitScram returns when a user can log in with a mechanism at every broker, as brokers hear of new users one after the other.
func (c *Cluster) waitScram(ctx context.Context, user, mechanism string) error {
	i := slices.IndexFunc(c.options.Listeners, func(l Listener) bool {
		return l.SASL != nil && l.SASL.Users[user] != "" && slices.Contains(l.SASL.Mechanisms, mechanism)
	})
	if i < 0 {
		return nil
	}
	listener := c.options.Listeners[i]
	auth := scram.Auth{User: user, Pass: listener.SASL.Users[user]}
	login := auth.AsSha256Mechanism()
	if mechanism == ScramSHA512 {
		login = auth.AsSha512Mechanism()
	}
	options := []kgo.Opt{kgo.SASL(login), kgo.RequestRetries(0)}
	if listener.Protocol == "SASL_SSL" {
		// Only whether the user is known is asked here; tests look at certificates.
		options = append(options, kgo.DialTLSConfig(&tls.Config{InsecureSkipVerify: true}))
	}
	for _, n := range c.nodes {
		if !n.isBroker {
			continue
		}
		at := kgo.SeedBrokers(fmt.Sprintf("%s:%d", loopback, n.listeners[i]))
		if err := waitPing(ctx, append(slices.Clone(options), at)); err != nil {
			return fmt.Errorf("broker %d does not let user %s in: %w", n.id, user, err)
		}
	}
	return nil
}

func waitPing(ctx context.Context, options []kgo.Opt) error {
	return poll(ctx, func() error {
		client, err := kgo.NewClient(options...)
		if err != nil {
			return err
		}
		defer client.Close()
		return client.Ping(ctx)
	})
}
