// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/certs"
)

// clearEnvironment takes the variables away that the provider, AWS's chain and Kerberos read.
func clearEnvironment(t *testing.T) {
	t.Helper()
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "KAFKA_") || strings.HasPrefix(name, "AWS_") || strings.HasPrefix(name, "KRB5") || strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			t.Setenv(name, "")
		}
	}
	dir := t.TempDir()
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(dir, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(dir, "credentials"))
	t.Setenv("KRB5CCNAME", filepath.Join(dir, "no-cache"))
	t.Setenv("KRB5_CONFIG", "/dev/null")
}

// with is a provider block with these attributes beside the servers.
func with(attributes values) values {
	return attributes.With("bootstrap_servers", []string{"kafka:9092"})
}

func sasl(mechanism string, attributes values) values {
	return with(values{"sasl": attributes.With("mechanism", mechanism)})
}

// C-110, C-111, C-113: what contradicts itself or misses something is an error at the attribute; what is only in validate is said so.
func TestInvalidDoors(t *testing.T) {
	authority, err := certs.NewAuthority("a")
	if err != nil {
		t.Fatal(err)
	}
	client, err := authority.Issue(certs.Request{Client: true, CommonName: "c"})
	if err != nil {
		t.Fatal(err)
	}
	certificate := string(client.CertificatePEM())
	for name, c := range map[string]struct {
		block  values
		env    map[string]string
		path   string
		detail string
	}{
		"no such CA":              {with(values{"tls": values{"ca_certificate": "/no/such/file"}}), nil, "tls.ca_certificate", "the attribute tls.ca_certificate cannot be used: it is neither PEM text nor the path"},
		"no such CA, by env":      {with(values{}), map[string]string{"KAFKA_TLS_ENABLED": "true", "KAFKA_TLS_CA_CERTIFICATE": "/no/such"}, "tls.ca_certificate", "the environment variable KAFKA_TLS_CA_CERTIFICATE cannot"},
		"empty CA":                {with(values{"tls": values{"ca_certificate": ""}}), nil, "tls.ca_certificate", "at least 1"},
		"certificate alone":       {with(values{"tls": values{"client_certificate": certificate}}), nil, "tls.client_certificate", "of no use without tls.client_key"},
		"key alone":               {with(values{"tls": values{"client_key": "x"}}), nil, "tls.client_key", "of no use without tls.client_certificate"},
		"passphrase alone":        {with(values{"tls": values{"client_key_passphrase": "x"}}), nil, "tls.client_key_passphrase", "of no use without tls.client_key"},
		"certificate in env":      {with(values{"tls": values{}}), map[string]string{"KAFKA_TLS_CLIENT_CERTIFICATE": certificate}, "tls.client_key", "it is missing"},
		"TLS on, maybe":           {with(values{}), map[string]string{"KAFKA_TLS_ENABLED": "maybe"}, "tls", "KAFKA_TLS_ENABLED"},
		"insecure, maybe":         {with(values{"tls": values{}}), map[string]string{"KAFKA_TLS_INSECURE_SKIP_VERIFY": "maybe"}, "tls.insecure_skip_verify", "neither true nor false"},
		"no mechanism":            {with(values{"sasl": values{"username": "u", "password": "p"}}), nil, "sasl.mechanism", "KAFKA_SASL_MECHANISM to one of PLAIN,"},
		"mechanism":               {sasl("DIGEST-MD5", nil), nil, "sasl.mechanism", "DIGEST-MD5"},
		"mechanism, env":          {with(values{}), map[string]string{"KAFKA_SASL_MECHANISM": "plain"}, "sasl.mechanism", "KAFKA_SASL_MECHANISM"},
		"no password":             {sasl("PLAIN", values{"username": "u"}), nil, "sasl.password", "KAFKA_SASL_PASSWORD"},
		"no user":                 {sasl("SCRAM-SHA-512", values{"password": "p"}), nil, "sasl.username", "KAFKA_SASL_USERNAME"},
		"mistyped mechanism":      {sasl("SCRAM", values{"username": "u", "password": "p"}), nil, "sasl.mechanism", "SCRAM-SHA-256"},
		"password of a token":     {sasl("OAUTHBEARER", values{"password": "p", "oauthbearer": values{"token": "t"}}), nil, "sasl.password", "of no use with the mechanism OAUTHBEARER"},
		"token with PLAIN":        {sasl("PLAIN", values{"username": "u", "password": "p", "oauthbearer": values{"token": "t"}}), nil, "sasl.oauthbearer", "of no use with the mechanism PLAIN"},
		"empty oauthbearer":       {sasl("OAUTHBEARER", values{"oauthbearer": values{}}), nil, "sasl.oauthbearer.token_url", "A token is needed"},
		"no oauthbearer":          {sasl("OAUTHBEARER", nil), nil, "sasl.oauthbearer.token_url", "A token is needed"},
		"no client id":            {sasl("OAUTHBEARER", values{"oauthbearer": values{"token_url": "https://login.example.com/t"}}), nil, "sasl.oauthbearer.client_id", "KAFKA_SASL_OAUTHBEARER_CLIENT_ID"},
		"no client secret":        {sasl("OAUTHBEARER", values{"oauthbearer": values{"token_url": "https://login.example.com/t", "client_id": "c"}}), nil, "sasl.oauthbearer.client_secret", "KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET"},
		"token twice":             {sasl("OAUTHBEARER", values{"oauthbearer": values{"token_url": "https://login.example.com/t", "client_id": "c", "client_secret": "s"}}), map[string]string{"KAFKA_SASL_OAUTHBEARER_TOKEN": "t"}, "sasl.oauthbearer.token", "Keep one of the two"},
		"secret beside a token":   {sasl("OAUTHBEARER", values{"oauthbearer": values{"token": "t", "client_secret": "s"}}), nil, "sasl.oauthbearer.client_secret", "it belongs to token_url"},
		"token URL":               {sasl("OAUTHBEARER", values{"oauthbearer": values{"token_url": "login.example.com", "client_id": "c"}}), nil, "sasl.oauthbearer.token_url", "no http or https address"},
		"extensions":              {sasl("OAUTHBEARER", values{"oauthbearer": values{"token": "t"}}), map[string]string{"KAFKA_SASL_OAUTHBEARER_EXTENSIONS": "a=b,c"}, "sasl.oauthbearer.extensions", "key=value"},
		"extension's name":        {sasl("OAUTHBEARER", values{"oauthbearer": values{"token": "t", "extensions": map[string]string{"logical cluster": "x"}}}), nil, "sasl.oauthbearer.extensions", `the name "logical cluster" has other characters than letters`},
		"extension auth":          {sasl("OAUTHBEARER", values{"oauthbearer": values{"token": "t", "extensions": map[string]string{"auth": "x"}}}), nil, "sasl.oauthbearer.extensions", "that of the token itself"},
		"extension's value":       {sasl("OAUTHBEARER", values{"oauthbearer": values{"token": "t", "extensions": map[string]string{"a": ""}}}), nil, "sasl.oauthbearer.extensions", "the value of a is empty"},
		"token with a line break": {sasl("OAUTHBEARER", values{"oauthbearer": values{"token": "t\n"}}), nil, "sasl.oauthbearer.token", "there is white space in it"},
		"IAM without TLS":         {sasl("AWS_MSK_IAM", values{"aws_msk_iam": values{"region": "r"}}), nil, "sasl.mechanism", "needs TLS"},
		"IAM without a region":    {sasl("AWS_MSK_IAM", nil).With("tls", values{}), nil, "sasl.aws_msk_iam.region", "AWS_REGION"},
		"IAM, unknown profile":    {sasl("AWS_MSK_IAM", values{"aws_msk_iam": values{"region": "r", "profile": "p"}}).With("tls", values{}), nil, "sasl.aws_msk_iam.profile", "p"},
		"Kerberos, nothing":       {sasl("GSSAPI", nil), nil, "sasl.gssapi.keytab_path", "neither a key table nor a password"},
		"Kerberos, no user":       {sasl("GSSAPI", values{"gssapi": values{"password": "p", "realm": "R"}}), nil, "sasl.gssapi.username", "KAFKA_SASL_GSSAPI_USERNAME"},
		"Kerberos, no realm":      {sasl("GSSAPI", values{"gssapi": values{"keytab_path": "/k", "username": "u"}}), nil, "sasl.gssapi.realm", "KAFKA_SASL_GSSAPI_REALM"},
		"Kerberos, both":          {sasl("GSSAPI", values{"gssapi": values{"keytab_path": "/k", "password": "p", "username": "u", "realm": "R"}}), nil, "sasl.gssapi.keytab_path", "Keep one of the two"},
		"Kerberos, no key table":  {sasl("GSSAPI", values{"gssapi": values{"keytab_path": "/no/such/table", "username": "u", "realm": "R"}}), nil, "sasl.gssapi.keytab_path", "no such file"},
		"Kerberos, no config":     {sasl("GSSAPI", values{"gssapi": values{"password": "p", "username": "u", "realm": "R"}}), map[string]string{"KRB5_CONFIG": "/no/such/conf"}, "sasl.gssapi.krb5_config_path", "no such file"},
		"proxy":                   {with(values{}), map[string]string{"ALL_PROXY": "ftp://u:canary@proxy"}, "", "none of socks5"},
	} {
		t.Run(name, func(t *testing.T) {
			clearEnvironment(t)
			for variable, value := range c.env {
				t.Setenv(variable, value)
			}
			_, diags := acctest.New(t, c.block).Configure()
			got := diags.One(t)
			if got.Path != c.path || !strings.Contains(got.Detail, c.detail) {
				t.Errorf("%s", got)
			}
		})
	}
}

