// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
)

const (
	tlsLocation = "listener.name.tls.ssl.keystore.location"
	tlsType     = "listener.name.tls.ssl.keystore.type"
	tlsPassword = "listener.name.tls.ssl.keystore.password"
)

// tlsBench is a broker with a TLS listener whose key store is managed by a kafka_broker_config.
type tlsBench struct {
	t         *testing.T
	cluster   *testbed.Cluster
	rec       *testbed.Recorder
	tf        *acctest.Terraform
	resource  *acctest.Resource
	authority *certs.Authority
	store     certs.Store   // its password is that of the file as it is now
	log       *bytes.Buffer // everything that the provider logged
	said      strings.Builder
}

func newTLSBench(t *testing.T) *tlsBench {
	t.Helper()
	authority, err := certs.NewAuthority("test authority")
	if err != nil {
		t.Fatal(err)
	}
	b := &tlsBench{t: t, authority: authority, log: &bytes.Buffer{}}
	dir := t.TempDir()
	b.store = certs.Store{Path: filepath.Join(dir, "static.p12"), Password: "static-password"}
	b.write("static-password")
	static := b.store
	b.cluster = testbed.Own(t, testbed.Options{
		Brokers:   1,
		Listeners: []testbed.Listener{{Name: "TLS", Protocol: "SSL", Properties: func(int) map[string]string { return static.KeyStoreProperties() }}},
	})
	b.store.Path = filepath.Join(dir, "server.p12")
	b.rec = testbed.Record(t, b.cluster)
	b.tf = acctest.New(t, acctest.Values{"bootstrap_servers": b.rec.BootstrapServers()})
	b.tf.Context = tflogtest.RootLogger(t.Context(), b.log)
	b.resource = b.tf.Resource("kafka_broker_config")
	return b
}

// write replaces the store's file under its path: another certificate, and this password.
func (b *tlsBench) write(password string) *certs.Identity {
	b.t.Helper()
	identity, err := b.authority.Issue(certs.Request{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.store.Password = password
	if err := b.store.WriteKeyStore(identity); err != nil {
		b.t.Fatal(err)
	}
	return identity
}

// declare is the resource with a password and its version.
func (b *tlsBench) declare(password string, version int) acctest.Values {
	return acctest.Values{
		"broker_id":                   1,
		"config":                      map[string]string{tlsLocation: b.store.Path, tlsType: "PKCS12"},
		"sensitive_config_wo":         map[string]string{tlsPassword: password},
		"sensitive_config_wo_version": version,
	}
}

// plan keeps everything that the plan shows, and forgets the requests of it.
func (b *tlsBench) plan(config acctest.Values) *acctest.Plan {
	b.t.Helper()
	p := b.tf.Plan(b.resource, config)
	fmt.Fprintln(&b.said, p.Before, p.After, p.Diagnostics, b.resource.Raw())
	b.rec.Reset()
	return p
}

// apply applies a plan, and keeps what it said and what state holds after it.
func (b *tlsBench) apply(p *acctest.Plan) {
	b.t.Helper()
	diags := b.tf.ApplyPlan(p)
	fmt.Fprintln(&b.said, diags, b.resource.Raw())
	diags.None(b.t)
}

// serves returns once the listener serves an identity, and has a Kafka client that trusts the authority ask for metadata through it.
func (b *tlsBench) serves(want *certs.Identity) {
	b.t.Helper()
	address, err := b.cluster.ListenerAddress(1, "TLS")
	if err != nil {
		b.t.Fatal(err)
	}
	b.cluster.EachBroker(b.t, "the certificate "+want.Serial(), func(ctx context.Context, _ *kgo.Broker) error {
		served, err := certs.Served(ctx, address, b.authority.Pool(), nil)
		if err == nil && !served.Equal(want.Certificate) {
			err = fmt.Errorf("it serves %s", served.SerialNumber.Text(16))
		}
		return err
	})
	client, err := kgo.NewClient(kgo.SeedBrokers(address), kgo.DialTLSConfig(&tls.Config{RootCAs: b.authority.Pool(), MinVersion: tls.VersionTLS12}))
	if err != nil {
		b.t.Fatal(err)
	}
	defer client.Close()
	if err := client.Ping(b.t.Context()); err != nil {
		b.t.Fatalf("A client that connects through the TLS listener: %v", err)
	}
}

// wrote fails the test unless the requests since the last plan hold exactly one write, which sets exactly these keys.
func (b *tlsBench) wrote(keys ...string) {
	b.t.Helper()
	writes := b.rec.Writes()
	if len(writes) != 1 {
		b.t.Fatalf("%d writes where one is due:\n%s", len(writes), b.rec)
	}
	var got []string
	for _, c := range writes[0].Body.(*kmsg.IncrementalAlterConfigsRequest).Resources[0].Configs {
		if c.Op != kmsg.IncrementalAlterConfigOpSet {
			b.t.Errorf("The write has a %s of %s", c.Op, c.Name)
		}
		got = append(got, c.Name)
	}
	slices.Sort(got)
	slices.Sort(keys)
	if !slices.Equal(got, keys) {
		b.t.Errorf("The write sets %v, want %v", got, keys)
	}
}

// quiet fails the test if a write or a validation was sent since the last plan.
func (b *tlsBench) quiet() {
	b.t.Helper()
	if n := len(b.rec.Writes()) + len(b.rec.Validations()); n > 0 {
		b.t.Fatalf("%d writes and validations where none are due:\n%s", n, b.rec)
	}
}

// idle plans a configuration that changes nothing, and applies it.
func (b *tlsBench) idle(config acctest.Values) {
	b.t.Helper()
	b.rec.Reset()
	p := b.tf.Plan(b.resource, config)
	p.Diagnostics.None(b.t)
	if p.Action != acctest.NoOp {
		b.t.Fatalf("The plan is a %s:\nbefore %v\nafter  %v", p.Action, p.Before, p.After)
	}
	b.apply(p)
	b.quiet()
}

// hidden fails the test if one of the secrets is in anything that was shown, kept or logged.
func (b *tlsBench) hidden(secrets ...string) {
	b.t.Helper()
	const canary = "canary-of-the-search"
	fmt.Fprintln(&b.said, canary)
	tflog.Trace(b.tf.Context, canary)
	for where, text := range map[string]string{"plans, states and messages": b.said.String(), "the log": b.log.String()} {
		if !strings.Contains(text, canary) {
			b.t.Errorf("The search does not see %s", where)
		}
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				b.t.Errorf("A secret is in %s", where)
			}
		}
	}
}

