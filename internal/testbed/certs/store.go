// SPDX-License-Identifier: MPL-2.0

package certs

import (
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"

	"software.sslmate.com/src/go-pkcs12"
)

// Store is a file that a broker reads, a PKCS #12 key store or trust store.
type Store struct {
	Path     string
	Password string
}

// WriteKeyStore writes an identity to a key store, in place of what is there.
func (s Store) WriteKeyStore(i *Identity) error {
	content, err := pkcs12.Modern2023.Encode(i.key, i.Certificate, []*x509.Certificate{i.issuer}, s.Password)
	if err != nil {
		return fmt.Errorf("key store %s: %w", s.Path, err)
	}
	return writeFile(s.Path, content)
}

// WriteTrustStore writes authorities to a trust store, in place of what is there.
func (s Store) WriteTrustStore(authorities ...*Authority) error {
	trusted := make([]*x509.Certificate, 0, len(authorities))
	for _, a := range authorities {
		trusted = append(trusted, a.Certificate)
	}
	content, err := pkcs12.Modern2023.EncodeTrustStore(trusted, s.Password)
	if err != nil {
		return fmt.Errorf("trust store %s: %w", s.Path, err)
	}
	return writeFile(s.Path, content)
}

// KeyStoreProperties are the server properties with which a listener uses the file as its key store, without the listener's prefix.
func (s Store) KeyStoreProperties() map[string]string {
	return map[string]string{"ssl.keystore.type": "PKCS12", "ssl.keystore.location": s.Path, "ssl.keystore.password": s.Password}
}

// TrustStoreProperties are those with which a listener uses the file as its trust store.
func (s Store) TrustStoreProperties() map[string]string {
	return map[string]string{"ssl.truststore.type": "PKCS12", "ssl.truststore.location": s.Path, "ssl.truststore.password": s.Password}
}

// WritePEM writes an identity as Kafka's PEM key stores have it, in place of what is there: key, certificate and authority in one
// file, without a password (ssl.keystore.type=PEM; KIP-651, Kafka 2.7).
func (i *Identity) WritePEM(path string) error {
	key, err := i.KeyPEM()
	if err != nil {
		return err
	}
	return writeFile(path, append(key, i.CertificatePEM()...))
}

// writeFile replaces a file at once, so that a broker which reads it finds the former content or the new, never half of it.
func writeFile(path string, content []byte) error {
	next, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(next.Name()) }() // gone by then if all went well
	if _, err := next.Write(content); err != nil {
		_ = next.Close()
		return err
	}
	if err := next.Close(); err != nil {
		return err
	}
	return os.Rename(next.Name(), path)
}
