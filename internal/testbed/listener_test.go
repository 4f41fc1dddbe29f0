// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
)

// One cluster has a TLS listener with static key stores, and a config provider: the stores are replaced through dynamic configs.
func TestTLSListener(t *testing.T) {
	authority, err := certs.NewAuthority("test authority")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	store := func(broker int, password string) (certs.Store, *certs.Identity) {
		identity, err := authority.Issue(certs.Request{})
		if err != nil {
			t.Fatal(err)
		}
		s := certs.Store{Path: filepath.Join(dir, fmt.Sprintf("%s-%d.p12", password, broker)), Password: password}
		if err := s.WriteKeyStore(identity); err != nil {
			t.Fatal(err)
		}
		return s, identity
	}
	static := map[int]*certs.Identity{}
	c := Own(t, Options{
		Brokers: 2,
		Listeners: []Listener{{Name: "TLS", Protocol: "SSL", Properties: func(broker int) map[string]string {
			s, identity := store(broker, "static-secret")
			static[broker] = identity
			return s.KeyStoreProperties()
		}}},
		ServerProperties: map[string]string{
			"config.providers":            "file",
			"config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
		},
	})
	ctx := context.Background()
	serves := func(broker int, want *certs.Identity) {
		t.Helper()
		address, err := c.ListenerAddress(broker, "TLS")
		if err != nil {
			t.Fatal(err)
		}
		c.EachBroker(t, "its certificate", func(ctx context.Context, _ *kgo.Broker) error {
			served, err := certs.Served(ctx, address, authority.Pool(), nil)
			if err == nil && !served.Equal(want.Certificate) {
				err = fmt.Errorf("broker %d serves %s, not %s", broker, served.SerialNumber.Text(16), want.Serial())
			}
			return err
		})
	}
	serves(1, static[1])
	serves(2, static[2])

	next, identity := store(1, "dynamic-secret")
	secrets := filepath.Join(dir, "secrets.properties")
	if err := os.WriteFile(secrets, []byte("keystore="+next.Password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reference := "${file:" + secrets + ":keystore}"
	answers, err := c.Admin(t).AlterBrokerConfigs(ctx, []kadm.AlterConfig{
		{Op: kadm.SetConfig, Name: "listener.name.tls.ssl.keystore.location", Value: &next.Path},
		{Op: kadm.SetConfig, Name: "listener.name.tls.ssl.keystore.password", Value: &reference},
	}, 1)
	if err != nil || answers[0].Err != nil {
		t.Fatalf("replace the key store of broker 1: %v %v", err, answers)
	}
	serves(1, identity)
	serves(2, static[2])

	added, err := c.AddBroker(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	serves(added, static[added])
	if _, err := c.ListenerAddress(1, "OTHER"); err == nil || !strings.Contains(err.Error(), `no listener "OTHER"`) {
		t.Errorf("a listener that is not there: %v", err)
	}
}

func TestListenerNames(t *testing.T) {
	for name, listeners := range map[string][]Listener{
		"none":       {{}},
		"taken":      {{Name: "EXTERNAL"}},
		"lower case": {{Name: "tls"}},
		"twice":      {{Name: "TLS"}, {Name: "TLS"}},
	} {
		if _, err := (Options{Listeners: listeners}).withDefaults(); err == nil || !strings.Contains(err.Error(), "cannot be named") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
