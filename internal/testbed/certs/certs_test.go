// SPDX-License-Identifier: MPL-2.0

package certs

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

func authority(t *testing.T, name string) *Authority {
	t.Helper()
	a, err := NewAuthority(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func issue(t *testing.T, a *Authority, r Request) *Identity {
	t.Helper()
	i, err := a.Issue(r)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// serve runs a TLS server with an identity until the test ends.
func serve(t *testing.T, config *tls.Config) string {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.(*tls.Conn).Handshake()
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-done
	})
	return listener.Addr().String()
}

// Each way in which a certificate can be wrong is refused for the reason that it was made with.
func TestACertificateIsRightOrWrongInOneWay(t *testing.T) {
	ours, others := authority(t, "ours"), authority(t, "others")
	past := time.Now().Add(-time.Minute)
	for name, c := range map[string]struct {
		issuer  *Authority
		request Request
		wrong   func(error) bool
	}{
		"right": {ours, Request{}, nil},
		"expired": {ours, Request{NotAfter: past}, func(err error) bool {
			var invalid x509.CertificateInvalidError
			return errors.As(err, &invalid) && invalid.Reason == x509.Expired
		}},
		"not valid yet": {ours, Request{NotBefore: time.Now().Add(time.Hour)}, func(err error) bool {
			var invalid x509.CertificateInvalidError
			return errors.As(err, &invalid) && invalid.Reason == x509.Expired
		}},
		"wrong name": {ours, Request{Names: []string{"kafka.example.com"}}, func(err error) bool {
			var wrong x509.HostnameError
			return errors.As(err, &wrong)
		}},
		"unknown authority": {others, Request{}, func(err error) bool {
			var unknown x509.UnknownAuthorityError
			return errors.As(err, &unknown)
		}},
		"a client's": {ours, Request{Client: true, CommonName: "alice"}, func(err error) bool { return err != nil }},
	} {
		t.Run(name, func(t *testing.T) {
			identity := issue(t, c.issuer, c.request)
			address := serve(t, &tls.Config{Certificates: []tls.Certificate{identity.TLS()}, MinVersion: tls.VersionTLS12})
			served, err := Served(t.Context(), address, ours.Pool(), nil)
			switch {
			case c.wrong != nil:
				if err == nil || !c.wrong(err) {
					t.Errorf("got %v", err)
				}
			case err != nil:
				t.Error(err)
			case !served.Equal(identity.Certificate):
				t.Errorf("it served %s, want %s", served.SerialNumber.Text(16), identity.Serial())
			}
		})
	}
}

func TestServedShowsAClientsIdentity(t *testing.T) {
	a := authority(t, "both")
	server, client := issue(t, a, Request{}), issue(t, a, Request{Client: true, CommonName: "alice"})
	seen := make(chan string, 1)
	address := serve(t, &tls.Config{
		Certificates: []tls.Certificate{server.TLS()}, MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12,
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: a.Pool(),
		VerifyConnection: func(state tls.ConnectionState) error {
			seen <- state.PeerCertificates[0].Subject.CommonName
			return nil
		},
	})
	if _, err := Served(t.Context(), address, a.Pool(), client); err != nil {
		t.Fatal(err)
	}
	if name := <-seen; name != "alice" {
		t.Errorf("the server saw %q", name)
	}
	if _, err := Served(t.Context(), address, a.Pool(), nil); err == nil {
		t.Error("a server that wants a client's certificate took none")
	}
}

func TestServedNamesTheAddress(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Served(t.Context(), address, authority(t, "a").Pool(), nil); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("got %v, want the address in it", err)
	}
}

func TestStoresAreReadWithTheirPasswordAndReplacedInPlace(t *testing.T) {
	a := authority(t, "a")
	first, second := issue(t, a, Request{}), issue(t, a, Request{})
	if first.Serial() == second.Serial() || first.Certificate.Subject.String() != second.Certificate.Subject.String() {
		t.Fatal("two identities must differ in nothing but their serial number and key")
	}
	store := Store{Path: filepath.Join(t.TempDir(), "server.p12"), Password: "first-secret"}
	for _, identity := range []*Identity{first, second} {
		if err := store.WriteKeyStore(identity); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(store.Path)
		if err != nil {
			t.Fatal(err)
		}
		_, certificate, chain, err := pkcs12.DecodeChain(content, store.Password)
		if err != nil || !certificate.Equal(identity.Certificate) || len(chain) != 1 || !chain[0].Equal(a.Certificate) {
			t.Errorf("the store holds %v %v: %v", certificate, chain, err)
		}
		if _, _, _, err := pkcs12.DecodeChain(content, "another"); !errors.Is(err, pkcs12.ErrIncorrectPassword) {
			t.Errorf("another password: %v", err)
		}
	}
	trust := Store{Path: filepath.Join(filepath.Dir(store.Path), "trust.p12"), Password: "third-secret"}
	if err := trust.WriteTrustStore(a); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(trust.Path)
	if err != nil {
		t.Fatal(err)
	}
	if trusted, err := pkcs12.DecodeTrustStore(content, trust.Password); err != nil || len(trusted) != 1 || !trusted[0].Equal(a.Certificate) {
		t.Errorf("the trust store holds %v: %v", trusted, err)
	}
	if left, _ := filepath.Glob(store.Path + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestPEMIsAKeyPair(t *testing.T) {
	a := authority(t, "a")
	identity := issue(t, a, Request{})
	path := filepath.Join(t.TempDir(), "server.pem")
	if err := identity.WritePEM(path); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(path, path)
	if err != nil {
		t.Fatal(err)
	}
	if !pair.Leaf.Equal(identity.Certificate) || len(pair.Certificate) != 2 {
		t.Errorf("the file holds %d certificates, the first of %s", len(pair.Certificate), pair.Leaf.Subject)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(a.PEM()) {
		t.Error("the authority's text is no certificate")
	}
}
