// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/kafka-layout/terraform-provider-kafka/internal/connect"
)

const attrTLS = "tls"

// errNoPair is about a map that came through the environment.
var errNoPair = errors.New("its parts are not key=value, separated by commas")

func tlsAttribute() schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		Optional: true,
		MarkdownDescription: "Encrypts connections, TLS 1.2 at least. It is on where this attribute is present, also as `{}`. " +
			"Environment where it is absent: `KAFKA_TLS_ENABLED=true`.",
		Attributes: map[string]schema.Attribute{
			"ca_certificate": textAttribute("The authorities that certificates of brokers are checked against: PEM text or the path of a file, which is read anew by each run. " +
				"Environment: `KAFKA_TLS_CA_CERTIFICATE`. Default: the system's."),
			"client_certificate": textAttribute("The certificate that the provider shows (mutual TLS), with those between it and the authority: PEM text or a path. " +
				"Environment: `KAFKA_TLS_CLIENT_CERTIFICATE`."),
			"client_key": secretAttribute("Its key: PEM text or a path, in PKCS #8, PKCS #1 or SEC 1. Environment: `KAFKA_TLS_CLIENT_KEY`."),
			"client_key_passphrase": secretAttribute("What opens a key that is encrypted, in PKCS #8 (PBES2) or in PEM's own way. " +
				"Environment: `KAFKA_TLS_CLIENT_KEY_PASSPHRASE`."),
			"server_name": textAttribute("The name that certificates of brokers must be for, where it is not the host that is connected to. Environment: `KAFKA_TLS_SERVER_NAME`."),
			"insecure_skip_verify": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Takes any certificate, so that whoever is in between can read and change everything, passwords included. For trials only. " +
					"Environment: `KAFKA_TLS_INSECURE_SKIP_VERIFY`. Default: `false`.",
			},
		},
	}
}

// textAttribute is an optional attribute that is not empty.
func textAttribute(description string) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, Validators: []validator.String{stringvalidator.LengthAtLeast(1)}, MarkdownDescription: description}
}

// secretAttribute is one that is not shown.
func secretAttribute(description string) schema.StringAttribute {
	attribute := textAttribute(description)
	attribute.Sensitive = true
	return attribute
}

// tlsSources are the values of the tls attribute.
type tlsSources struct {
	block                            block
	enabled                          source
	ca, certificate, key, passphrase source
	serverName, insecure             source
}

func tlsSourcesOf(b block) tlsSources {
	t := tlsSources{
		block: b, ca: b.leaf("ca_certificate"), certificate: b.leaf("client_certificate"), key: b.leaf("client_key"),
		passphrase: b.leaf("client_key_passphrase"), serverName: b.leaf("server_name"), insecure: b.leaf("insecure_skip_verify"),
	}
	if !b.written() {
		t.enabled = b.leaf("enabled")
		t.enabled.attribute = attrTLS // there is no attribute of that name
	}
	return t
}

func (t tlsSources) all() []source {
	return []source{t.block.whole(), t.ca, t.certificate, t.key, t.passphrase, t.serverName, t.insecure}
}

// on is whether TLS is to be spoken.
func (t tlsSources) on(diags *diag.Diagnostics) bool {
	if t.block.written() {
		return true
	}
	enabled := boolOf(t.enabled, diags)
	if left := given(t.ca, t.certificate, t.key); left.set() && t.enabled.text() == "" {
		diags.AddAttributeWarning(path.Root(attrTLS), "TLS is off",
			fmt.Sprintf("The environment variable %s is set, and is not used: connections are not encrypted. Set tls = {} in the provider block or KAFKA_TLS_ENABLED=true, "+
				"or KAFKA_TLS_ENABLED=false where this is meant.", left.variable))
	}
	return enabled
}

// given is the first of the sources that has a value.
func given(sources ...source) source {
	for _, s := range sources {
		if s.set() {
			return s
		}
	}
	return source{}
}

// boolOf reads a boolean, false where there is none.
func boolOf(s source, diags *diag.Diagnostics) bool {
	if s.text() == "" {
		return false
	}
	value, err := strconv.ParseBool(s.text())
	if err != nil {
		diags.Append(s.invalid(fmt.Errorf("%q is neither true nor false", s.text())))
	}
	return value
}

// settings are the values as they are used.
func (t tlsSources) settings(diags *diag.Diagnostics) connect.TLS {
	return connect.TLS{
		CACertificate: t.ca.text(), ClientCertificate: t.certificate.text(), ClientKey: t.key.text(), ClientKeyPassphrase: t.passphrase.text(),
		ServerName: t.serverName.text(), InsecureSkipVerify: boolOf(t.insecure, diags),
	}
}

// check finds options that need another one, in the configuration alone: the environment may have it.
func (t tlsSources) check(diags *diag.Diagnostics) {
	for _, pair := range [][2]source{{t.certificate, t.key}, {t.key, t.certificate}, {t.passphrase, t.key}} {
		if option, needs := pair[0], pair[1]; option.written() && !needs.set() {
			diags.AddAttributeError(option.at(), "Incomplete tls of the provider",
				fmt.Sprintf("%s is of no use without %s. Set both, or neither.", option.attribute, needs.attribute))
		}
	}
}
