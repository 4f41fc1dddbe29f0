// SPDX-License-Identifier: MPL-2.0

// Package doors has a cluster with a listener of every kind that real clusters have, right ones and ones that are wrong in one way,
// and what a client needs to come in. One cluster carries all, as starting clusters is what takes time.
package doors

import (
	"fmt"
	"maps"
	"path/filepath"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
)

// The listeners.
const (
	// TLS wants no authentication, MutualTLS a client certificate of the authority.
	TLS       = "TLS"
	MutualTLS = "MUTUAL"
	// SASL offers every mechanism in plain text, SecureSASL over TLS, OneMechanism only SCRAM-SHA-512.
	SASL         = "SASL"
	SecureSASL   = "SECURE"
	OneMechanism = "ONE"
	// Kerberos wants a ticket; it is there where [Doors.KDC] is.
	Kerberos = "KERBEROS"
	// The certificates of these have expired, are not valid yet, are for another host, and are of another authority.
	Expired   = "EXPIRED"
	NotYet    = "NOTYET"
	OtherHost = "OTHERHOST"
	Stranger  = "STRANGER"
)

// Credentials that come in. Every secret has "canary" in it, to be searched for.
const (
	User         = "alice"
	Password     = "canary-password-of-alice"
	ClientID     = "terraform"
	ClientSecret = "canary-client-secret"
)

// SessionLifetime is how long a session that was opened with a token lasts at most, unless it is authenticated again.
const SessionLifetime = 3 * time.Second

// OtherName is the host that the certificates of [OtherHost] are for.
const OtherName = "kafka.example.com"

// Doors is the cluster with what belongs to it.
type Doors struct {
	*testbed.Cluster
	// Authority signs the brokers' certificates, and Client, which MutualTLS wants to see. Other is the one of Stranger.
	Authority, Other *certs.Authority
	Client           *certs.Identity
	// Tokens is the server of tokens, reachable by https too.
	Tokens *oauth.Server
	// KDC gives tickets; nil where MIT Kerberos is not installed.
	KDC *testbed.KDC
}

// Open starts a cluster of so many brokers for one test.
func Open(t testing.TB, brokers int) *Doors {
	t.Helper()
	d := &Doors{Authority: authority(t, "test authority"), Other: authority(t, "another authority")}
	d.Client = issue(t, d.Authority, certs.Request{Client: true, CommonName: "terraform"})
	certificate := issue(t, d.Authority, certs.Request{}).TLS()
	var err error
	if d.Tokens, err = oauth.Start(oauth.Options{Clients: map[string]string{ClientID: ClientSecret}, TLS: &certificate}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Tokens.Close)

	dir := t.TempDir()
	store := func(a *certs.Authority, r certs.Request, more map[string]string) func(int) map[string]string {
		return func(broker int) map[string]string {
			s := certs.Store{Path: filepath.Join(dir, fmt.Sprintf("%s-%x.p12", a.Certificate.Subject.CommonName, time.Now().UnixNano())), Password: "store-secret"}
			if err := s.WriteKeyStore(issue(t, a, r)); err != nil {
				t.Fatal(err)
			}
			properties := s.KeyStoreProperties()
			maps.Copy(properties, more)
			return properties
		}
	}
	trust := certs.Store{Path: filepath.Join(dir, "trust.p12"), Password: "store-secret"}
	if err := trust.WriteTrustStore(d.Authority); err != nil {
		t.Fatal(err)
	}
	mutual := trust.TrustStoreProperties()
	mutual["ssl.client.auth"] = "required"
	session := map[string]string{"oauthbearer.connections.max.reauth.ms": fmt.Sprint(SessionLifetime.Milliseconds())}

	all := &testbed.SASL{
		Mechanisms: []string{testbed.Plain, testbed.ScramSHA256, testbed.ScramSHA512, testbed.OAuthBearer},
		Users:      map[string]string{User: Password},
		Tokens:     testbed.Tokens{JWKS: d.Tokens.JWKSURL(), Issuer: d.Tokens.Issuer(), Audience: d.Tokens.Audience()},
	}
	one := &testbed.SASL{Mechanisms: []string{testbed.ScramSHA512}, Users: all.Users}
	now := time.Now()
	d.Cluster = testbed.Own(t, testbed.Options{Brokers: brokers, Listeners: append(d.kerberos(t), []testbed.Listener{
		{Name: TLS, Protocol: "SSL", Properties: store(d.Authority, certs.Request{}, nil)},
		{Name: MutualTLS, Protocol: "SSL", Properties: store(d.Authority, certs.Request{}, mutual)},
		{Name: SASL, Protocol: "SASL_PLAINTEXT", SASL: all, Properties: func(int) map[string]string { return session }},
		{Name: SecureSASL, Protocol: "SASL_SSL", SASL: all, Properties: store(d.Authority, certs.Request{}, session)},
		{Name: OneMechanism, Protocol: "SASL_PLAINTEXT", SASL: one},
		{Name: Expired, Protocol: "SSL", Properties: store(d.Authority, certs.Request{NotBefore: now.Add(-48 * time.Hour), NotAfter: now.Add(-24 * time.Hour)}, nil)},
		{Name: NotYet, Protocol: "SSL", Properties: store(d.Authority, certs.Request{NotBefore: now.Add(24 * time.Hour), NotAfter: now.Add(48 * time.Hour)}, nil)},
		{Name: OtherHost, Protocol: "SSL", Properties: store(d.Authority, certs.Request{CommonName: OtherName, Names: []string{OtherName}}, nil)},
		{Name: Stranger, Protocol: "SSL", Properties: store(d.Other, certs.Request{}, nil)},
	}...)})
	return d
}

// kerberos starts a KDC if that is possible, and gives its listener.
func (d *Doors) kerberos(t testing.TB) []testbed.Listener {
	t.Helper()
	if testbed.FindKDC() != nil {
		return nil
	}
	d.KDC = testbed.OwnKDC(t, testbed.KDCOptions{Users: map[string]string{User: Password}})
	return []testbed.Listener{{Name: Kerberos, Protocol: "SASL_PLAINTEXT", Host: "localhost", SASL: &testbed.SASL{
		Mechanisms: []string{testbed.GSSAPI}, Kerberos: d.KDC.Kerberos("kafka"),
	}}}
}

// Servers are the brokers' addresses of a listener.
func (d *Doors) Servers(t testing.TB, listener string) []string {
	t.Helper()
	servers, err := d.ListenerServers(listener)
	if err != nil {
		t.Fatal(err)
	}
	return servers
}

func authority(t testing.TB, name string) *certs.Authority {
	t.Helper()
	a, err := certs.NewAuthority(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func issue(t testing.TB, a *certs.Authority, r certs.Request) *certs.Identity {
	t.Helper()
	i, err := a.Issue(r)
	if err != nil {
		t.Fatal(err)
	}
	return i
}
