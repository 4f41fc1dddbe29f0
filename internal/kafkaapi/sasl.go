// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"

	"github.com/IBM/sarama"
)

// Mechanism is a SASL mechanism by Kafka's name.
type Mechanism string

// The mechanisms that the client speaks.
const (
	MechanismPlain       Mechanism = "PLAIN"
	MechanismScramSHA256 Mechanism = "SCRAM-SHA-256"
	MechanismScramSHA512 Mechanism = "SCRAM-SHA-512"
	MechanismOAuthBearer Mechanism = "OAUTHBEARER"
	MechanismGSSAPI      Mechanism = "GSSAPI"
)

// SASL is how connections authenticate. Brokers that limit the life of a session are authenticated to again in time (KIP-368, Kafka 2.2).
type SASL struct {
	Mechanism Mechanism
	// Username and Password are those of PLAIN and SCRAM.
	Username, Password string
	// Tokens give OAUTHBEARER its tokens.
	Tokens TokenSource
	// Kerberos is what GSSAPI needs.
	Kerberos *Kerberos
}

// Token is what OAUTHBEARER shows to a broker, with extensions to it (KIP-342).
type Token struct {
	Value      string
	Extensions map[string]string
}

// TokenSource gives a token that is valid at the moment; it is asked for each authentication, by several at once. An error that
// wraps ErrAuthentication says that asking again brings the same. No error shows a secret.
type TokenSource interface {
	Token(ctx context.Context) (Token, error)
}

// Kerberos says where tickets come from: the key table at KeytabPath, Password, or else the ticket cache at CachePath.
type Kerberos struct {
	// ServiceName is the first part of the brokers' principals, ServiceName/host@Realm.
	ServiceName, Realm    string
	Username, Password    string
	KeytabPath, CachePath string
	// ConfigPath is that of krb5.conf.
	ConfigPath string
}

// configure sets the library's part. Tokens come through the client, see tokenProvider.
func (s *SASL) configure(conf *sarama.Config) {
	conf.Net.SASL.Enable = true
	conf.Net.SASL.Mechanism = sarama.SASLMechanism(s.Mechanism)
	conf.Net.SASL.User, conf.Net.SASL.Password = s.Username, s.Password
	switch s.Mechanism {
	case MechanismScramSHA256, MechanismScramSHA512:
		conf.Net.SASL.SCRAMClientGeneratorFunc = newScram(s)
	case MechanismGSSAPI:
		conf.Net.SASL.GSSAPI = s.Kerberos.configure()
	}
}

func (k *Kerberos) configure() sarama.GSSAPIConfig {
	conf := sarama.GSSAPIConfig{
		AuthType: sarama.KRB5_USER_AUTH, ServiceName: k.ServiceName, Realm: k.Realm, Username: k.Username, Password: k.Password,
		KeyTabPath: k.KeytabPath, CCachePath: k.CachePath, KerberosConfigPath: k.ConfigPath,
	}
	switch {
	case k.KeytabPath != "":
		conf.AuthType = sarama.KRB5_KEYTAB_AUTH
	case k.Password == "":
		conf.AuthType = sarama.KRB5_CCACHE_AUTH
		// The cache has its own principal; the library wants these two set all the same.
		conf.Username, conf.Realm = "from the ticket cache", "from the ticket cache"
	}
	return conf
}

// tokenProvider asks the source for the library, which knows no contexts.
type tokenProvider struct{ c *Client }

// tokenError tells a token that could not be had from what a broker says of one.
type tokenError struct{ err error }

func (e *tokenError) Error() string { return e.err.Error() }
func (e *tokenError) Unwrap() error { return e.err }

// Token gives a token within the request timeout, or until the client is closed.
func (p tokenProvider) Token() (*sarama.AccessToken, error) {
	ctx, cancel := context.WithTimeoutCause(p.c.alive, p.c.opts.RequestTimeout, errNoAnswer)
	defer cancel()
	p.c.tokensAsked.Add(1)
	defer p.c.tokensAsked.Add(-1)
	token, err := p.c.opts.SASL.Tokens.Token(ctx)
	if err != nil {
		return nil, &tokenError{err}
	}
	p.c.lastToken.Store(&token.Value)
	return &sarama.AccessToken{Token: token.Value, Extensions: token.Extensions}, nil
}
