// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

// C-107: what is found at a port instead of TLS.
func TestTLSErrorsSayWhatWasFound(t *testing.T) {
	for name, tt := range map[string]struct {
		serve func(net.Conn)
		want  string
	}{
		"silent": {readAll, "the TLS handshake was not answered within 1s"},
		"closes": {func(net.Conn) {}, "the connection was closed during the TLS handshake"},
		"HTTP": {func(c net.Conn) {
			_, _ = c.Read(make([]byte, 1))
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
			readAll(c)
		}, "what answers there does not speak TLS, and the provider's tls is on"},
		"no certificate": {func(c net.Conn) {
			own := selfSigned(t)
			own.Certificate = [][]byte{[]byte("garbage")}
			_ = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{own}}).Handshake()
		}, "the TLS handshake failed: failed to parse certificate from server: x509: malformed certificate"},
		"no host's name": {func(c net.Conn) {
			_ = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{selfSignedFor(t, nil, nil)}}).Handshake()
		}, "the certificate is for no host, as it has no subjectAltName: have one issued that has; " +
			"it is the certificate of CN=kafka-1.example, issued by CN=kafka-1.example"},
		"alert": {func(c net.Conn) {
			server := tls.Server(c, &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{selfSigned(t)}})
			_ = server.Handshake()
		}, "the TLS handshake failed: TLS alert protocol version not supported"},
	} {
		t.Run(name, func(t *testing.T) {
			address := serve(t, nil, tt.serve)
			client := newTestClient(t, Options{BootstrapServers: []string{address}, RequestTimeout: time.Second, TLS: &tls.Config{MaxVersion: tls.VersionTLS12}})
			_, err := client.Cluster(testContext(t))
			if want := "cannot connect to the Kafka cluster: " + address + ": " + tt.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			if got := Blamed(err); got != blameTLS {
				t.Errorf("it blames %q", got)
			}
		})
	}
}

func TestMechanismsOf(t *testing.T) {
	head := []byte("KAFK\x00\x21\x00\x00\x00\x02")
	for name, tt := range map[string]struct {
		answer string
		want   []string
	}{
		"two":        {string(head) + "\x00\x05PLAIN\x00\x06GSSAPI", []string{"GSSAPI", "PLAIN"}},
		"cut off":    {string(head) + "\x00\x05PLAIN\x00\x06GSS", []string{"PLAIN"}},
		"none":       {string(head), nil},
		"too little": {"KAFK\x00", nil},
		"nothing":    {"", nil},
	} {
		if got := mechanismsOf([]byte(tt.answer)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestDescribeToken(t *testing.T) {
	jwt := func(payload string) string {
		return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
	}
	for token, want := range map[string]string{
		"opaque": "", "a.b.c": "", jwt("no JSON"): "", jwt(`{"exp":"soon"}`): "",
		jwt(`{}`):                            `it is of issuer "" for audience nobody`,
		jwt(`{"iss":"i","aud":["a","b"]}`):   `it is of issuer "i" for audience ["a","b"]`,
		jwt(`{"iss":"i","aud":"a","exp":1}`): `it is of issuer "i" for audience "a", and expired at 1970-01-01T00:00:01Z, while the clock of this machine says TIME`,
	} {
		got := describeToken(token)
		if i := strings.LastIndex(got, "says "); i >= 0 {
			got = got[:i] + "says TIME"
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A server that does not know the password cannot make the client believe that it does, nor make it compute for hours.
func TestScramDoubtsTheServer(t *testing.T) {
	for name, challenge := range map[string]string{
		"another nonce":       "r=other,s=c2FsdA==,i=4096",
		"too few iterations":  "r=%s1,s=c2FsdA==,i=1",
		"no message of SCRAM": "hello",
	} {
		client := newScram(password(MechanismScramSHA512, "alice", "canary-secret"))()
		if err := client.Begin("", "", ""); err != nil {
			t.Fatal(err)
		}
		first, err := client.Step("")
		if err != nil {
			t.Fatal(err)
		}
		_, nonce, _ := strings.Cut(first, "r=")
		_, err = client.Step(strings.Replace(challenge, "%s", nonce, 1))
		if !errors.Is(err, errScram) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The guard keeps the beginnings of answers until a connection is open, however the bytes come in.
func TestGuardKeepsHeads(t *testing.T) {
	stream := "\x00\x00\x00\x06KAFK\x00\x00" + "\x00\x00\x20\x00" + strings.Repeat("x", 0x2000)
	for _, size := range []int{1, 3, len(stream)} {
		g := &guardConn{}
		for part := range slices.Chunk([]byte(stream), size) {
			if !g.follow(part) {
				t.Fatal("taken for foreign")
			}
		}
		heads := g.kept()
		if g.answers() != 2 || string(heads[0]) != "KAFK\x00\x00" || len(heads[1]) != maxHead {
			t.Errorf("in parts of %d: %d answers", size, g.answers())
		}
		g.forget()
		if !g.follow([]byte("\x00\x00\x00\x06KAFK\x00\x00")) || g.answers() != 0 {
			t.Error("still keeping")
		}
	}
}
