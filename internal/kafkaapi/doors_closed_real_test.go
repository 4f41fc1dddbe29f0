// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"crypto/tls"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/doors"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
)

// instants stand in for the times in messages, which differ from run to run.
var instants = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// whose is whom nearly all certificates of the test bed are for.
const whose = "certificate of CN=localhost for localhost, 127.0.0.1, ::1"

func closedDoors(t *testing.T, d *doors.Doors) {
	var log traced
	ours := trusting(d.Authority.Pool())
	mallory, err := d.Other.Issue(certs.Request{Client: true, CommonName: "mallory"})
	if err != nil {
		t.Fatal(err)
	}
	// It is sent, as it claims to be of the authority that the broker trusts.
	forged := mallory.TLS()
	forged.Certificate[1] = d.Authority.Certificate.Raw
	alice := password(MechanismPlain, doors.User, doors.Password)
	const refusedScram = `: Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-512 ` +
		`(the password is wrong, or there is no such user, or none with a password for SCRAM-SHA-512)`
	aboutToken := `; it is of issuer "` + d.Tokens.Issuer() + `" for audience `
	for name, c := range map[string]struct {
		listener string
		options  Options
		want     string
	}{
		"TLS is off":            {doors.TLS, Options{}, "the port speaks TLS (" + whose + "), but the provider speaks plain text to it"},
		"mutual TLS, TLS off":   {doors.MutualTLS, Options{}, "the port speaks TLS (" + whose + "), but the provider speaks plain text to it"},
		"SASL, TLS is off":      {doors.SecureSASL, Options{SASL: alice}, "the port speaks TLS (" + whose + "), but the provider speaks plain text to it"},
		"TLS is on":             {"", Options{TLS: ours}, "the port speaks Kafka's protocol in plain text, but the provider's tls is on"},
		"SASL, TLS is on":       {doors.SASL, Options{TLS: ours, SASL: alice}, "the port speaks Kafka's protocol in plain text, but the provider's tls is on"},
		"certificate unknown":   {doors.Stranger, Options{TLS: ours}, "the certificate is not signed by any of the authorities of tls.ca_certificate: it is the " + whose + ", issued by CN=another authority"},
		"unknown to the system": {doors.TLS, Options{TLS: &tls.Config{}}, "the certificate is not signed by any of the system's authorities: it is the " + whose + ", issued by CN=test authority"},
		"expired":               {doors.Expired, Options{TLS: ours}, "the certificate expired at TIME, and the clock of this machine says TIME: it is the " + whose + ", issued by CN=test authority"},
		"not valid yet": {doors.NotYet, Options{TLS: ours}, "the certificate is valid from TIME only, and the clock of this machine says TIME: correct the clock that is wrong; it is the " +
			whose + ", issued by CN=test authority"},
		"wrong name": {doors.OtherHost, Options{TLS: ours}, `the certificate is not for "127.0.0.1": it is the certificate of CN=kafka.example.com for kafka.example.com, issued by CN=test authority`},
		"no client certificate": {doors.MutualTLS, Options{TLS: ours}, "the broker wants a client certificate, and tls.client_certificate is not set: TLS alert bad certificate; " +
			"it takes certificates that are issued by CN=test authority"},
		"another's certificate": {doors.MutualTLS, Options{TLS: trusting(d.Authority.Pool(), mallory)}, "the broker wants a client certificate of another authority than that of CN=mallory, " +
			"issued by CN=another authority: TLS alert bad certificate; it takes certificates that are issued by CN=test authority"},
		"forged certificate": {doors.MutualTLS, Options{TLS: &tls.Config{RootCAs: d.Authority.Pool(), Certificates: []tls.Certificate{forged}}}, "the broker does not accept the client certificate of CN=mallory, " +
			"issued by CN=another authority: TLS alert unknown certificate; it takes certificates that are issued by CN=test authority"},
		"mechanism":       {doors.OneMechanism, Options{SASL: alice}, "the listener does not offer the mechanism PLAIN; it offers SCRAM-SHA-512"},
		"no SASL there":   {"", Options{SASL: alice}, "the listener does no SASL authentication, but the provider's sasl is set"},
		"SASL is wanted":  {doors.SASL, Options{}, "the listener wants SASL authentication, and the provider's sasl is not set; it offers OAUTHBEARER, PLAIN, SCRAM-SHA-256, SCRAM-SHA-512"},
		"and over TLS":    {doors.SecureSASL, Options{TLS: ours}, "the listener wants SASL authentication, and the provider's sasl is not set; it offers OAUTHBEARER, PLAIN, SCRAM-SHA-256, SCRAM-SHA-512"},
		"PLAIN, password": {doors.SASL, Options{SASL: password(MechanismPlain, doors.User, "canary-wrong")}, `the broker refuses user "alice" with PLAIN: Authentication failed: Invalid username or password (the password is wrong, or there is no such user)`},
		"PLAIN, blank": {doors.SASL, Options{SASL: password(MechanismPlain, doors.User, doors.Password+"\n")}, `the broker refuses user "alice" with PLAIN: Authentication failed: Invalid username or password ` +
			`(the password is wrong, or there is no such user; the password that is set begins or ends with white space)`},
		"user, blank": {doors.SASL, Options{SASL: password(MechanismPlain, " alice", doors.Password)}, `the broker refuses user " alice" with PLAIN: Authentication failed: Invalid username or password ` +
			`(the password is wrong, or there is no such user; the user that is set begins or ends with white space)`},
		"no token in time": {doors.SASL, Options{SASL: &SASL{Mechanism: MechanismOAuthBearer, Tokens: noTokens{}}, RequestTimeout: 2 * time.Second},
			"no token could be had for OAUTHBEARER: no answer to the request for a token within 2s"},
		"SCRAM, password":  {doors.SASL, Options{SASL: password(MechanismScramSHA512, doors.User, "canary-wrong")}, `the broker refuses user "alice" with SCRAM-SHA-512` + refusedScram},
		"SCRAM, user":      {doors.SASL, Options{SASL: password(MechanismScramSHA512, "nobody", "canary-wrong")}, `the broker refuses user "nobody" with SCRAM-SHA-512` + refusedScram},
		"token":            {doors.SASL, Options{SASL: bearer("canary-no-token")}, "the broker refuses the token with OAUTHBEARER: invalid_token"},
		"another audience": {doors.SASL, Options{SASL: bearer(issueToken(t, d, oauth.Claims{Audience: "postgres"}))}, `the broker refuses the token with OAUTHBEARER: invalid_token` + aboutToken + `"postgres", valid until TIME`},
		"expired token": {doors.SASL, Options{SASL: bearer(issueToken(t, d, oauth.Claims{Lifetime: -time.Minute}))}, `the broker refuses the token with OAUTHBEARER: invalid_token` + aboutToken +
			`"kafka", and expired at TIME, while the clock of this machine says TIME`},
		"token of tomorrow": {doors.SASL, Options{SASL: bearer(issueToken(t, d, oauth.Claims{Lifetime: 48 * time.Hour, NotBefore: time.Now().Add(24 * time.Hour)}))},
			`the broker refuses the token with OAUTHBEARER: invalid_token` + aboutToken + `"kafka", and valid from TIME only, while the clock of this machine says TIME`},
	} {
		t.Run(name, func(t *testing.T) {
			servers := d.BootstrapServers()
			if c.listener != "" {
				servers = d.Servers(t, c.listener)
			}
			c.options.BootstrapServers = servers[:1]
			ctx := tflogtest.RootLogger(testContext(t), &log)
			c.options.LogContext = ctx
			_, err := newTestClient(t, c.options).Cluster(ctx)
			if !errors.Is(err, ErrConnect) {
				t.Fatalf("got %v", err)
			}
			got := instants.ReplaceAllString(err.Error(), "TIME")
			if want := "cannot connect to the Kafka cluster: " + servers[0] + ": " + c.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if token, ok := tokenOf(c.options.SASL); strings.Contains(got, "canary") || ok && strings.Contains(got, token) {
				t.Errorf("it shows a secret: %s", got)
			}
		})
	}
	log.hides(t)
}

