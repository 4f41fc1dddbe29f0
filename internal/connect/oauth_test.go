// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/proxies"
)

const secret = "canary-client-secret"

// tokenServer is an authorization server whose certificate is for tokens.test, which a proxy knows.
func tokenServer(t *testing.T) (*oauth.Server, *certs.Authority) {
	t.Helper()
	authority, err := certs.NewAuthority("of tokens")
	if err != nil {
		t.Fatal(err)
	}
	identity, err := authority.Issue(certs.Request{Names: []string{"127.0.0.1", "tokens.test"}})
	if err != nil {
		t.Fatal(err)
	}
	certificate := identity.TLS()
	server, err := oauth.Start(oauth.Options{Clients: map[string]string{"terraform": secret}, TLS: &certificate})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return server, authority
}

func source(t *testing.T, c ClientCredentials) kafkaapi.TokenSource {
	t.Helper()
	if c.Lookup == nil {
		c.Lookup = from(nil)
	}
	s, err := c.Source()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestClientCredentials(t *testing.T) {
	server, authority := tokenServer(t)
	server.SetLifetime(5 * time.Second)
	c := ClientCredentials{TokenURL: server.TokenURL(), ClientID: "terraform", ClientSecret: secret, Scopes: []string{"a", "b"}, Extensions: map[string]string{"logicalCluster": "lkc-1"}}
	s := source(t, c)
	first, err := s.Token(t.Context())
	if err != nil || first.Value == "" || first.Extensions["logicalCluster"] != "lkc-1" {
		t.Fatalf("got %+v, %v", first, err)
	}
	if again, err := s.Token(t.Context()); err != nil || again.Value != first.Value {
		t.Errorf("a token that is good was not kept: %v", err)
	}
	// Acceptance line 6: renewed before it expires.
	deadline := time.Now().Add(10 * time.Second)
	for {
		next, err := s.Token(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if next.Value != first.Value {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the token was not renewed")
		}
		time.Sleep(50 * time.Millisecond)
	}
	if got := server.Requests(); len(got) != 2 || got[0].Scope != "a b" || !got[1].Granted {
		t.Errorf("the server was asked %+v", got)
	}
	c.TokenURL, c.TLS = server.SecureTokenURL(), TLS{CACertificate: string(authority.PEM())}
	if _, err := source(t, c).Token(t.Context()); err != nil {
		t.Errorf("https with tls.ca_certificate: %v", err)
	}
	c.TLS = TLS{}
	if _, err := source(t, c).Token(t.Context()); err == nil || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Errorf("https without it: %v", err)
	}
}

// Issue 7: the server's own reason, without the secret; a refusal is one, an overloaded server is none.
func TestNoToken(t *testing.T) {
	server, _ := tokenServer(t)
	c := ClientCredentials{TokenURL: server.TokenURL(), ClientID: "terraform", ClientSecret: "canary-wrong"}
	for name, tt := range map[string]struct {
		refusal *oauth.Refusal
		want    string
		final   bool
	}{
		"wrong secret": {nil, `refuses a token to the client "terraform": 401 Unauthorized: invalid_client Client authentication failed.`, true},
		"scope":        {&oauth.Refusal{Error: "invalid_scope", Description: "no such scope"}, `refuses a token to the client "terraform": 400 Bad Request: invalid_scope no such scope`, true},
		"indiscreet":   {&oauth.Refusal{Error: "invalid_client", Description: "canary-wrong is wrong"}, `refuses a token to the client "terraform": 400 Bad Request: invalid_client (hidden) is wrong`, true},
		"overloaded":   {&oauth.Refusal{Status: http.StatusServiceUnavailable, Error: "temporarily_unavailable"}, "fails: 503 Service Unavailable: temporarily_unavailable", false},
	} {
		t.Run(name, func(t *testing.T) {
			server.Refuse(tt.refusal)
			_, err := source(t, c).Token(t.Context())
			if want := "the server of tokens at " + server.TokenURL() + " " + tt.want; err == nil || err.Error() != want || errors.Is(err, kafkaapi.ErrAuthentication) != tt.final {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	server.Refuse(nil)
	c.ClientSecret = secret + "\n"
	if _, err := source(t, c).Token(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "(the client_secret begins or ends with white space)") || strings.Contains(err.Error(), "canary") {
		t.Errorf("a blank: %v", err)
	}
	c.TokenURL = "http://127.0.0.1:1/token"
	if _, err := source(t, c).Token(t.Context()); err == nil || !strings.Contains(err.Error(), "connection refused") || strings.Contains(err.Error(), "canary") {
		t.Errorf("nothing there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := source(t, c).Token(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

// C-112: a redirect takes the secret nowhere, in neither of the forms in which it is sent, and the error does not show what it leads to.
func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other address was asked") }))
	t.Cleanup(elsewhere.Close)
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+"/login?state=canary", status)
		}))
		t.Cleanup(server.Close)
		_, err := source(t, ClientCredentials{TokenURL: server.URL, ClientID: "terraform", ClientSecret: secret}).Token(t.Context())
		want := fmt.Sprintf(`the server of tokens at %s refuses a token to the client "terraform": %d %s, a redirect to %s/login, `+
			"which is not followed as the secret would go there: set token_url to the address that gives tokens", server.URL, status, http.StatusText(status), elsewhere.URL)
		if err == nil || err.Error() != want || !errors.Is(err, kafkaapi.ErrAuthentication) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// C-112: a server that sends back what it got does not bring the secret into the error: as it is, escaped, or as HTTP's Basic has it.
func TestSecretsThatAreSentBack(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		body, _ := io.ReadAll(r.Body)
		_, password, _ := r.BasicAuth()
		got := fmt.Sprintf("%s %s %s", r.Header.Get("Authorization"), body, password)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(w).Encode(map[string]string{"error": "invalid_client", "error_description": got})
	}))
	t.Cleanup(server.Close)
	const odd = "canary/ä+ &="
	c, ok := source(t, ClientCredentials{TokenURL: server.URL, ClientID: "terra form", ClientSecret: odd}).(*clientCredentials)
	if !ok {
		t.Fatal("another source")
	}
	for _, style := range []oauth2.AuthStyle{oauth2.AuthStyleInHeader, oauth2.AuthStyleInParams} {
		c.config.AuthStyle = style
		_, err := c.Token(t.Context())
		if err == nil || !strings.Contains(err.Error(), "(hidden)") {
			t.Fatalf("nothing came back: %v", err)
		}
		for _, form := range []string{odd, "canary", url.QueryEscape(odd), base64.StdEncoding.EncodeToString([]byte("terra+form:" + url.QueryEscape(odd)))} {
			if strings.Contains(err.Error(), form) {
				t.Errorf("%s is shown: %v", form, err)
			}
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

// HTTPS_PROXY is for servers of tokens.
func TestTokenThroughAProxy(t *testing.T) {
	server, authority := tokenServer(t)
	proxy := proxies.HTTP(t, proxies.Options{Hosts: map[string]string{"tokens.test": "127.0.0.1"}})
	c := ClientCredentials{
		TokenURL: strings.Replace(server.SecureTokenURL(), "127.0.0.1", "tokens.test", 1), ClientID: "terraform", ClientSecret: secret,
		TLS: TLS{CACertificate: string(authority.PEM())}, Lookup: from(map[string]string{"HTTPS_PROXY": "http://" + proxy.Address(), "ALL_PROXY": "socks5://127.0.0.1:1"}),
	}
	if _, err := source(t, c).Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := proxy.Targets(); len(got) != 1 || !strings.HasPrefix(got[0], "tokens.test:") {
		t.Errorf("the proxy was asked for %v", got)
	}
}
