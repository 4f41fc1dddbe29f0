// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/doors"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/oauth"
)

// refuses is acceptance line 2 as a person sees it; each sentence by itself is asserted with the client.
func (h *house) refuses(t *testing.T) {
	clearEnvironment(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDCANARY")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "canary-aws-secret")
	tls := values{"ca_certificate": string(h.Authority.PEM())}
	const once = " It was tried once, and no other broker was asked, as repeated failures lock accounts."
	wayOut := " Correct sasl of the provider (or the KAFKA_SASL_ variables)." + once
	const tlsWayOut = " Correct tls of the provider (or the KAFKA_TLS_ variables), the host or port in bootstrap_servers, or the certificate of the broker."
	const saslWayOut = " Correct sasl of the provider (or the KAFKA_SASL_ variables), or the port in bootstrap_servers."
	for name, c := range map[string]struct {
		listener string
		block    values
		want     string
	}{
		"password": {doors.SASL, values{"sasl": values{"mechanism": "PLAIN", "username": doors.User, "password": "canary-wrong"}},
			`ADDRESS: the broker refuses user "alice" with PLAIN: Authentication failed: Invalid username or password (the password is wrong, or there is no such user).` + wayOut},
		"client secret": {doors.SASL, values{"sasl": values{"mechanism": "OAUTHBEARER", "oauthbearer": h.grant().With("token_url", h.Tokens.TokenURL()).With("client_secret", "canary-wrong")}},
			`ADDRESS: the server of tokens at ` + h.Tokens.TokenURL() + ` refuses a token to the client "terraform": 401 Unauthorized: invalid_client Client authentication failed.` + wayOut},
		"token": {doors.SASL, values{"sasl": values{"mechanism": "OAUTHBEARER", "oauthbearer": values{"token": h.token(t, oauth.Claims{Audience: "postgres"})}}},
			`ADDRESS: the broker refuses the token with OAUTHBEARER: invalid_token; it is of issuer "` + h.Tokens.Issuer() + `" for audience "postgres"`},
		// No broker here verifies Amazon's signatures: it is asked all the same, over the wire that MSK speaks.
		"Amazon's token": {doors.SecureSASL, values{"tls": tls, "sasl": values{"mechanism": "AWS_MSK_IAM", "aws_msk_iam": values{"region": "us-east-1"}}},
			`ADDRESS: the broker refuses the token with OAUTHBEARER: invalid_token.` + wayOut},
		"certificate": {doors.Stranger, values{"tls": tls}, "ADDRESS: the certificate is not signed by any of the authorities of tls.ca_certificate: it is the certificate of CN=localhost for localhost, 127.0.0.1, ::1, issued by CN=another authority." + tlsWayOut},
		"TLS is off":  {doors.TLS, values{}, "ADDRESS: the port speaks TLS (certificate of CN=localhost for localhost, 127.0.0.1, ::1), but the provider speaks plain text to it." + tlsWayOut},
		"no SASL":     {doors.OneMechanism, values{}, "ADDRESS: the listener wants SASL authentication, and the provider's sasl is not set; it offers SCRAM-SHA-512." + saslWayOut},
		"mechanism": {doors.OneMechanism, values{"sasl": values{"mechanism": "PLAIN", "username": doors.User, "password": doors.Password}},
			"ADDRESS: the listener does not offer the mechanism PLAIN; it offers SCRAM-SHA-512." + saslWayOut},
	} {
		t.Run(name, func(t *testing.T) {
			server := h.Servers(t, c.listener)[0]
			tf := h.terraform(t, c.block.With("bootstrap_servers", []string{server}))
			config := values{"topic": "orders", "config": map[string]string{"retention.ms": "3600000"}}
			got := tf.Plan(tf.Resource("kafka_topic_config"), config).Diagnostics.One(t)
			if want := strings.Replace(c.want, "ADDRESS", server, 1); !strings.Contains(got.Detail, want) {
				t.Errorf("%s\nwant %s", got, want)
			}
			if strings.Contains(got.String(), "canary") || strings.Contains(got.String(), "eyJ") {
				t.Errorf("it shows a secret: %s", got)
			}
		})
	}
}
