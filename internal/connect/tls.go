// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// TLS are the settings of TLS. Certificates and keys are PEM texts or the paths of files that hold them; empty is not set.
type TLS struct {
	// CACertificate are the authorities to trust instead of the system's.
	CACertificate string
	// ClientCertificate and ClientKey are what the client shows of itself, both or none.
	ClientCertificate, ClientKey string
	// ClientKeyPassphrase opens a key that is encrypted.
	ClientKeyPassphrase string
	// ServerName is the name that certificates of brokers must be for, instead of the host that is connected to.
	ServerName         string
	InsecureSkipVerify bool
}

// Config reads the files and gives the configuration that connections to brokers share. Errors are *SettingError.
func (s TLS) Config() (*tls.Config, error) {
	config := &tls.Config{
		MinVersion: tls.VersionTLS12,
		ServerName: s.ServerName,
		// The user's own decision, which the documentation warns of.
		InsecureSkipVerify: s.InsecureSkipVerify, //nolint:gosec // as above
	}
	authorities, err := s.authorities()
	if err != nil {
		return nil, err
	}
	if len(authorities) > 0 {
		config.RootCAs = pool(x509.NewCertPool(), authorities)
	}
	switch {
	case s.ClientCertificate == "" && s.ClientKey == "":
		return config, nil
	case s.ClientKey == "":
		return nil, &SettingError{"client_key", errors.New("it is missing, and client_certificate is of no use without it")}
	case s.ClientCertificate == "":
		return nil, &SettingError{"client_certificate", errors.New("it is missing, and client_key is of no use without it")}
	}
	certificate, err := s.clientCertificate()
	if err != nil {
		return nil, err
	}
	config.Certificates = []tls.Certificate{certificate}
	return config, nil
}

// Roots are the authorities that other servers are judged by: the system's, and CACertificate's beside them.
func (s TLS) Roots() (*x509.CertPool, error) {
	authorities, err := s.authorities()
	if err != nil {
		return nil, err
	}
	system, err := x509.SystemCertPool()
	if err != nil {
		system = x509.NewCertPool()
	}
	return pool(system, authorities), nil
}

func pool(p *x509.CertPool, authorities []*x509.Certificate) *x509.CertPool {
	for _, a := range authorities {
		p.AddCert(a)
	}
	return p
}

func (s TLS) authorities() ([]*x509.Certificate, error) {
	if s.CACertificate == "" {
		return nil, nil
	}
	blocks, err := pemOf("ca_certificate", s.CACertificate)
	if err != nil {
		return nil, err
	}
	var authorities []*x509.Certificate
	for _, block := range blocks {
		if block.Type != "CERTIFICATE" {
			continue
		}
		authority, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, &SettingError{"ca_certificate", fmt.Errorf("certificate %d in it cannot be read: %w", len(authorities)+1, err)}
		}
		authorities = append(authorities, authority)
	}
	if len(authorities) == 0 {
		return nil, &SettingError{"ca_certificate", errors.New("there is no certificate in it")}
	}
	return authorities, nil
}

func (s TLS) clientCertificate() (tls.Certificate, error) {
	certificates, err := pemOf("client_certificate", s.ClientCertificate)
	if err != nil {
		return tls.Certificate{}, err
	}
	keys, err := pemOf("client_key", s.ClientKey)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := privateKey(keys, s.ClientKeyPassphrase)
	if err != nil {
		return tls.Certificate{}, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return tls.Certificate{}, &SettingError{"client_key", err}
	}
	var chain []byte
	for _, block := range certificates {
		if block.Type == "CERTIFICATE" {
			chain = append(chain, pem.EncodeToMemory(block)...)
		}
	}
	if len(chain) == 0 {
		return tls.Certificate{}, &SettingError{"client_certificate", errors.New("there is no certificate in it")}
	}
	pair, err := tls.X509KeyPair(chain, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	if err != nil {
		return tls.Certificate{}, &SettingError{"client_certificate", fmt.Errorf("it cannot be used with client_key: %w", err)}
	}
	return pair, nil
}

// pemOf gives the blocks of a text or of the file that it names.
func pemOf(setting, value string) ([]*pem.Block, error) {
	content := []byte(value)
	if !strings.Contains(value, "-----BEGIN ") {
		var err error
		if content, err = os.ReadFile(value); err != nil {
			// What is no path may be a key whose frame is missing: not a character of it goes into the message.
			var failed *fs.PathError
			if errors.As(err, &failed) {
				err = failed.Err
			}
			return nil, &SettingError{setting, fmt.Errorf("it is neither PEM text nor the path of a file that can be read: %w", err)}
		}
	}
	var blocks []*pem.Block
	all := content
	for {
		var block *pem.Block
		if block, content = pem.Decode(content); block == nil {
			break
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		return nil, &SettingError{setting, errors.New("there is no PEM block in it" + whyNoPEM(all))}
	}
	return blocks, nil
}

// whyNoPEM says what often becomes of PEM on its way, as the end of a sentence; empty where nothing is known.
func whyNoPEM(content []byte) string {
	_, err := x509.ParseCertificate(content)
	switch {
	case err == nil:
		return ": it is a certificate in binary DER, which openssl x509 -inform der turns into PEM"
	case bytes.Contains(content, []byte(`-----\n`)):
		return `: its lines end with the two characters \n in place of line breaks`
	case indented.Match(content):
		return ": its lines are indented, as of a heredoc that begins with << and not with <<-"
	}
	return ""
}

var indented = regexp.MustCompile(`(?m)^[ \t]+-----BEGIN `)
