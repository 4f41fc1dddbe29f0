// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"slices"
	"strings"
)

// listenerPrefix begins the keys that configure one listener: listener.name.<listener>.[<mechanism>.]<key> (KIP-103, KIP-226).
const listenerPrefix = "listener.name."

// BrokerKeyType tells whether a broker knows a key, and of which type it is. Known are the described names, the replication
// throttles, and both behind a listener, or a listener and a mechanism. A broker stores any other key too, and then hides it, so a
// mistyped one would never be found.
func BrokerKeyType(key string, described map[string]Type) (t Type, known bool) {
	if t, known = described[key]; known {
		return t, true
	}
	if slices.Contains(ThrottleKeysOfBrokers(), key) {
		return Long, true
	}
	base, ok := listenerBase(key)
	if !ok {
		return Unknown, false
	}
	if t, known = described[base]; known {
		return t, true
	}
	if _, tail, ok := strings.Cut(base, "."); ok && strings.HasPrefix(tail, "sasl.") {
		t, known = described[tail]
	}
	return t, known
}

// listenerBase takes the listener's prefix away.
func listenerBase(key string) (base string, ok bool) {
	rest, ok := strings.CutPrefix(key, listenerPrefix)
	if !ok {
		return "", false
	}
	_, base, ok = strings.Cut(rest, ".")
	return base, ok
}

// IsStoreKey tells whether a key configures a key store or a trust store, whose files a broker reads again when it is written.
func IsStoreKey(key string) bool {
	base, ok := listenerBase(key)
	if !ok {
		base = key
	}
	return strings.HasPrefix(base, "ssl.keystore.") || strings.HasPrefix(base, "ssl.truststore.")
}

// NearestBrokerKey is Nearest with the listener's prefix put back.
func NearestBrokerKey(key string, known []string) (string, bool) {
	base, ok := listenerBase(key)
	if !ok {
		return Nearest(key, known)
	}
	nearest, ok := Nearest(base, known)
	return strings.TrimSuffix(key, base) + nearest, ok
}
