// SPDX-License-Identifier: MPL-2.0

package certs

import (
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
)

// Identity is a certificate with its key: a server's or a client's.
type Identity struct {
	Certificate *x509.Certificate
	issuer      *x509.Certificate
	key         *ecdsa.PrivateKey
}

// Serial is the certificate's serial number in hexadecimal, which tells it from others of the same subject.
func (i *Identity) Serial() string { return i.Certificate.SerialNumber.Text(16) }

// CertificatePEM is the certificate and its authority's as text.
func (i *Identity) CertificatePEM() []byte {
	return append(encodeCertificate(i.Certificate), encodeCertificate(i.issuer)...)
}

// KeyPEM is the key as text, in PKCS #8 without a passphrase.
func (i *Identity) KeyPEM() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(i.key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}

// TLS is the identity as Go's clients and servers take it.
func (i *Identity) TLS() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{i.Certificate.Raw, i.issuer.Raw}, PrivateKey: i.key, Leaf: i.Certificate}
}
