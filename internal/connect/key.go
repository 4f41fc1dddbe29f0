// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/youmark/pkcs8"
)

// keyFormats are what people are told when theirs is another.
const keyFormats = "a key is read as PEM in PKCS #8, PKCS #1 or SEC 1, and encrypted in PKCS #8 (PBES2) or in PEM's own way"

// privateKey finds the key among the blocks and decrypts it if that is needed.
func privateKey(blocks []*pem.Block, passphrase string) (crypto.PrivateKey, error) {
	for _, block := range blocks {
		switch block.Type {
		case "ENCRYPTED PRIVATE KEY", "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
			return decode(block, passphrase)
		}
	}
	return nil, &SettingError{"client_key", fmt.Errorf("there is no key in it; %s", keyFormats)}
}

func decode(block *pem.Block, passphrase string) (crypto.PrivateKey, error) {
	// Java's tools and OpenSSL before 1.0 write RFC 1421's encryption, which Go reads and otherwise advises against.
	legacy := x509.IsEncryptedPEMBlock(block) //nolint:staticcheck // as above
	if (legacy || block.Type == "ENCRYPTED PRIVATE KEY") && passphrase == "" {
		return nil, &SettingError{"client_key_passphrase", errors.New("client_key is encrypted, and there is no passphrase to open it with")}
	}
	der := block.Bytes
	if legacy {
		var err error
		if der, err = x509.DecryptPEMBlock(block, []byte(passphrase)); err != nil { //nolint:staticcheck // as above
			return nil, unreadable(err, passphrase)
		}
	}
	if block.Type == "ENCRYPTED PRIVATE KEY" {
		key, err := pkcs8.ParsePKCS8PrivateKey(der, []byte(passphrase))
		if err != nil {
			return nil, unreadable(err, passphrase)
		}
		return key, nil
	}
	key, err := parse(block.Type, der)
	if err != nil && legacy {
		return nil, unreadable(err, passphrase)
	}
	if err != nil {
		return nil, &SettingError{"client_key", fmt.Errorf("it cannot be read: %w; %s", err, keyFormats)}
	}
	return key, nil
}

func parse(kind string, der []byte) (crypto.PrivateKey, error) {
	switch kind {
	case "RSA PRIVATE KEY":
		return x509.ParsePKCS1PrivateKey(der)
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(der)
	default:
		return x509.ParsePKCS8PrivateKey(der)
	}
}

// unreadable blames the passphrase: a wrong one and a broken key look the same.
func unreadable(err error, passphrase string) error {
	return &SettingError{"client_key", fmt.Errorf("it cannot be decrypted with client_key_passphrase%s: %w; %s", blanks(passphrase), err, keyFormats)}
}

// blanks tells of white space around a secret, which comes with files and shells and is hard to see.
func blanks(secret string) string {
	if strings.TrimSpace(secret) == secret {
		return ""
	}
	return ", which begins or ends with white space"
}
