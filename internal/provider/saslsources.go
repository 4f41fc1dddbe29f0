// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// saslSources are the values of the sasl attribute.
type saslSources struct {
	block, oauthBlock, mskBlock, gssapiBlock           block
	mechanism, username, password                      source
	token, tokenURL, clientID, clientSecret            source
	scopes, extensions                                 source
	region, profile, role                              source
	service, realm, keytab, krb5, kerbUser, kerbSecret source
}

func saslSourcesOf(b block) saslSources {
	oauth, msk, kerberos := b.inner("oauthbearer"), b.inner("aws_msk_iam"), b.inner("gssapi")
	return saslSources{
		block: b, oauthBlock: oauth, mskBlock: msk, gssapiBlock: kerberos,
		mechanism: b.leaf("mechanism"), username: b.leaf("username"), password: b.leaf("password"),
		token: oauth.leaf("token"), tokenURL: oauth.leaf("token_url"), clientID: oauth.leaf("client_id"), clientSecret: oauth.leaf("client_secret"),
		scopes: oauth.leaf("scopes"), extensions: oauth.leaf("extensions"),
		region: msk.leaf("region"), profile: msk.leaf("profile"), role: msk.leaf("role_arn"),
		service: kerberos.leaf("service_name"), realm: kerberos.leaf("realm"), keytab: kerberos.leaf("keytab_path"), krb5: kerberos.leaf("krb5_config_path"),
		kerbUser: kerberos.leaf("username"), kerbSecret: kerberos.leaf("password"),
	}
}

func (s saslSources) all() []source {
	blocks := []source{s.block.whole(), s.oauthBlock.whole(), s.mskBlock.whole(), s.gssapiBlock.whole(), s.mechanism}
	return slices.Concat(blocks, s.passwords(), s.oauth(), s.msk(), s.kerberos())
}

func (s saslSources) passwords() []source { return []source{s.username, s.password} }

func (s saslSources) oauth() []source {
	return []source{s.token, s.tokenURL, s.clientID, s.clientSecret, s.scopes, s.extensions}
}

func (s saslSources) msk() []source { return []source{s.region, s.profile, s.role} }

func (s saslSources) kerberos() []source {
	return []source{s.service, s.realm, s.keytab, s.krb5, s.kerbUser, s.kerbSecret}
}

// on is whether connections authenticate. What was written is never dropped in silence (C-110).
func (s saslSources) on(diags *diag.Diagnostics) bool {
	mechanism := s.mechanism.text()
	switch {
	case mechanism != "" && !slices.Contains(mechanisms, mechanism):
		diags.Append(s.mechanism.invalid(fmt.Errorf("%q is not one of %s", mechanism, strings.Join(mechanisms, ", "))))
	case mechanism == "" && s.block.written():
		diags.AddAttributeError(s.mechanism.at(), "Incomplete sasl of the provider",
			"sasl is there without a mechanism. Set sasl.mechanism or the environment variable KAFKA_SASL_MECHANISM to one of "+strings.Join(mechanisms, ", ")+".")
	case mechanism == "":
		if left := given(slices.Concat(s.passwords(), s.oauth(), s.msk(), s.kerberos())...); left.set() {
			diags.AddAttributeWarning(path.Root(attrSASL), "SASL is off",
				fmt.Sprintf("The environment variable %s is set, and is not used: connections do not authenticate. Set sasl in the provider block or KAFKA_SASL_MECHANISM, or unset the variable.", left.variable))
		}
	}
	return mechanism != ""
}

// check finds what cannot work in the configuration: options of another mechanism, two that exclude each other, and ones that miss
// another one. A secret that is missing is found later, as a variable may bring it where the plan is made.
func (s saslSources) check(diags *diag.Diagnostics) {
	mechanism := s.mechanism.text()
	if s.mechanism.unknown || !slices.Contains(mechanisms, mechanism) {
		return // a mistyped mechanism is an error of its own, and says nothing of the options
	}
	s.foreign(mechanism, diags)
	switch mechanism {
	case oauthBearer:
		s.checkOAuth(diags)
	case gssapi:
		s.checkKerberos(diags)
	}
}

// foreign refuses options that the mechanism does not use.
func (s saslSources) foreign(mechanism string, diags *diag.Diagnostics) {
	unused := func(option source) {
		diags.AddAttributeError(option.at(), "Contradictory sasl of the provider",
			fmt.Sprintf("%s is of no use with the mechanism %s. Remove it, or choose another mechanism.", option.attribute, mechanism))
	}
	for _, option := range s.passwords() {
		if option.written() && mechanism != plain && mechanism != scramSHA256 && mechanism != scramSHA512 {
			unused(option)
		}
	}
	for owner, b := range map[string]block{oauthBearer: s.oauthBlock, mechanismMSK: s.mskBlock, gssapi: s.gssapiBlock} {
		if b.written() && !b.value.IsUnknown() && owner != mechanism {
			unused(b.whole())
		}
	}
}

func (s saslSources) checkOAuth(diags *diag.Diagnostics) {
	switch {
	case s.token.has() && s.tokenURL.has():
		diags.AddAttributeError(s.token.at(), "Contradictory sasl of the provider",
			fmt.Sprintf("There are a token (%s) and an address to get one from (%s). Keep one of the two.", s.token.where(), s.tokenURL.where()))
	case !s.token.set() && !s.tokenURL.set() && s.oauthBlock.written():
		missing(s.tokenURL, "A token is needed: set sasl.oauthbearer.token, or token_url, client_id and client_secret", diags)
	case s.tokenURL.set() && !s.clientID.set() && s.oauthBlock.written():
		missing(s.clientID, "sasl.oauthbearer.client_id is needed with token_url", diags)
	}
	for _, option := range []source{s.clientID, s.clientSecret, s.scopes} {
		if option.written() && s.token.has() && !s.tokenURL.has() {
			diags.AddAttributeError(option.at(), "Contradictory sasl of the provider",
				fmt.Sprintf("%s is of no use beside sasl.oauthbearer.token: it belongs to token_url.", option.attribute))
		}
	}
}

func (s saslSources) checkKerberos(diags *diag.Diagnostics) {
	if s.keytab.has() && s.kerbSecret.has() {
		diags.AddAttributeError(s.keytab.at(), "Contradictory sasl of the provider",
			fmt.Sprintf("There are a key table (%s) and a password (%s). Keep one of the two.", s.keytab.where(), s.kerbSecret.where()))
	}
	if !s.keytab.set() && !s.kerbSecret.set() {
		return
	}
	for _, option := range []source{s.kerbUser, s.realm} {
		if !option.set() {
			missing(option, fmt.Sprintf("%s is needed with a key table or a password", option.attribute), diags)
		}
	}
}

// missing is the error for an option that neither the block nor the environment has.
func missing(option source, reason string, diags *diag.Diagnostics) {
	variable, _ := environment{lookup: func(string) (string, bool) { return "", false }}.of(option.attribute)
	diags.AddAttributeError(option.at(), "Incomplete sasl of the provider", fmt.Sprintf("%s. Its environment variable is %s.", reason, variable))
}

func needsTLS(mechanism source) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(mechanism.at(), "Contradictory sasl of the provider",
		mechanismMSK+" needs TLS, and tls is not set. Set tls = {} in the provider block, or KAFKA_TLS_ENABLED=true.")
}
