// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// leaves are the attributes that have a value of their own, by their paths with dots.
func leaves(prefix string, attributes map[string]schema.Attribute) map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for name, attribute := range attributes {
		if nested, ok := attribute.(schema.SingleNestedAttribute); ok {
			for path, leaf := range leaves(prefix+name+".", nested.Attributes) {
				all[path] = leaf
			}
			continue
		}
		all[prefix+name] = attribute
	}
	return all
}

func providerLeaves(t *testing.T) map[string]schema.Attribute {
	t.Helper()
	var resp provider.SchemaResponse
	(&kafkaProvider{}).Schema(t.Context(), provider.SchemaRequest{}, &resp)
	return leaves("", resp.Schema.Attributes)
}

// Issue 7: every option has its environment variable; it is read, the schema names it, and one table of the documentation has all.
func TestEveryOptionHasItsVariable(t *testing.T) {
	page, err := os.ReadFile("../../templates/index.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	recording := environment{lookup: func(name string) (string, bool) { read[name] = true; return "", false }}
	_, _ = settingsOf(t.Context(), blockOf(func(m *model) { m.BootstrapServers = list(types.StringValue("k:1")) }), recording)
	_, _, _ = reassignmentSettings(t.Context(), types.ObjectNull(nil), recording)
	for path, attribute := range providerLeaves(t) {
		variable := "KAFKA_" + strings.ToUpper(strings.ReplaceAll(path, ".", "_"))
		if !strings.Contains(attribute.GetMarkdownDescription(), "`"+variable+"`") && !strings.Contains(attribute.GetMarkdownDescription(), "`"+variable+"=") {
			t.Errorf("the description of %s does not name %s", path, variable)
		}
		if !strings.Contains(string(page), "| `"+path+"` | `"+variable+"` |") {
			t.Errorf("the table of variables lacks %s and %s", path, variable)
		}
		if path != "bootstrap_servers" && !read[variable] {
			t.Errorf("%s is never read", variable)
		}
	}
}

// Issue 7: what is secret is marked so, and nothing else.
func TestSecretsAreSensitive(t *testing.T) {
	var sensitive []string
	for path, attribute := range providerLeaves(t) {
		if attribute.IsSensitive() {
			sensitive = append(sensitive, path)
		}
	}
	slices.Sort(sensitive)
	want := []string{"sasl.gssapi.password", "sasl.oauthbearer.client_secret", "sasl.oauthbearer.token", "sasl.password", "tls.client_key", "tls.client_key_passphrase"}
	if !slices.Equal(sensitive, want) {
		t.Errorf("got %v, want %v", sensitive, want)
	}
}

// C-105: a variable is not read where its attribute is present and not known.
func TestVariablesOfUnknownDoorsAreNotRead(t *testing.T) {
	for attribute, edit := range map[string]func(*model){
		attrTLS:  func(m *model) { m.TLS = types.ObjectUnknown(nil) },
		attrSASL: func(m *model) { m.SASL = types.ObjectUnknown(nil) },
	} {
		s, diags := settingsOf(t.Context(), blockOf(edit), environment{lookup: func(name string) (string, bool) {
			if strings.HasPrefix(name, "KAFKA_"+strings.ToUpper(attribute)) {
				t.Errorf("%s was read", name)
			}
			return full[name], true
		}})
		if diags.HasError() || !strings.Contains(s.offline, "provider's "+attribute+" is not known yet") {
			t.Errorf("%s: %v %q", attribute, diags, s.offline)
		}
	}
}
