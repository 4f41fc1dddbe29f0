// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/kafka-layout/terraform-provider-kafka/internal/connect"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// configure makes what the client authenticates with; nil where an option is missing or cannot be used, which is then an error.
func (s saslSources) configure(ctx context.Context, env environment, isTLS bool, settings connect.TLS, diags *diag.Diagnostics) *kafkaapi.SASL {
	sasl := &kafkaapi.SASL{Mechanism: kafkaapi.Mechanism(s.mechanism.text())}
	switch s.mechanism.text() {
	case oauthBearer:
		sasl.Tokens = s.bearer(env, settings, diags)
	case mechanismMSK:
		sasl.Mechanism = kafkaapi.MechanismOAuthBearer
		if !isTLS {
			diags.Append(needsTLS(s.mechanism))
			return nil
		}
		tokens, err := connect.MSKIAM{Region: s.region.text(), Profile: s.profile.text(), RoleARN: s.role.text()}.Source(ctx)
		if err != nil {
			diags.Append(settingError(err, s.mskBlock))
		}
		sasl.Tokens = tokens
	case gssapi:
		sasl.Kerberos = s.tickets(env, diags)
	default:
		for _, option := range s.passwords() {
			if !option.set() {
				missing(option, fmt.Sprintf("%s is needed with the mechanism %s", option.attribute, s.mechanism.text()), diags)
			}
		}
		sasl.Username, sasl.Password = s.username.text(), s.password.text()
	}
	if diags.HasError() {
		return nil
	}
	return sasl
}

// bearer is where tokens come from.
func (s saslSources) bearer(env environment, settings connect.TLS, diags *diag.Diagnostics) kafkaapi.TokenSource {
	extensions, err := s.extensions.pairs()
	if err == nil {
		err = checkExtensions(extensions)
	}
	if err != nil {
		diags.Append(s.extensions.invalid(err))
	}
	switch {
	case s.token.set():
		if strings.ContainsFunc(s.token.text(), unicode.IsSpace) {
			diags.Append(s.token.invalid(errors.New("there is white space in it, which no token has: trimspace() takes a line break off that a file ends with")))
		}
		return connect.FixedToken(s.token.text(), extensions)
	case !s.tokenURL.set():
		missing(s.tokenURL, "A token is needed: set sasl.oauthbearer.token, or token_url, client_id and client_secret", diags)
		return nil
	}
	if err := checkTokenURL(s.tokenURL.text()); err != nil {
		diags.Append(s.tokenURL.invalid(err))
	}
	for _, option := range []source{s.clientID, s.clientSecret} {
		if !option.set() {
			missing(option, option.attribute+" is needed with token_url", diags)
		}
	}
	source, err := connect.ClientCredentials{
		TokenURL: s.tokenURL.text(), ClientID: s.clientID.text(), ClientSecret: s.clientSecret.text(), Scopes: s.scopes.list(),
		Extensions: extensions, TLS: connect.TLS{CACertificate: settings.CACertificate}, Lookup: env.get,
	}.Source()
	if err != nil {
		diags.Append(settingError(err, block{name: attrTLS, env: env}))
	}
	return source
}

// tickets are Kerberos's part.
func (s saslSources) tickets(env environment, diags *diag.Diagnostics) *kafkaapi.Kerberos {
	variable := func(name, otherwise string) string {
		if value, ok := env.get(name); ok && value != "" {
			return value
		}
		return otherwise
	}
	k := &kafkaapi.Kerberos{
		ServiceName: s.service.text(), Realm: s.realm.text(), Username: s.kerbUser.text(), Password: s.kerbSecret.text(),
		KeytabPath: s.keytab.text(), ConfigPath: s.krb5.text(),
	}
	if k.ServiceName == "" {
		k.ServiceName = "kafka"
	}
	if k.ConfigPath == "" {
		k.ConfigPath = variable("KRB5_CONFIG", "/etc/krb5.conf")
	}
	if k.KeytabPath == "" && k.Password == "" {
		k.CachePath = strings.TrimPrefix(variable("KRB5CCNAME", "/tmp/krb5cc_"+strconv.Itoa(os.Getuid())), "FILE:")
	}
	if err := (connect.KerberosFiles{Config: k.ConfigPath, Keytab: k.KeytabPath, Cache: k.CachePath}).Check(); err != nil {
		diags.Append(settingError(err, s.gssapiBlock))
	}
	return k
}

// extensionName and extensionValue are what brokers take (KIP-342).
var (
	extensionName  = regexp.MustCompile(`^[A-Za-z]+$`)
	extensionValue = regexp.MustCompile(`^[\x21-\x7E \t\r\n]+$`)
)

// checkExtensions wants what brokers do not refuse together with the token.
func checkExtensions(extensions map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(extensions)) {
		switch {
		case name == "auth":
			return errors.New("the name auth is that of the token itself")
		case !extensionName.MatchString(name):
			return fmt.Errorf("the name %q has other characters than letters", name)
		case !extensionValue.MatchString(extensions[name]):
			return fmt.Errorf("the value of %s is empty or has other characters than ASCII's", name)
		}
	}
	return nil
}

// checkTokenURL wants an absolute http or https address.
func checkTokenURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("it is no http or https address, such as https://login.example.com/oauth2/token")
	}
	if u.User != nil {
		return errors.New("credentials in it would be shown: they belong into client_id and client_secret")
	}
	return nil
}

// tokenURL validates addresses of token endpoints.
type tokenURL struct{}

func (tokenURL) Description(context.Context) string { return "value must be an http or https address" }

func (t tokenURL) MarkdownDescription(ctx context.Context) string { return t.Description(ctx) }

func (tokenURL) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := checkTokenURL(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid token_url", "The value cannot be used: "+err.Error()+".")
	}
}
