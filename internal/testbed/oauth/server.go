// SPDX-License-Identifier: MPL-2.0

package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	tokenPath = "/token"
	jwksPath  = "/jwks"
	// DefaultLifetime is how long tokens live unless [Server.SetLifetime] said otherwise.
	DefaultLifetime = time.Hour
	// DefaultAudience is whom tokens are for unless the options name somebody else.
	DefaultAudience = "kafka"
)

// Options say which server to start.
type Options struct {
	// Clients are the secrets of the clients by their ids. The id becomes the claim "sub" of a client's tokens.
	Clients map[string]string
	// Audience is the claim "aud" of tokens, [DefaultAudience] if it is empty.
	Audience string
	// TLS is a certificate for 127.0.0.1, with which the token endpoint is offered over https too; none is http alone.
	TLS *tls.Certificate
}

// Server is a running authorization server. Its methods may be called from several goroutines.
type Server struct {
	options Options
	signer  jose.Signer
	keys    jose.JSONWebKeySet
	plain   *httptest.Server
	secure  *httptest.Server // nil without a certificate

	mu       sync.Mutex
	lifetime time.Duration
	refusal  *Refusal
	requests []Request
}

// Request is what a client asked the token endpoint for.
type Request struct {
	ClientID string
	Scope    string // the scopes, separated by spaces
	Grant    string
	Basic    bool // whether the client told its secret by the Authorization header, else in the form
	Secure   bool // whether it came over https
	Granted  bool
}

// Refusal is the answer of an authorization server that gives no token (RFC 6749, section 5.2).
type Refusal struct {
	Status      int // 400 if it is 0
	Error       string
	Description string
}

// Start starts a server on loopback, which runs until [Server.Close].
func Start(o Options) (*Server, error) {
	if o.Audience == "" {
		o.Audience = DefaultAudience
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	jwk := jose.JSONWebKey{Key: key, KeyID: "test-key", Algorithm: string(jose.ES256), Use: "sig"}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jwk}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return nil, fmt.Errorf("sign tokens: %w", err)
	}
	s := &Server{options: o, signer: signer, keys: jose.JSONWebKeySet{Keys: []jose.JSONWebKey{jwk.Public()}}, lifetime: DefaultLifetime}
	handler := http.NewServeMux()
	handler.HandleFunc("GET "+jwksPath, s.serveKeys)
	handler.HandleFunc("POST "+tokenPath, s.serveToken)
	s.plain = httptest.NewServer(handler)
	if o.TLS != nil {
		s.secure = httptest.NewUnstartedServer(handler)
		s.secure.TLS = &tls.Config{Certificates: []tls.Certificate{*o.TLS}, MinVersion: tls.VersionTLS12}
		s.secure.StartTLS()
	}
	return s, nil
}

// Close ends the server.
func (s *Server) Close() {
	s.plain.Close()
	if s.secure != nil {
		s.secure.Close()
	}
}

// TokenURL is the token endpoint over http.
func (s *Server) TokenURL() string { return s.plain.URL + tokenPath }

// SecureTokenURL is the token endpoint over https, empty without a certificate.
func (s *Server) SecureTokenURL() string {
	if s.secure == nil {
		return ""
	}
	return s.secure.URL + tokenPath
}

// JWKSURL is where the public keys are (RFC 7517).
func (s *Server) JWKSURL() string { return s.plain.URL + jwksPath }

// Issuer is the claim "iss" of tokens.
func (s *Server) Issuer() string { return s.plain.URL }

// Audience is the claim "aud" of tokens.
func (s *Server) Audience() string { return s.options.Audience }

// SetLifetime is how long tokens live from now on, in whole seconds.
func (s *Server) SetLifetime(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lifetime = d
}

// Refuse has the token endpoint answer so from now on; nil ends it.
func (s *Server) Refuse(r *Refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = r
}

// Requests are the requests of the token endpoint so far, in their order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}