// noTokens waits as long as it may, and a moment longer: what is at fault must not depend on whose clock is first.
type noTokens struct{}

func (noTokens) Token(ctx context.Context) (Token, error) {
	<-ctx.Done()
	time.Sleep(100 * time.Millisecond)
	return Token{}, context.Cause(ctx)
}

// C-114: a broker that stops answering in the middle of the authentication did answer ApiVersions.
func authenticationHangs(t *testing.T, d *doors.Doors) {
	recorder := testbed.RecordListener(t, d.Cluster, doors.SASL)
	recorder.Next(int16(kmsg.SASLAuthenticate), testbed.NoAnswer())
	server := recorder.Address(1)
	client := newTestClient(t, Options{BootstrapServers: []string{server}, SASL: password(MechanismPlain, doors.User, doors.Password), RequestTimeout: 2 * time.Second})
	_, err := client.Cluster(testContext(t))
	if want := "cannot connect to the Kafka cluster: " + server + ": the authentication with PLAIN was not over within 2s"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if got := Blamed(err); got != blameSASL {
		t.Errorf("it blames %q", got)
	}
}

func tokenOf(s *SASL) (string, bool) {
	if s == nil {
		return "", false
	}
	source, ok := s.Tokens.(*tokens)
	if !ok {
		return "", false
	}
	return source.value.Load().(string), true
}

