// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// statusIn finds the JSON in an answer with which a broker refuses a token, {"status":"invalid_token"}, and gives what it says.
func statusIn(answer []byte) string {
	i := bytes.IndexByte(answer, '{')
	if i < 0 {
		return ""
	}
	var refusal struct {
		Status string `json:"status"`
		Scope  string `json:"scope"`
	}
	if json.NewDecoder(bytes.NewReader(answer[i:])).Decode(&refusal) != nil || refusal.Status == "" {
		return ""
	}
	if refusal.Scope != "" {
		return fmt.Sprintf("%s, scope %s", oneLine(refusal.Status), oneLine(refusal.Scope))
	}
	return oneLine(refusal.Status)
}

// claims are what a token in the form of a JWT (RFC 7519) says of itself, unverified, without its holder.
type claims struct {
	Issuer    string          `json:"iss"`
	Audience  json.RawMessage `json:"aud"`
	Expires   float64         `json:"exp"`
	NotBefore float64         `json:"nbf"`
	IssuedAt  float64         `json:"iat"`
}

// describeToken says what may be wrong with a refused token as far as it can be read; empty where it is no JWT.
func describeToken(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var c claims
	if json.Unmarshal(payload, &c) != nil {
		return ""
	}
	text := fmt.Sprintf("it is of issuer %q for audience %s", c.Issuer, c.audience())
	now := time.Now()
	begins, ends := instant(max(c.NotBefore, c.IssuedAt)), instant(c.Expires)
	switch {
	case !begins.IsZero() && now.Before(begins):
		return fmt.Sprintf("%s, and valid from %s only, while the clock of this machine says %s", text, clock(begins), clock(now))
	case !ends.IsZero() && now.After(ends):
		return fmt.Sprintf("%s, and expired at %s, while the clock of this machine says %s", text, clock(ends), clock(now))
	case !ends.IsZero():
		return fmt.Sprintf("%s, valid until %s", text, clock(ends))
	}
	return text
}

// audience is one string or a list of them.
func (c claims) audience() string {
	if len(c.Audience) == 0 {
		return "nobody"
	}
	return string(c.Audience)
}

// instant converts seconds since 1970, in which claims are given.
func instant(seconds float64) time.Time {
	if seconds <= 0 {
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0)
}
