// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	franz "github.com/twmb/franz-go/pkg/sasl/oauth"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
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

// One cluster has all mechanisms, on a plain text listener and on one with TLS, a listener that offers one, and an authorizer.
func TestSASLListeners(t *testing.T) {
	authority, err := certs.NewAuthority("test authority")
	if err != nil {
		t.Fatal(err)
	}
	server, err := oauth.Start(oauth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	dir := t.TempDir()
	all := SASL{
		Mechanisms: []string{Plain, ScramSHA256, ScramSHA512, OAuthBearer},
		Tokens:     Tokens{JWKS: server.JWKSURL(), Issuer: server.Issuer(), Audience: server.Audience()},
		Users:      map[string]string{"alice": `alice's secret = x; $`, "bob": "bob-secret"},
	}
	c := Own(t, Options{Brokers: 2, Authorizer: true, Listeners: []Listener{
		{Name: "SASL", Protocol: "SASL_PLAINTEXT", SASL: &all},
		{Name: "SECURE", Protocol: "SASL_SSL", SASL: &all, Properties: func(broker int) map[string]string {
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
		{Name: "ONE", Protocol: "SASL_PLAINTEXT", SASL: &SASL{Mechanisms: []string{ScramSHA512}, Users: all.Users}},
	}})
	secure := kgo.DialTLSConfig(&tls.Config{RootCAs: authority.Pool(), MinVersion: tls.VersionTLS12})
	for name, mechanism := range map[string]func(user, password string) sasl.Mechanism{
		Plain:       func(u, p string) sasl.Mechanism { return plain.Auth{User: u, Pass: p}.AsMechanism() },
		ScramSHA256: func(u, p string) sasl.Mechanism { return scram.Auth{User: u, Pass: p}.AsSha256Mechanism() },
		ScramSHA512: func(u, p string) sasl.Mechanism { return scram.Auth{User: u, Pass: p}.AsSha512Mechanism() },
	} {
		t.Run(name, func(t *testing.T) {
			for user, password := range all.Users {
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
	t.Run(OAuthBearer, func(t *testing.T) { checkTokens(t, c, server) })
	t.Run("authorizer", func(t *testing.T) { checkAuthorizer(t, c, "bob", all.Users["bob"]) })
	if err := login(t, c, "SASL", plain.Auth{User: "bob", Pass: "bob-secret"}.AsMechanism(), secure); err == nil {
		t.Error("a plain text listener speaks TLS")
	}
}

// checkTokens: a broker fetches the keys of an authorization server, and takes the tokens that are signed by them, are for it, and live.
func checkTokens(t *testing.T, c *Cluster, server *oauth.Server) {
	stranger, err := oauth.Start(oauth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stranger.Close)
	for name, tt := range map[string]struct {
		by     *oauth.Server
		claims oauth.Claims
		want   string
	}{
		"good":             {server, oauth.Claims{Subject: "terraform"}, ""},
		"expired":          {server, oauth.Claims{Subject: "terraform", Lifetime: -time.Minute}, "SASL_AUTHENTICATION_FAILED"},
		"another audience": {server, oauth.Claims{Subject: "terraform", Audience: "else"}, "SASL_AUTHENTICATION_FAILED"},
		"another issuer":   {server, oauth.Claims{Subject: "terraform", Issuer: "http://else"}, "SASL_AUTHENTICATION_FAILED"},
		"another's key":    {stranger, oauth.Claims{Subject: "terraform", Issuer: server.Issuer()}, "SASL_AUTHENTICATION_FAILED"},
	} {
		t.Run(name, func(t *testing.T) {
			token, err := tt.by.Issue(tt.claims)
			if err != nil {
				t.Fatal(err)
			}
			err = login(t, c, "SASL", franz.Auth{Token: token}.AsMechanism())
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestSASLListenersAreChecked(t *testing.T) {
	for want, l := range map[string]Listener{
		"offers no mechanism":        {Name: "A", Protocol: "SASL_SSL"},
		`its protocol is "SSL"`:      {Name: "A", Protocol: "SSL", SASL: &SASL{Mechanisms: []string{Plain}}},
		"without host localhost, a ": {Name: "A", Protocol: "SASL_SSL", SASL: &SASL{Mechanisms: []string{GSSAPI}}},
		`cannot offer "CRAM-MD5"`:    {Name: "A", Protocol: "SASL_SSL", SASL: &SASL{Mechanisms: []string{"CRAM-MD5"}}},
		`cannot have the password`:   {Name: "A", Protocol: "SASL_SSL", SASL: &SASL{Mechanisms: []string{Plain}, Users: map[string]string{"a": `x"`}}},
		"no URL of keys says which ": {Name: "A", Protocol: "SASL_SSL", SASL: &SASL{Mechanisms: []string{OAuthBearer}}},
	} {
		if _, err := (Options{Listeners: []Listener{l}}).withDefaults(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}