// Acceptance lines 5 and 5b of the broker configs.
func TestKeyStoreOfATLSListener(t *testing.T) {
	b := newTLSBench(t)
	first := b.write("first-password")
	b.apply(b.plan(b.declare("first-password", 1)))
	b.wrote(tlsLocation, tlsType, tlsPassword)
	b.serves(first)

	t.Run("an unchanged version sends nothing", func(t *testing.T) {
		b.idle(b.declare("first-password", 1))
		b.idle(b.declare("second-password", 1))
		b.serves(first)
	})

	second := b.write("second-password")
	p := b.plan(b.declare("second-password", 2))
	if p.Action != acctest.Update {
		t.Fatalf("A new version plans a %s", p.Action)
	}
	b.apply(p)
	b.wrote(tlsPassword)
	b.serves(second)
	b.idle(b.declare("second-password", 2))

	t.Run("a wrong password is refused at plan", func(t *testing.T) {
		p := b.plan(b.declare("wrong-password", 3))
		refusal := p.Diagnostics.One(t)
		// The broker opens the store, and its text names no key.
		if refusal.Path != "config" || !strings.Contains(refusal.Detail, "Failed to load SSL keystore "+b.store.Path) {
			t.Errorf("Not the broker's own words: %s", refusal)
		}
		b.serves(second)
	})
	t.Run("reload", func(t *testing.T) { checkReload(t, b, second) })
	b.hidden("static-password", "first-password", "second-password", "wrong-password")
}

// checkReload replaces the store under its path and with its password: only a changed reload_trigger has the broker read it.
func checkReload(t *testing.T, b *tlsBench, before *certs.Identity) {
	next := b.write("second-password")
	config := b.declare("second-password", 2)
	b.idle(config)
	b.serves(before)

	for i, trigger := range []string{"one", "two"} {
		config = config.With("reload_trigger", trigger)
		p := b.plan(config)
		p.Diagnostics.None(t)
		if p.Action != acctest.Update {
			t.Fatalf("A changed reload_trigger plans a %s", p.Action)
		}
		for name, after := range p.After {
			if before := p.Before[name]; (fmt.Sprint(before) != fmt.Sprint(after)) != (name == "reload_trigger") {
				t.Errorf("The plan shows %s: %v -> %v", name, before, after)
			}
		}
		b.apply(p)
		b.wrote(tlsLocation, tlsType, tlsPassword)
		b.serves(next)
		b.idle(config)
		if i == 0 {
			next = b.write("second-password") // and once more, from a value of the trigger to another
		}
	}
}
