// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The mechanisms that a SASL listener can offer, by Kafka's names.
const (
	Plain       = "PLAIN"
	ScramSHA256 = "SCRAM-SHA-256"
	ScramSHA512 = "SCRAM-SHA-512"
	OAuthBearer = "OAUTHBEARER"
	GSSAPI      = "GSSAPI"
)

// SASL is how a listener with protocol SASL_PLAINTEXT or SASL_SSL tells who its clients are. One listener may offer all mechanisms.
// Brokers and controllers stay plain text among themselves. Example:
//
//	users := map[string]string{"alice": "alice-secret"}
//	c := testbed.Own(t, testbed.Options{Listeners: []testbed.Listener{{
//		Name: "SASL", Protocol: "SASL_PLAINTEXT",
//		SASL: &testbed.SASL{Mechanisms: []string{testbed.Plain, testbed.ScramSHA512}, Users: users},
//	}}})
//	servers, err := c.ListenerServers("SASL")
type SASL struct {
	// Mechanisms are those that the listener offers; a client that asks for another is told these.
	Mechanisms []string
	// Users are the passwords of PLAIN and of SCRAM by user name. Those of SCRAM belong to the cluster, not to the listener: two
	// listeners with SCRAM that name the same user have to give it the same password. They are printable ASCII without " and \.
	Users map[string]string
	// Tokens say which tokens OAUTHBEARER takes.
	Tokens Tokens
	// Kerberos is the service that clients of GSSAPI ask tickets for; see [KDC.Kerberos].
	Kerberos Kerberos
}

// Tokens are what a broker asks of a token: signed by one of the keys at a URL, by an issuer, for an audience (RFC 7519). The claim
// "sub" is the name of the user. Package oauth has a server that gives such tokens.
type Tokens struct {
	JWKS     string // the URL of the keys (RFC 7517), which the brokers fetch at their start
	Issuer   string
	Audience string
}

// Kerberos is how a listener with GSSAPI logs in: the paths of a krb5.conf and of a keytab, and the service whose key is in it.
type Kerberos struct{ Config, Keytab, Service string }

// properties are those of a listener, without its prefix.
func (s *SASL) properties() map[string]string {
	properties := map[string]string{"sasl.enabled.mechanisms": strings.Join(s.Mechanisms, ",")}
	for _, mechanism := range s.Mechanisms {
		prefix := strings.ToLower(mechanism) + "."
		switch mechanism {
		case Plain:
			properties[prefix+"sasl.jaas.config"] = "org.apache.kafka.common.security.plain.PlainLoginModule required" + jaasUsers(s.Users) + ";"
		case ScramSHA256, ScramSHA512:
			properties[prefix+"sasl.jaas.config"] = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
		case OAuthBearer:
			properties[prefix+"sasl.jaas.config"] = "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;"
			properties[prefix+"sasl.server.callback.handler.class"] = "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler"
			properties["sasl.oauthbearer.jwks.endpoint.url"] = s.Tokens.JWKS
			properties["sasl.oauthbearer.expected.issuer"] = s.Tokens.Issuer
			properties["sasl.oauthbearer.expected.audience"] = s.Tokens.Audience
		case GSSAPI:
			properties[prefix+"sasl.jaas.config"] = fmt.Sprintf(`com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab="%s" principal="%s";`,
				s.Kerberos.Keytab, ServicePrincipal(s.Kerberos.Service))
			properties["sasl.kerberos.service.name"] = s.Kerberos.Service
		}
	}
	return properties
}

// jaasUsers are the users of PLAIN as options of its login module.
func jaasUsers(users map[string]string) string {
	var options strings.Builder
	for _, name := range slices.Sorted(maps.Keys(users)) {
		fmt.Fprintf(&options, ` user_%s="%s"`, name, users[name])
	}
	return options.String()
}

// addSystemProperties tells a JVM what the mechanisms want as system properties: the URLs of keys, as Kafka 4.0 fetches none from
// others, and the krb5.conf.
func addSystemProperties(n *node, o Options) {
	var urls []string
	config := ""
	for _, l := range o.Listeners {
		if l.SASL == nil {
			continue
		}
		if l.SASL.Tokens.JWKS != "" && !slices.Contains(urls, l.SASL.Tokens.JWKS) {
			urls = append(urls, l.SASL.Tokens.JWKS)
		}
		if l.SASL.Kerberos.Config != "" {
			config = l.SASL.Kerberos.Config
		}
	}
	if len(urls) > 0 {
		n.env["KAFKA_JVM_PERFORMANCE_OPTS"] += " -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=" + strings.Join(urls, ",")
	}
	if config != "" {
		n.env["KAFKA_JVM_PERFORMANCE_OPTS"] += " -Djava.security.krb5.conf=" + config
	}
}

// scramUsers are the users of SCRAM of all listeners, and the mechanisms for which each is made.
func (o Options) scramUsers() (users map[string]string, mechanisms []string) {
	users = map[string]string{}
	for _, l := range o.Listeners {
		if l.SASL == nil {
			continue
		}
		for _, mechanism := range l.SASL.Mechanisms {
			if mechanism != ScramSHA256 && mechanism != ScramSHA512 {
				continue
			}
			maps.Copy(users, l.SASL.Users)
			if !slices.Contains(mechanisms, mechanism) {
				mechanisms = append(mechanisms, mechanism)
			}
		}
	}
	return users, mechanisms
}

func (l Listener) checkSASL() error {
	isSASL := strings.HasPrefix(l.Protocol, "SASL_")
	switch {
	case isSASL && (l.SASL == nil || len(l.SASL.Mechanisms) == 0):
		return fmt.Errorf("listener %s with protocol %s offers no mechanism", l.Name, l.Protocol)
	case !isSASL && l.SASL != nil:
		return fmt.Errorf("listener %s has SASL, and its protocol is %q", l.Name, l.Protocol)
	case !isSASL:
		return nil
	}
	for name, password := range l.SASL.Users {
		// Kafka's container entry point takes the rest apart on the way into server.properties.
		if strings.ContainsFunc(password, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
			return fmt.Errorf("listener %s: user %s cannot have the password that is given, only printable ASCII without \" and \\", l.Name, name)
		}
	}
	for _, mechanism := range l.SASL.Mechanisms {
		if !slices.Contains([]string{Plain, ScramSHA256, ScramSHA512, OAuthBearer, GSSAPI}, mechanism) {
			return fmt.Errorf("listener %s cannot offer %q", l.Name, mechanism)
		}
		if mechanism == OAuthBearer && l.SASL.Tokens.JWKS == "" {
			return fmt.Errorf("listener %s offers %s, and no URL of keys says which tokens it takes", l.Name, mechanism)
		}
		if mechanism == GSSAPI && (l.host() != kerberosHost || l.SASL.Kerberos.Config == "" || l.SASL.Kerberos.Keytab == "" || l.SASL.Kerberos.Service == "") {
			return fmt.Errorf("listener %s offers %s without host %s, a service and its keytab", l.Name, mechanism, kerberosHost)
		}
	}
	return nil
}
