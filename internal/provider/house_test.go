// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"bytes"
	"encoding/pem"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
	"github.com/youmark/pkcs8"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/doors"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
)

const passphrase = "canary-passphrase"

// traced is a log at the level TRACE, of all that tests of a cluster do.
type traced struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write takes a line.
func (l *traced) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *traced) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// house is the cluster of a test with what tests of it share.
type house struct {
	*doors.Doors
	log traced
	// secrets are what the log must not have.
	secrets []string
}

// searchLog is acceptance line 3. What is written of each request shows that there is something to search.
func (h *house) searchLog(t *testing.T) {
	log := h.log.String()
	for _, shown := range []string{`"@message":"Kafka request"`, `"@message":"Kafka client library"`, "IncrementalAlterConfigs", h.Servers(t, doors.SecureSASL)[0]} {
		if !strings.Contains(log, shown) {
			t.Errorf("the log does not have %s", shown)
		}
	}
	for _, secret := range h.secrets {
		if at := strings.Index(log, secret); at >= 0 {
			t.Errorf("the log shows %s: …%s…", secret, log[max(0, at-300):min(len(log), at+100)])
		}
	}
}

// terraform has a provider block, whose log is kept.
func (h *house) terraform(t *testing.T, block values) *acctest.Terraform {
	tf := acctest.New(t, block)
	tf.Context = tflogtest.RootLogger(t.Context(), &h.log)
	return tf
}

// works plans, applies, and plans again.
func (h *house) works(t *testing.T, block values) {
	t.Helper()
	config := values{"topic": h.UniqueTopic(t, 1, 3), "config": map[string]string{"max.message.bytes": "2000000"}}
	tf := h.terraform(t, block)
	r := tf.Resource("kafka_topic_config")
	tf.Apply(r, config).None(t)
	tf.Empty(r, config)
}

// encryptedKey is the client's key in PKCS #8, encrypted.
func (h *house) encryptedKey(t *testing.T) string {
	t.Helper()
	der, err := pkcs8.MarshalPrivateKey(h.Client.TLS().PrivateKey, []byte(passphrase), nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: der}))
}

func (h *house) token(t *testing.T, c oauth.Claims) string {
	t.Helper()
	c.Subject = doors.ClientID
	token, err := h.Tokens.Issue(c)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// grant is the client credentials grant over https.
func (h *house) grant() values {
	return values{"token_url": h.Tokens.SecureTokenURL(), "client_id": doors.ClientID, "client_secret": doors.ClientSecret, "scopes": []string{"kafka"}}
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
