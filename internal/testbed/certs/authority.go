// SPDX-License-Identifier: MPL-2.0

package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

const (
	// backdate has clocks that differ a little agree that a certificate is valid.
	backdate = time.Hour
	validity = 24 * time.Hour
)

// Authority signs certificates. Its own is self-signed.
type Authority struct {
	Certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// NewAuthority makes an authority with a common name, valid for a day.
func NewAuthority(name string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := template(name, time.Time{}, time.Time{})
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	certificate, err := sign(template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	return &Authority{Certificate: certificate, key: key}, nil
}

// PEM is the authority's certificate as text.
func (a *Authority) PEM() []byte { return encodeCertificate(a.Certificate) }

// Pool has the authority as the only one that a client trusts.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.Certificate)
	return pool
}

// Request says what is special of a certificate. The zero value is a server's on this machine: for 127.0.0.1, ::1 and localhost,
// valid for a day.
type Request struct {
	// CommonName is the subject; "localhost" by default. Kafka refuses a key store in place of another unless subject and names agree.
	CommonName string
	// Names are the host names and IP addresses that the certificate is for, instead of this machine's.
	Names []string
	// NotBefore and NotAfter are when the certificate is valid, in order to be expired or not valid yet.
	NotBefore, NotAfter time.Time
	// Client makes it a client's certificate, which names no host.
	Client bool
}

// Issue signs a certificate for a new key.
func (a *Authority) Issue(r Request) (*Identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if r.CommonName == "" {
		r.CommonName = "localhost"
	}
	template := template(r.CommonName, r.NotBefore, r.NotAfter)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	switch {
	case r.Client:
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	case r.Names == nil:
		r.Names = []string{"127.0.0.1", "::1", "localhost"}
		fallthrough
	default:
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
		addNames(template, r.Names)
	}
	certificate, err := sign(template, a.Certificate, &key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	return &Identity{Certificate: certificate, issuer: a.Certificate, key: key}, nil
}

func addNames(template *x509.Certificate, names []string) {
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
}

// template has what all certificates have. A zero time is now, give or take.
func template(name string, notBefore, notAfter time.Time) *x509.Certificate {
	if notBefore.IsZero() {
		notBefore = time.Now().Add(-backdate)
	}
	if notAfter.IsZero() {
		notAfter = time.Now().Add(validity)
	}
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(randomBytes(16)),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    notBefore,
		NotAfter:     notAfter,
	}
}

func sign(template, parent *x509.Certificate, public *ecdsa.PublicKey, key *ecdsa.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

func randomBytes(n int) []byte {
	bytes := make([]byte, n)
	_, _ = rand.Read(bytes) // never fails (crypto/rand)
	bytes[0] &= 0x7f        // a serial number is positive and has 20 bytes at most
	return bytes
}

func encodeCertificate(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}