// Acceptance line 5: credentials that are refused once are not tried at another broker, nor again for a while; counted by what the
// brokers were sent.
func oneAttempt(t *testing.T, d *doors.Doors) {
	for name, sasl := range map[string]*SASL{
		"PLAIN":         password(MechanismPlain, doors.User, "canary-wrong"),
		"SCRAM-SHA-512": password(MechanismScramSHA512, doors.User, "canary-wrong"),
		"no user":       password(MechanismScramSHA256, "nobody", "canary-wrong"),
		"token":         bearer(issueToken(t, d, oauth.Claims{Audience: "postgres"})),
	} {
		t.Run(name, func(t *testing.T) {
			recorder := testbed.RecordListener(t, d.Cluster, doors.SASL)
			client := newTestClient(t, Options{BootstrapServers: recorder.BootstrapServers(), SASL: sasl})
			start := time.Now()
			for range 3 {
				err := client.ListConfigs(testContext(t), []Entity{BrokerEntity(2)}, ListConfigsOptions{})[0].Err
				if !errors.Is(err, ErrAuthentication) {
					t.Fatalf("got %v", err)
				}
			}
			if got := recorder.Count(int16(kmsg.SASLHandshake)); got != 1 {
				t.Errorf("%d attempts:\n%s", got, recorder)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// Issue 7: a good bootstrap, and a listener that is advertised and not there: both addresses are named.
func advertisedOutOfReach(t *testing.T, d *doors.Doors) {
	recorder := testbed.RecordListener(t, d.Cluster, doors.SASL)
	if err := recorder.Refuse(2); err != nil {
		t.Fatal(err)
	}
	bootstrap := recorder.Address(1)
	client := newTestClient(t, Options{BootstrapServers: []string{bootstrap}, SASL: password(MechanismPlain, doors.User, doors.Password), RequestTimeout: 5 * time.Second})
	err := client.ListConfigs(testContext(t), []Entity{BrokerEntity(2)}, ListConfigsOptions{})[0].Err
	want := "broker 2 at " + recorder.Address(2) + ": DescribeConfigs: connection refused (the broker advertises this address; the cluster was found through " + bootstrap + ")"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
