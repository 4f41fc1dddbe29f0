// SPDX-License-Identifier: MPL-2.0

package oauth_test

import (
	"crypto/tls"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
)

type reply struct {
	Token       string `json:"access_token"`
	Type        string `json:"token_type"`
	Seconds     int    `json:"expires_in"`
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// ask sends a form to a token endpoint, with credentials in the header unless the form has them.
func ask(t *testing.T, client *http.Client, endpoint, id, secret string, form url.Values) (int, reply) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if id != "" {
		request.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var r reply
	if err := json.NewDecoder(response.Body).Decode(&r); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, r
}

func TestTokens(t *testing.T) {
	authority, err := certs.NewAuthority("test authority")
	if err != nil {
		t.Fatal(err)
	}
	identity, err := authority.Issue(certs.Request{})
	if err != nil {
		t.Fatal(err)
	}
	certificate := identity.TLS()
	s, err := oauth.Start(oauth.Options{Clients: map[string]string{"terra:form": "s%cret"}, TLS: &certificate})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.SetLifetime(7 * time.Second)
	grant := url.Values{"grant_type": {"client_credentials"}, "scope": {"read write"}}

	status, got := ask(t, http.DefaultClient, s.TokenURL(), "terra:form", "s%cret", grant)
	if status != 200 || got.Type != "Bearer" || got.Seconds != 7 {
		t.Fatalf("got %d %+v", status, got)
	}
	claims := verify(t, s, got.Token)
	if claims.Subject != "terra:form" || claims.Expiry.Time().Sub(claims.IssuedAt.Time()) != 7*time.Second {
		t.Errorf("claims are %+v", claims)
	}
	if err := claims.Validate(jwt.Expected{Issuer: s.Issuer(), AnyAudience: jwt.Audience{"kafka"}, Time: time.Now()}); err != nil {
		t.Error(err)
	}

	inForm := url.Values{"grant_type": {"client_credentials"}, "client_id": {"terra:form"}, "client_secret": {"s%cret"}}
	secure := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authority.Pool(), MinVersion: tls.VersionTLS12}}}
	if status, got := ask(t, secure, s.SecureTokenURL(), "", "", inForm); status != 200 || got.Token == "" {
		t.Errorf("over https: %d %+v", status, got)
	}
	if status, got := ask(t, http.DefaultClient, s.TokenURL(), "terra:form", "wrong", grant); status != 401 || got.Error != "invalid_client" {
		t.Errorf("a wrong secret: %d %+v", status, got)
	}
	if status, got := ask(t, http.DefaultClient, s.TokenURL(), "terra:form", "s%cret", url.Values{"grant_type": {"password"}}); status != 400 || got.Error != "unsupported_grant_type" {
		t.Errorf("another grant: %d %+v", status, got)
	}
	s.Refuse(&oauth.Refusal{Error: "invalid_scope", Description: "no such scope"})
	if status, got := ask(t, http.DefaultClient, s.TokenURL(), "terra:form", "s%cret", grant); status != 400 || got.Error != "invalid_scope" || got.Description != "no such scope" {
		t.Errorf("a refusal: %d %+v", status, got)
	}
	want := []oauth.Request{
		{ClientID: "terra:form", Scope: "read write", Grant: "client_credentials", Basic: true, Granted: true},
		{ClientID: "terra:form", Grant: "client_credentials", Secure: true, Granted: true},
		{ClientID: "terra:form", Scope: "read write", Grant: "client_credentials", Basic: true},
		{ClientID: "terra:form", Grant: "password", Basic: true},
		{ClientID: "terra:form", Scope: "read write", Grant: "client_credentials", Basic: true},
	}
	for i, r := range s.Requests() {
		if i >= len(want) || r != want[i] {
			t.Errorf("request %d is recorded as %+v", i, r)
		}
	}
	if got := len(s.Requests()); got != len(want) {
		t.Errorf("%d requests are recorded, want %d", got, len(want))
	}
}

// verify checks a token with the keys that the server publishes.
func verify(t *testing.T, s *oauth.Server, token string) jwt.Claims {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.JWKSURL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var keys jose.JSONWebKeySet
	if err := json.NewDecoder(response.Body).Decode(&keys); err != nil {
		t.Fatal(err)
	}
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	var claims jwt.Claims
	if err := parsed.Claims(keys, &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}
