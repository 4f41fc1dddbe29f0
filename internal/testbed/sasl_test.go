// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
)

// login asks a listener for its brokers, as a client with these credentials.
func login(t *testing.T, c *Cluster, listener string, mechanism sasl.Mechanism, options ...kgo.Opt) error {
	t.Helper()
	servers, err := c.ListenerServers(listener)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(append(options, kgo.SeedBrokers(servers...), kgo.SASL(mechanism), kgo.RequestRetries(0))...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	return client.Ping(context.Background())
}

// One cluster has all mechanisms that need a password, on a plain text listener and on one with TLS, and a listener that offers one.
func TestSASLListeners(t *testing.T) {
	authority, err := certs.NewAuthority("test authority")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	passwords := SASL{
		Mechanisms: []string{Plain, ScramSHA256, ScramSHA512},
		Users:      map[string]string{"alice": `alice's secret = x; $`, "bob": "bob-secret"},
	}
	c := Own(t, Options{Brokers: 2, Listeners: []Listener{
		{Name: "SASL", Protocol: "SASL_PLAINTEXT", SASL: &passwords},
		{Name: "SECURE", Protocol: "SASL_SSL", SASL: &passwords, Properties: func(broker int) map[string]string {
			identity, err := authority.Issue(certs.Request{})
			if err != nil {
				t.Fatal(err)
			}
			s := certs.Store{Path: filepath.Join(dir, fmt.Sprintf("%d.p12", broker)), Password: "store-secret"}
			if err := s.WriteKeyStore(identity); err != nil {
				t.Fatal(err)
			}
			return s.KeyStoreProperties()
		}},
		{Name: "ONE", Protocol: "SASL_PLAINTEXT", SASL: &SASL{Mechanisms: []string{ScramSHA512}, Users: passwords.Users}},
	}})
	secure := kgo.DialTLSConfig(&tls.Config{RootCAs: authority.Pool(), MinVersion: tls.VersionTLS12})
	for name, mechanism := range map[string]func(user, password string) sasl.Mechanism{
		Plain:       func(u, p string) sasl.Mechanism { return plain.Auth{User: u, Pass: p}.AsMechanism() },
		ScramSHA256: func(u, p string) sasl.Mechanism { return scram.Auth{User: u, Pass: p}.AsSha256Mechanism() },
		ScramSHA512: func(u, p string) sasl.Mechanism { return scram.Auth{User: u, Pass: p}.AsSha512Mechanism() },
	} {
		t.Run(name, func(t *testing.T) {
			for user, password := range passwords.Users {
				if err := login(t, c, "SASL", mechanism(user, password)); err != nil {
					t.Errorf("%s: %v", user, err)
				}
				if err := login(t, c, "SECURE", mechanism(user, password), secure); err != nil {
					t.Errorf("%s over TLS: %v", user, err)
				}
			}
			for what, m := range map[string]sasl.Mechanism{"a wrong password": mechanism("alice", "bob-secret"), "a user that is not there": mechanism("carol", "x")} {
				for listener, options := range map[string][]kgo.Opt{"SASL": nil, "SECURE": {secure}} {
					if err := login(t, c, listener, m, options...); err == nil || !strings.Contains(err.Error(), "SASL_AUTHENTICATION_FAILED") {
						t.Errorf("%s on %s: got %v", what, listener, err)
					}
				}
			}
			err := login(t, c, "ONE", mechanism("bob", "bob-secret"))
			if accepted := err == nil; accepted != (name == ScramSHA512) {
				t.Errorf("a listener with %s only: got %v", ScramSHA512, err)
			}
		})
	}
	if err := login(t, c, "SASL", plain.Auth{User: "bob", Pass: "bob-secret"}.AsMechanism(), secure); err == nil {
		t.Error("a plain text listener speaks TLS")
	}
}

func TestSASLListenersAreChecked(t *testing.T) {
	for want, l := range map[string]Listener{
		"offers no mechanism":        {Name: "A", Protocol: "SASL_SSL"},
		`its protocol is "SSL"`:      {Name: "A", Protocol: "SSL", SASL: &SASL{Mechanisms: []string{Plain}}},
		`cannot offer "CRAM-MD5"`:    {Name: "A", Protocol: "SASL_SSL", SASL: &SASL{Mechanisms: []string{"CRAM-MD5"}}},
		`cannot have the password`:   {Name: "A", Protocol: "SASL_SSL", SASL: &SASL{Mechanisms: []string{Plain}, Users: map[string]string{"a": `x"`}}},
		"no URL of keys says which ": {Name: "A", Protocol: "SASL_SSL", SASL: &SASL{Mechanisms: []string{OAuthBearer}}},
	} {
		if _, err := (Options{Listeners: []Listener{l}}).withDefaults(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}
