// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/doors"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/proxies"
)

// Issue 7, acceptance lines 1, 3, 6 and 7, on three brokers of Kafka.
func TestDoors(t *testing.T) {
	h := &house{Doors: doors.Open(t, 3)}
	h.secrets = []string{doors.Password, doors.ClientSecret, passphrase, "canary", "eyJ", "PRIVATE KEY", "AKIDCANARY", "aHR0cHM6Ly9rYWZrYS4"}
	t.Run("block", h.opensByBlock)
	t.Run("environment", h.opensByEnvironment)
	t.Run("proxy", h.opensThroughProxies)
	t.Run("renewal", h.renewsTokens)
	t.Run("renewal within an apply", h.renewsTokensWithinAnApply)
	t.Run("refusals", h.refuses)
	t.Run("terraform", h.opensForTerraform)
	h.searchLog(t)
}

func (h *house) opensByBlock(t *testing.T) {
	clearEnvironment(t)
	tls := values{"ca_certificate": string(h.Authority.PEM())}
	password := func(mechanism string) values {
		return values{"mechanism": mechanism, "username": doors.User, "password": doors.Password}
	}
	bearer := func(attributes values) values { return values{"mechanism": "OAUTHBEARER", "oauthbearer": attributes} }
	for name, c := range map[string]struct {
		listener string
		block    values
	}{
		"TLS": {doors.TLS, values{"tls": tls}},
		"mutual TLS": {doors.MutualTLS, values{"tls": tls.With("client_certificate", string(h.Client.CertificatePEM())).
			With("client_key", h.encryptedKey(t)).With("client_key_passphrase", passphrase)}},
		"server name":                {doors.OtherHost, values{"tls": tls.With("server_name", doors.OtherName)}},
		"PLAIN":                      {doors.SASL, values{"sasl": password("PLAIN")}},
		"SCRAM-SHA-256":              {doors.SASL, values{"sasl": password("SCRAM-SHA-256")}},
		"SCRAM-SHA-512":              {doors.SASL, values{"sasl": password("SCRAM-SHA-512")}},
		"OAUTHBEARER, token":         {doors.SASL, values{"sasl": bearer(values{"token": h.token(t, oauth.Claims{}), "extensions": map[string]string{"logicalCluster": "lkc-1"}})}},
		"PLAIN, TLS":                 {doors.SecureSASL, values{"tls": tls, "sasl": password("PLAIN")}},
		"SCRAM-SHA-256, TLS":         {doors.SecureSASL, values{"tls": tls, "sasl": password("SCRAM-SHA-256")}},
		"SCRAM-SHA-512, TLS":         {doors.SecureSASL, values{"tls": tls, "sasl": password("SCRAM-SHA-512")}},
		"OAUTHBEARER, grant and TLS": {doors.SecureSASL, values{"tls": tls, "sasl": bearer(h.grant())}},
	} {
		t.Run(name, func(t *testing.T) { h.works(t, c.block.With("bootstrap_servers", h.Servers(t, c.listener))) })
	}
	t.Run("GSSAPI", h.opensByTicket)
}

// C-111: Kerberos with a key table, with a password, and with the tickets that kinit has fetched.
func (h *house) opensByTicket(t *testing.T) {
	if h.KDC == nil {
		t.Skip("did not run: MIT Kerberos is not installed (Debian: apt-get install krb5-kdc krb5-admin-server krb5-user)")
	}
	user := values{"username": doors.User, "realm": "TESTBED.KAFKA", "krb5_config_path": h.KDC.Config()}
	cache, err := h.KDC.Ticket(t.Context(), doors.User)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("KRB5CCNAME", "FILE:"+cache)
	for name, gssapi := range map[string]values{
		"keytab":       user.With("keytab_path", h.KDC.Keytab(doors.User)),
		"password":     user.With("password", doors.Password).With("service_name", "kafka"),
		"ticket cache": {"krb5_config_path": h.KDC.Config()},
	} {
		t.Run(name, func(t *testing.T) {
			h.works(t, values{"bootstrap_servers": h.Servers(t, doors.Kerberos), "sasl": values{"mechanism": "GSSAPI", "gssapi": gssapi}})
		})
	}
}

// Acceptance line 7: nothing in the block, everything in the environment.
func (h *house) opensByEnvironment(t *testing.T) {
	ca := filepath.Join(t.TempDir(), "ca.pem")
	write(t, ca, h.Authority.PEM())
	for name, c := range map[string]struct {
		listener  string
		variables map[string]string
	}{
		"mutual TLS": {doors.MutualTLS, map[string]string{
			"TLS_ENABLED": "true", "TLS_CA_CERTIFICATE": ca, "TLS_CLIENT_CERTIFICATE": string(h.Client.CertificatePEM()),
			"TLS_CLIENT_KEY": h.encryptedKey(t), "TLS_CLIENT_KEY_PASSPHRASE": passphrase,
		}},
		"SCRAM": {doors.SecureSASL, map[string]string{
			"TLS_ENABLED": "1", "TLS_CA_CERTIFICATE": ca, "SASL_MECHANISM": "SCRAM-SHA-512", "SASL_USERNAME": doors.User, "SASL_PASSWORD": doors.Password,
		}},
		"OAUTHBEARER": {doors.SASL, map[string]string{
			"SASL_MECHANISM": "OAUTHBEARER", "SASL_OAUTHBEARER_TOKEN_URL": h.Tokens.TokenURL(), "SASL_OAUTHBEARER_CLIENT_ID": doors.ClientID,
			"SASL_OAUTHBEARER_CLIENT_SECRET": doors.ClientSecret, "SASL_OAUTHBEARER_SCOPES": "a,b", "SASL_OAUTHBEARER_EXTENSIONS": "x=1,y=2",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			clearEnvironment(t)
			t.Setenv("KAFKA_BOOTSTRAP_SERVERS", strings.Join(h.Servers(t, c.listener), ","))
			for variable, value := range c.variables {
				t.Setenv("KAFKA_"+variable, value)
			}
			h.works(t, values{})
		})
	}
}

