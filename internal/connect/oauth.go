// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// FixedToken is a source with the one token that somebody wrote down.
func FixedToken(value string, extensions map[string]string) kafkaapi.TokenSource {
	return fixedToken{Value: value, Extensions: extensions}
}

type fixedToken kafkaapi.Token

// Token gives the token.
func (f fixedToken) Token(context.Context) (kafkaapi.Token, error) { return kafkaapi.Token(f), nil }

// ClientCredentials are the settings of OAuth's client credentials grant (RFC 6749, section 4.4).
type ClientCredentials struct {
	TokenURL, ClientID, ClientSecret string
	Scopes                           []string
	// Extensions are sent to brokers beside each token (KIP-342).
	Extensions map[string]string
	// TLS says which authorities are trusted beside the system's.
	TLS TLS
	// Lookup finds the environment variables that name a proxy.
	Lookup func(name string) (string, bool)
}

// Source gives tokens and asks the server for another one when four fifths of a token's life are over. Errors are *SettingError.
func (c ClientCredentials) Source() (kafkaapi.TokenSource, error) {
	roots, err := c.TLS.Roots()
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy:           tokenProxy(c.Lookup),
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		// One request in a long while: nothing to keep.
		DisableKeepAlives: true,
	}
	return &clientCredentials{
		extensions: c.Extensions,
		client:     &http.Client{Transport: transport, CheckRedirect: stay},
		config:     clientcredentials.Config{ClientID: c.ClientID, ClientSecret: c.ClientSecret, TokenURL: c.TokenURL, Scopes: c.Scopes},
	}, nil
}

// stay follows no redirect: the secret is for the address that was written down, and for no other.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

type clientCredentials struct {
	config     clientcredentials.Config
	client     *http.Client
	extensions map[string]string

	// mu is held while a token is asked for: all who come meanwhile need the same.
	mu    sync.Mutex
	token string
	renew time.Time
}

// unknownLife is how long a token serves of which the server does not say when it expires.
const unknownLife = 5 * time.Minute

// Token gives the token at hand or asks for the next one.
func (c *clientCredentials) Token(ctx context.Context) (kafkaapi.Token, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.token == "" || !time.Now().Before(c.renew) {
		token, err := c.config.Token(context.WithValue(ctx, oauth2.HTTPClient, c.client))
		if err != nil {
			return kafkaapi.Token{}, c.explain(ctx, err)
		}
		life := unknownLife
		if !token.Expiry.IsZero() {
			life = time.Until(token.Expiry) * 4 / 5
		}
		c.token, c.renew = token.AccessToken, time.Now().Add(life)
	}
	return kafkaapi.Token{Value: c.token, Extensions: c.extensions}, nil
}

// explain gives the server's own reason, and says whether asking again is of use.
func (c *clientCredentials) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var answer *oauth2.RetrieveError
	if !errors.As(err, &answer) || answer.Response == nil {
		return fmt.Errorf("the server of tokens at %s: %w", c.config.TokenURL, cleaned{err, c.scrub})
	}
	reason := answer.Response.Status
	if to := answer.Response.Header.Get("Location"); to != "" {
		to, _, _ = strings.Cut(to, "?")
		reason += fmt.Sprintf(", a redirect to %s, which is not followed as the secret would go there: set token_url to the address that gives tokens", to)
	}
	if words := strings.Join(strings.Fields(answer.ErrorCode+" "+answer.ErrorDescription), " "); words != "" {
		reason += ": " + words
	}
	reason = c.scrub(reason)
	switch status := answer.Response.StatusCode; {
	case status == http.StatusTooManyRequests || status >= http.StatusInternalServerError:
		return fmt.Errorf("the server of tokens at %s fails: %s", c.config.TokenURL, reason)
	default:
		if blank := blanks(c.config.ClientSecret); blank != "" {
			reason += " (the client_secret" + strings.TrimPrefix(blank, ", which") + ")"
		}
		return &refusedError{fmt.Sprintf("the server of tokens at %s refuses a token to the client %q: %s", c.config.TokenURL, c.config.ClientID, reason)}
	}
}

// refusedError is a refusal that stays one.
type refusedError struct{ text string }

func (e *refusedError) Error() string { return e.text }

// Is matches kafkaapi.ErrAuthentication.
func (e *refusedError) Is(target error) bool { return target == kafkaapi.ErrAuthentication }

// cleaned is an error whose text is scrubbed.
type cleaned struct {
	err   error
	scrub func(string) string
}

func (c cleaned) Error() string { return c.scrub(c.err.Error()) }
func (c cleaned) Unwrap() error { return c.err }

// scrub takes the client's secret out of a text, in every form in which it is sent, as a server may send it back.
func (c *clientCredentials) scrub(text string) string {
	id, secret := c.config.ClientID, c.config.ClientSecret
	if secret == "" {
		return text
	}
	escaped := url.QueryEscape(secret)
	header := base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id) + ":" + escaped))
	return strings.NewReplacer(header, "(hidden)", secret, "(hidden)", escaped, "(hidden)").Replace(text)
}