// C-110: what is left in the environment and not used is told.
func TestUnusedVariables(t *testing.T) {
	for variable, path := range map[string]string{"KAFKA_TLS_CA_CERTIFICATE": "tls", "KAFKA_SASL_PASSWORD": "sasl", "KAFKA_SASL_OAUTHBEARER_TOKEN": "sasl"} {
		t.Run(variable, func(t *testing.T) {
			clearEnvironment(t)
			t.Setenv(variable, "canary")
			_, diags := acctest.New(t, with(nil)).Configure()
			if got := diags.OneWarning(t); got.Path != path || !strings.Contains(got.Detail, variable) || strings.Contains(got.Detail, "canary") {
				t.Errorf("%s", got)
			}
		})
	}
	t.Run("KAFKA_TLS_ENABLED=false", func(t *testing.T) {
		clearEnvironment(t)
		t.Setenv("KAFKA_TLS_CA_CERTIFICATE", "x")
		t.Setenv("KAFKA_TLS_ENABLED", "false")
		acctest.New(t, with(nil)).Walk()
	})
}

// Acceptance line 7: a value that is not known yet makes no error, wherever it stands.
func TestUnknownDoors(t *testing.T) {
	u := acctest.Unknown
	for name, block := range map[string]values{
		"tls":         with(values{"tls": u}),
		"CA":          with(values{"tls": values{"ca_certificate": u}}),
		"certificate": with(values{"tls": values{"client_certificate": u, "client_key": u}}),
		"insecure":    with(values{"tls": values{"insecure_skip_verify": u}}),
		"sasl":        with(values{"sasl": u}),
		"mechanism":   with(values{"sasl": values{"mechanism": u, "username": "u", "oauthbearer": values{}}}),
		"password":    sasl("PLAIN", values{"username": "u", "password": u}),
		"oauthbearer": sasl("OAUTHBEARER", values{"oauthbearer": u}),
		"token":       sasl("OAUTHBEARER", values{"oauthbearer": values{"token": u}}),
		"scopes":      sasl("OAUTHBEARER", values{"oauthbearer": values{"token_url": u, "client_id": u, "client_secret": u, "scopes": u, "extensions": map[string]any{"a": u}}}),
		"IAM":         sasl("AWS_MSK_IAM", values{"aws_msk_iam": values{"region": u}}).With("tls", u),
		"Kerberos":    sasl("GSSAPI", values{"gssapi": values{"keytab_path": u, "username": u, "realm": u}}),
	} {
		t.Run(name, func(t *testing.T) {
			clearEnvironment(t)
			tf := acctest.New(t, block)
			tf.Plan(tf.Resource("kafka_topic_config"), values{"topic": "orders", "config": map[string]string{"retention.ms": "1"}}).Diagnostics.NoErrors(t)
		})
	}
}