// Brokers through ALL_PROXY, with TLS inside the tunnel.
func (h *house) opensThroughProxies(t *testing.T) {
	options := proxies.Options{User: "me", Password: "canary-proxy"}
	for scheme, proxy := range map[string]*proxies.Proxy{"socks5": proxies.SOCKS(t, options), "http": proxies.HTTP(t, options)} {
		t.Run(scheme, func(t *testing.T) {
			clearEnvironment(t)
			t.Setenv("ALL_PROXY", scheme+"://me:canary-proxy@"+proxy.Address())
			servers := h.Servers(t, doors.SecureSASL)
			h.works(t, values{
				"bootstrap_servers": servers, "tls": values{"ca_certificate": string(h.Authority.PEM())},
				"sasl": values{"mechanism": "PLAIN", "username": doors.User, "password": doors.Password},
			})
			if targets := strings.Join(proxy.Targets(), " "); !strings.Contains(targets, servers[0]) {
				t.Errorf("the proxy was asked for %s", targets)
			}
		})
	}
}

// Acceptance line 6: tokens and the sessions that they opened end while an apply waits, and what comes then goes on with others.
func (h *house) renewsTokens(t *testing.T) {
	clearEnvironment(t)
	h.Tokens.SetLifetime(doors.SessionLifetime)
	t.Cleanup(func() { h.Tokens.SetLifetime(oauth.DefaultLifetime) })
	tf := h.terraform(t, values{
		"bootstrap_servers": h.Servers(t, doors.SecureSASL), "tls": values{"ca_certificate": string(h.Authority.PEM())},
		"sasl": values{"mechanism": "OAUTHBEARER", "oauthbearer": h.grant()},
	})
	var plans []*acctest.Plan
	var configs []values
	for range 3 {
		config := values{"topic": h.UniqueTopic(t, 1, 3), "config": map[string]string{"max.message.bytes": "2000000"}}
		plans, configs = append(plans, tf.Plan(tf.Resource("kafka_topic_config"), config)), append(configs, config)
	}
	before := len(h.Tokens.Requests())
	walk := tf.Walk()
	for i, plan := range plans {
		if i > 0 {
			time.Sleep(doors.SessionLifetime + 500*time.Millisecond)
		}
		walk.Apply(plan, configs[i]).None(t)
	}
	if asked := len(h.Tokens.Requests()) - before; asked < 3 {
		t.Errorf("tokens were asked for %d times while two of them expired", asked)
	}
}

// Acceptance line 6: the token ends in the middle of the one apply of one resource, between its write and its read-back, which a
// broker is handed too late for the session.
func (h *house) renewsTokensWithinAnApply(t *testing.T) {
	clearEnvironment(t)
	h.Tokens.SetLifetime(doors.SessionLifetime)
	t.Cleanup(func() { h.Tokens.SetLifetime(oauth.DefaultLifetime) })
	recorder := testbed.RecordListener(t, h.Cluster, doors.SASL)
	tf := h.terraform(t, values{"bootstrap_servers": recorder.BootstrapServers(), "sasl": values{"mechanism": "OAUTHBEARER", "oauthbearer": h.grant().With("token_url", h.Tokens.TokenURL())}})
	config := values{"topic": h.UniqueTopic(t, 1, 3), "config": map[string]string{"max.message.bytes": "2000000"}}
	r := tf.Resource("kafka_topic_config")
	plan := tf.Plan(r, config)
	var held atomic.Int32
	before := len(h.Tokens.Requests())
	recorder.Reset()
	t.Cleanup(recorder.Intercept(func(q testbed.Request) testbed.Verdict {
		if q.Key == int16(kmsg.DescribeConfigs) && recorder.Count(int16(kmsg.IncrementalAlterConfigs)) > 0 && held.Add(1) == 1 {
			time.Sleep(doors.SessionLifetime + time.Second)
		}
		return testbed.Forward()
	}))
	start := time.Now()
	tf.Walk().Apply(plan, config).None(t)
	if took := time.Since(start); held.Load() < 2 || took < doors.SessionLifetime {
		t.Errorf("the read-back was sent %d times in %s: no session ended\n%s", held.Load(), took, recorder)
	}
	// One to write with, and one to read with after the first had ended.
	if asked := len(h.Tokens.Requests()) - before; asked < 2 {
		t.Errorf("tokens were asked for %d times", asked)
	}
	if got := len(recorder.Writes()); got != 1 {
		t.Errorf("%d writes:\n%s", got, recorder)
	}
	tf.Empty(r, config)
}
