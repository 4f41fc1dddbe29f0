// SPDX-License-Identifier: MPL-2.0

package oauth

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
)

// clientCredentials is the one grant that the server knows.
const clientCredentials = "client_credentials"

// Claims are those of a token that a test makes itself. What is empty is as the token endpoint has it.
type Claims struct {
	Subject  string
	Issuer   string
	Audience string
	Scope    string
	Lifetime time.Duration // a negative one makes a token that has expired
	// NotBefore is when the token begins to be valid; it is left out of the token if it is zero.
	NotBefore time.Time
}

// Issue signs a token that nobody asked the endpoint for.
func (s *Server) Issue(c Claims) (string, error) {
	if c.Issuer == "" {
		c.Issuer = s.Issuer()
	}
	if c.Audience == "" {
		c.Audience = s.Audience()
	}
	if c.Lifetime == 0 {
		c.Lifetime = s.currentLifetime()
	}
	now := time.Now()
	issued := now
	if c.Lifetime < 0 {
		issued = now.Add(c.Lifetime - time.Hour)
	}
	registered := jwt.Claims{
		Issuer: c.Issuer, Subject: c.Subject, Audience: jwt.Audience{c.Audience},
		IssuedAt: jwt.NewNumericDate(issued), Expiry: jwt.NewNumericDate(now.Add(c.Lifetime)),
	}
	if !c.NotBefore.IsZero() {
		registered.NotBefore = jwt.NewNumericDate(c.NotBefore)
	}
	private := map[string]any{}
	if c.Scope != "" {
		private["scope"] = c.Scope
	}
	return jwt.Signed(s.signer).Claims(registered).Claims(private).Serialize()
}

func (s *Server) currentLifetime() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lifetime
}

func (s *Server) serveKeys(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, s.keys) }

// serveToken is the token endpoint.
func (s *Server) serveToken(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := credentials(r)
	request := Request{ClientID: id, Scope: r.PostFormValue("scope"), Grant: r.PostFormValue("grant_type"), Basic: basic, Secure: r.TLS != nil}
	refusal := s.judge(request, secret)
	request.Granted = refusal == nil
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	if refusal != nil {
		refuse(w, *refusal)
		return
	}
	lifetime := s.currentLifetime()
	token, err := s.Issue(Claims{Subject: id, Scope: request.Scope, Lifetime: lifetime})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	answer(w, http.StatusOK, map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": int(lifetime.Seconds()), "scope": request.Scope})
}

// judge decides whether a client gets a token, nil if it does.
func (s *Server) judge(r Request, secret string) *Refusal {
	s.mu.Lock()
	defer s.mu.Unlock()
	want, known := s.options.Clients[r.ClientID]
	switch {
	case s.refusal != nil:
		return s.refusal
	case !known || subtle.ConstantTimeCompare([]byte(want), []byte(secret)) != 1:
		return &Refusal{Status: http.StatusUnauthorized, Error: "invalid_client", Description: "Client authentication failed."}
	case r.Grant != clientCredentials:
		return &Refusal{Error: "unsupported_grant_type", Description: "Only client_credentials is offered."}
	}
	return nil
}

// credentials are the client's, from the Authorization header, where they are form-encoded, or from the form (RFC 6749, section 2.3.1).
func credentials(r *http.Request) (id, secret string, basic bool) {
	user, password, ok := r.BasicAuth()
	if !ok {
		return r.PostFormValue("client_id"), r.PostFormValue("client_secret"), false
	}
	id, idErr := url.QueryUnescape(user)
	secret, secretErr := url.QueryUnescape(password)
	if idErr != nil || secretErr != nil {
		return "", "", true
	}
	return id, secret, true
}

func refuse(w http.ResponseWriter, r Refusal) {
	if r.Status == 0 {
		r.Status = http.StatusBadRequest
	}
	if r.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="tokens"`)
	}
	answer(w, r.Status, map[string]string{"error": r.Error, "error_description": r.Description})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client has gone
}
