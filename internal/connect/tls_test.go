// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
)

// passphrase is the one of the encrypted keys in testdata, all of which OpenSSL 3.0 wrote.
const passphrase = "canary-passphrase"

func fixture(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".pem"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// C-113: keys of every form that people have, encrypted or not, as text and as a path.
func TestClientKeys(t *testing.T) {
	for key, opens := range map[string]string{
		"ec-sec1": "", "ec-pkcs8": "", "ec-pkcs8-pbkdf2": passphrase, "ec-pkcs8-scrypt": passphrase, "ec-pkcs8-des3": passphrase,
		"ec-legacy": passphrase, "rsa-pkcs1": "", "rsa-legacy": passphrase, "rsa-pkcs8": passphrase,
	} {
		t.Run(key, func(t *testing.T) {
			kind, _, _ := strings.Cut(key, "-")
			for _, settings := range []TLS{
				{ClientCertificate: fixture(t, kind+"-certificate"), ClientKey: fixture(t, key), ClientKeyPassphrase: opens},
				{ClientCertificate: "testdata/" + kind + "-certificate.pem", ClientKey: "testdata/" + key + ".pem", ClientKeyPassphrase: opens},
			} {
				config, err := settings.Config()
				if err != nil {
					t.Fatal(err)
				}
				if got := config.Certificates[0].Leaf.Subject.CommonName; got != kind+"-client" {
					t.Errorf("The certificate is %s's", got)
				}
			}
		})
	}
}

// C-113: what cannot be used is an error at its attribute that says why, and shows nothing of a secret.
func TestUnusableTLS(t *testing.T) {
	certificate := fixture(t, "ec-certificate")
	body := strings.Join(strings.Split(fixture(t, "ec-pkcs8"), "\n")[1:3], "")
	for name, c := range map[string]struct {
		settings      TLS
		setting, want string
	}{
		"no file":              {TLS{CACertificate: "no/such/file.pem"}, "ca_certificate", "it is neither PEM text nor the path of a file that can be read: no such file or directory"},
		"no PEM":               {TLS{CACertificate: "tls.go"}, "ca_certificate", "there is no PEM block in it"},
		"PEM in one line":      {TLS{CACertificate: strings.ReplaceAll(certificate, "\n", `\n`)}, "ca_certificate", `there is no PEM block in it: its lines end with the two characters \n`},
		"indented PEM":         {TLS{CACertificate: "  " + strings.ReplaceAll(certificate, "\n", "\n  ")}, "ca_certificate", "there is no PEM block in it: its lines are indented"},
		"DER":                  {TLS{CACertificate: der(t, certificate)}, "ca_certificate", "there is no PEM block in it: it is a certificate in binary DER"},
		"a key as authority":   {TLS{CACertificate: fixture(t, "ec-pkcs8")}, "ca_certificate", "there is no certificate in it"},
		"a broken authority":   {TLS{CACertificate: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}, "ca_certificate", "certificate 1 in it cannot be read: "},
		"no key":               {TLS{ClientCertificate: certificate}, "client_key", "it is missing"},
		"no certificate":       {TLS{ClientKey: fixture(t, "ec-pkcs8")}, "client_certificate", "it is missing"},
		"key as certificate":   {TLS{ClientKey: fixture(t, "ec-pkcs8"), ClientCertificate: fixture(t, "ec-pkcs8")}, "client_certificate", "there is no certificate in it"},
		"certificate as key":   {TLS{ClientKey: certificate, ClientCertificate: certificate}, "client_key", "there is no key in it; a key is read as PEM in PKCS #8"},
		"another's key":        {TLS{ClientKey: fixture(t, "rsa-pkcs1"), ClientCertificate: certificate}, "client_certificate", "it cannot be used with client_key"},
		"a key without frame":  {TLS{ClientKey: body, ClientCertificate: certificate}, "client_key", "it is neither PEM text nor the path"},
		"a broken key":         {TLS{ClientKey: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", ClientCertificate: certificate}, "client_key", "it cannot be read: "},
		"no passphrase":        {TLS{ClientKey: fixture(t, "ec-pkcs8-scrypt"), ClientCertificate: certificate}, "client_key_passphrase", "client_key is encrypted"},
		"no passphrase, PEM":   {TLS{ClientKey: fixture(t, "ec-legacy"), ClientCertificate: certificate}, "client_key_passphrase", "client_key is encrypted"},
		"wrong passphrase":     {TLS{ClientKey: fixture(t, "ec-pkcs8-pbkdf2"), ClientKeyPassphrase: "canary-wrong", ClientCertificate: certificate}, "client_key", "it cannot be decrypted with client_key_passphrase: "},
		"blank passphrase":     {TLS{ClientKey: fixture(t, "ec-pkcs8-pbkdf2"), ClientKeyPassphrase: passphrase + "\n", ClientCertificate: certificate}, "client_key", "client_key_passphrase, which begins or ends with white space: "},
		"wrong one for PEM":    {TLS{ClientKey: fixture(t, "rsa-legacy"), ClientKeyPassphrase: "canary-wrong", ClientCertificate: certificate}, "client_key", "it cannot be decrypted with client_key_passphrase: "},
		"an encryption of old": {TLS{ClientKey: fixture(t, "ec-pkcs8-pbes1"), ClientKeyPassphrase: passphrase, ClientCertificate: certificate}, "client_key", "encrypted in PKCS #8 (PBES2)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.settings.Config()
			var failed *SettingError
			if !errors.As(err, &failed) || failed.Setting != c.setting || !strings.Contains(failed.Err.Error(), c.want) {
				t.Fatalf("got %v, want %s: %s", err, c.setting, c.want)
			}
			for _, secret := range []string{passphrase, "canary-wrong", body[:20]} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("%v shows %s", err, secret)
				}
			}
		})
	}
}

// der writes a certificate into a file in DER.
func der(t *testing.T, certificate string) string {
	t.Helper()
	block, _ := pem.Decode([]byte(certificate))
	path := filepath.Join(t.TempDir(), "ca.der")
	if err := os.WriteFile(path, block.Bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Files are read anew by each call: the next run has the certificate that was renewed meanwhile.
func TestFilesAreReadEachTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ca.pem")
	settings := TLS{CACertificate: path}
	for _, name := range []string{"first", "second"} {
		authority, err := certs.NewAuthority(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, authority.PEM(), 0o600); err != nil {
			t.Fatal(err)
		}
		config, err := settings.Config()
		if err != nil {
			t.Fatal(err)
		}
		if !config.RootCAs.Equal(authority.Pool()) {
			t.Errorf("The %s authority is not the only trusted one", name)
		}
		roots, err := settings.Roots()
		if err != nil {
			t.Fatal(err)
		}
		server, err := authority.Issue(certs.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := server.Certificate.Verify(x509.VerifyOptions{Roots: roots}); err != nil {
			t.Errorf("The %s authority is not among those for other servers: %v", name, err)
		}
	}
}
