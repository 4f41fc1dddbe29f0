// SPDX-License-Identifier: MPL-2.0

package configset

import "testing"

func TestBrokerKeyType(t *testing.T) {
	described := map[string]Type{"num.io.threads": Int, "ssl.keystore.password": Password, "sasl.jaas.config": Password, "max.connections": Int}
	for _, c := range []struct {
		key   string
		t     Type
		known bool
	}{
		{"num.io.threads", Int, true},
		{"num.io.thread", Unknown, false},
		{"leader.replication.throttled.rate", Long, true},
		{"listener.name.external.max.connections", Int, true},
		{"listener.name.external.ssl.keystore.password", Password, true},
		{"listener.name.external.scram-sha-512.sasl.jaas.config", Password, true},
		{"listener.name.external.plain.num.io.threads", Unknown, false},
		{"listener.name.external.ssl.keystore.passwort", Unknown, false},
		{"listener.name.external", Unknown, false},
		{"custom.plugin.key", Unknown, false},
	} {
		if got, known := BrokerKeyType(c.key, described); got != c.t || known != c.known {
			t.Errorf("BrokerKeyType(%q) = %d, %v", c.key, got, known)
		}
	}
}

func TestNearestBrokerKey(t *testing.T) {
	known := []string{"num.io.threads", "ssl.keystore.password", "ssl.keystore.type"}
	for key, want := range map[string]string{
		"num.io.thread": "num.io.threads", "listener.name.ext.ssl.keystore.passwort": "listener.name.ext.ssl.keystore.password",
	} {
		if got, ok := NearestBrokerKey(key, known); !ok || got != want {
			t.Errorf("NearestBrokerKey(%q) = %q", key, got)
		}
	}
}

func TestIsStoreKey(t *testing.T) {
	for key, want := range map[string]bool{
		"listener.name.ext.ssl.keystore.location": true, "listener.name.ext.ssl.truststore.certificates": true, "ssl.truststore.type": true,
		"listener.name.ext.ssl.client.auth": false, "num.io.threads": false,
	} {
		if IsStoreKey(key) != want {
			t.Errorf("IsStoreKey(%q) = %v", key, !want)
		}
	}
}
