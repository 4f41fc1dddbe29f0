// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/doors"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
)

// Issue 7: each door lets in who has its key (acceptance line 1), and says why it does not (line 2; C-107, C-108).
func TestDoors(t *testing.T) {
	d := doors.Open(t, 3)
	t.Run("open", func(t *testing.T) { openDoors(t, d) })
	t.Run("closed", func(t *testing.T) { closedDoors(t, d) })
	t.Run("one attempt", func(t *testing.T) { oneAttempt(t, d) })
	t.Run("authentication hangs", func(t *testing.T) { authenticationHangs(t, d) })
	t.Run("advertised", func(t *testing.T) { advertisedOutOfReach(t, d) })
	t.Run("Kerberos", func(t *testing.T) { kerberosDoors(t, d) })
	t.Run("session", func(t *testing.T) { sessionsAreRenewed(t, d) })
}

// traced is a log at the level TRACE.
type traced struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write takes a line.
func (l *traced) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// hides fails the test if a secret was logged (acceptance line 3), or nothing at all.
func (l *traced) hides(t *testing.T) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	log := l.text.String()
	for _, shown := range []string{`"@message":"Kafka request"`, `"@message":"Kafka client library"`, "the broker refuses"} {
		if !strings.Contains(log, shown) {
			t.Errorf("the log does not have %s", shown)
		}
	}
	// All secrets of the doors have the one, all tokens begin with the other.
	for _, secret := range []string{"canary", "eyJ"} {
		if at := strings.Index(log, secret); at >= 0 {
			t.Errorf("the log shows a secret: …%s…", log[max(0, at-300):min(len(log), at+100)])
		}
	}
}

// tokens is a source of tokens that says how often it was asked.
type tokens struct {
	value atomic.Value
	asked atomic.Int32
}

func newTokens(token string) *tokens {
	s := &tokens{}
	s.value.Store(token)
	return s
}

func (s *tokens) Token(context.Context) (Token, error) {
	s.asked.Add(1)
	return Token{Value: s.value.Load().(string)}, nil
}

func bearer(token string) *SASL {
	return &SASL{Mechanism: MechanismOAuthBearer, Tokens: newTokens(token)}
}

func password(mechanism Mechanism, user, secret string) *SASL {
	return &SASL{Mechanism: mechanism, Username: user, Password: secret}
}

func trusting(pool *x509.CertPool, shown ...*certs.Identity) *tls.Config {
	config := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	for _, identity := range shown {
		config.Certificates = append(config.Certificates, identity.TLS())
	}
	return config
}

func issueToken(t *testing.T, d *doors.Doors, c oauth.Claims) string {
	t.Helper()
	c.Subject = doors.ClientID
	token, err := d.Tokens.Issue(c)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func openDoors(t *testing.T, d *doors.Doors) {
	ours := trusting(d.Authority.Pool())
	named := ours.Clone()
	named.ServerName = doors.OtherName
	token := issueToken(t, d, oauth.Claims{})
	for name, c := range map[string]struct {
		listener string
		options  Options
	}{
		"TLS":                 {doors.TLS, Options{TLS: ours}},
		"mutual TLS":          {doors.MutualTLS, Options{TLS: trusting(d.Authority.Pool(), d.Client)}},
		"server name":         {doors.OtherHost, Options{TLS: named}},
		"nothing is verified": {doors.Expired, Options{TLS: &tls.Config{InsecureSkipVerify: true}}},
		"PLAIN":               {doors.SASL, Options{SASL: password(MechanismPlain, doors.User, doors.Password)}},
		"SCRAM-SHA-256":       {doors.SASL, Options{SASL: password(MechanismScramSHA256, doors.User, doors.Password)}},
		"SCRAM-SHA-512":       {doors.SASL, Options{SASL: password(MechanismScramSHA512, doors.User, doors.Password)}},
		"OAUTHBEARER":         {doors.SASL, Options{SASL: bearer(token)}},
		"PLAIN over TLS":      {doors.SecureSASL, Options{TLS: ours, SASL: password(MechanismPlain, doors.User, doors.Password)}},
		"SCRAM over TLS":      {doors.SecureSASL, Options{TLS: ours, SASL: password(MechanismScramSHA512, doors.User, doors.Password)}},
		"OAUTHBEARER and TLS": {doors.SecureSASL, Options{TLS: ours, SASL: bearer(token)}},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.BootstrapServers = d.Servers(t, c.listener)
			client := newTestClient(t, c.options)
			cluster, err := client.Cluster(testContext(t))
			if err != nil || cluster.ID != d.ClusterID() || len(cluster.Brokers) != 3 || cluster.Brokers[2].Address != c.options.BootstrapServers[2] {
				t.Fatalf("got %+v, %v", cluster, err)
			}
			for id := range int32(3) {
				if got := client.ListConfigs(testContext(t), []Entity{BrokerEntity(id + 1)}, ListConfigsOptions{})[0]; got.Err != nil || len(got.Configs) == 0 {
					t.Errorf("broker %d: %v", id+1, got.Err)
				}
			}
		})
	}
}

// Acceptance line 6: a session whose end comes near is authenticated again, with another token, and nobody notices.
func sessionsAreRenewed(t *testing.T, d *doors.Doors) {
	source := newTokens(issueToken(t, d, oauth.Claims{}))
	client := newTestClient(t, Options{BootstrapServers: d.Servers(t, doors.SecureSASL), TLS: trusting(d.Authority.Pool()), SASL: &SASL{Mechanism: MechanismOAuthBearer, Tokens: source}})
	read := func() {
		t.Helper()
		if got := client.ListConfigs(testContext(t), []Entity{BrokerEntity(1)}, ListConfigsOptions{})[0]; got.Err != nil {
			t.Fatal(got.Err)
		}
	}
	read()
	first := source.asked.Load()
	deadline := time.Now().Add(3 * doors.SessionLifetime)
	for source.asked.Load() == first && time.Now().Before(deadline) {
		source.value.Store(issueToken(t, d, oauth.Claims{}))
		read()
		time.Sleep(200 * time.Millisecond)
	}
	if source.asked.Load() == first {
		t.Errorf("No session was renewed in %s", 3*doors.SessionLifetime)
	}
	read()

	// Refused there, a write has not been sent: no doubt about what it did.
	source.value.Store(issueToken(t, d, oauth.Claims{Audience: "postgres"}))
	topic := d.UniqueTopic(t, 1, 1)
	deadline = time.Now().Add(3 * doors.SessionLifetime)
	for time.Now().Before(deadline) {
		err := alterOne(testContext(t), client, Alteration{Entity: Topic(topic), Set: map[string]string{"max.message.bytes": "2000000"}}, true)
		var lost *lostError
		if errors.As(err, &lost) {
			t.Fatalf("taken for lost: %v", err)
		}
		if err != nil {
			if !errors.Is(err, ErrAuthentication) {
				t.Errorf("got %v", err)
			}
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	t.Error("a refused token was never noticed")
}
