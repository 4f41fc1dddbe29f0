// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/provider"
)

type values = acctest.Values

// The schemas are ones that Terraform takes, every resource has an identity, and every attribute a full sentence.
func TestSchemas(t *testing.T) {
	server := provider.NewServer("test")()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || len(schemas.Diagnostics) > 0 {
		t.Fatalf("%v %v", err, schemas.Diagnostics)
	}
	identities, err := server.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil || len(identities.Diagnostics) > 0 {
		t.Fatalf("%v %v", err, identities.Diagnostics)
	}
	if len(schemas.ResourceSchemas) == 0 {
		t.Fatal("There is no resource")
	}
	described(t, "provider", schemas.Provider.Block)
	for name, schema := range schemas.ResourceSchemas {
		if identities.IdentitySchemas[name] == nil {
			t.Errorf("%s has no identity", name)
		}
		described(t, name, schema.Block)
	}
}

func described(t *testing.T, name string, block *tfprotov6.SchemaBlock) {
	t.Helper()
	for _, a := range block.Attributes {
		text := strings.TrimSpace(a.Description)
		if !strings.HasSuffix(text, ".") || a.DescriptionKind != tfprotov6.StringKindMarkdown && text == "" {
			t.Errorf("%s.%s is described as %q", name, a.Name, text)
		}
	}
	for _, nested := range block.BlockTypes {
		described(t, name+"."+nested.TypeName, nested.Block)
	}
}

// C-106, C-136: a block that cannot work is refused at the attribute, by Validate or by Configure, and never with a panic.
func TestInvalidBlock(t *testing.T) {
	servers := []string{"kafka:9092"}
	for name, c := range map[string]struct {
		block  values
		path   string
		detail string
	}{
		"no servers":        {values{}, "bootstrap_servers", "KAFKA_BOOTSTRAP_SERVERS"},
		"empty list":        {values{"bootstrap_servers": []string{}}, "bootstrap_servers", "at least 1"},
		"empty address":     {values{"bootstrap_servers": []string{""}}, "bootstrap_servers[0]", "host:port"},
		"null address":      {values{"bootstrap_servers": []any{"kafka:9092", nil}}, "bootstrap_servers[1]", "host:port"},
		"no port":           {values{"bootstrap_servers": []string{"kafka:9092", "kafka"}}, "bootstrap_servers[1]", `"kafka" is not host:port`},
		"URL":               {values{"bootstrap_servers": []string{"https://kafka:9092"}}, "bootstrap_servers[0]", "host:port"},
		"empty cluster id":  {values{"bootstrap_servers": servers, "cluster_id": ""}, "cluster_id", "at least 1"},
		"empty client id":   {values{"bootstrap_servers": servers, "client_id": ""}, "client_id", "at least 1"},
		"timeout":           {values{"bootstrap_servers": servers, "request_timeout": "30"}, "request_timeout", `"30" is not a positive duration`},
		"no time":           {values{"bootstrap_servers": servers, "request_timeout": "0s"}, "request_timeout", "positive"},
		"plan_validation":   {values{"bootstrap_servers": servers, "plan_validation": "strict"}, "plan_validation", "strict"},
		"malformed pattern": {values{"bootstrap_servers": servers, "unmanaged_keys": []string{"a[b"}}, `unmanaged_keys["a[b"]`, "malformed"},
		"no throttle":       {values{"bootstrap_servers": servers, "reassignment": values{"throttle_bytes_per_second": 0}}, "reassignment.throttle_bytes_per_second", "at least 1"},
		"negative throttle": {values{"bootstrap_servers": servers, "reassignment": values{"throttle_bytes_per_second": -5}}, "reassignment.throttle_bytes_per_second", "at least 1"},
		"no moves":          {values{"bootstrap_servers": servers, "reassignment": values{"max_moves_per_broker": 0}}, "reassignment.max_moves_per_broker", "between 1"},
		"stall timeout":     {values{"bootstrap_servers": servers, "reassignment": values{"stall_timeout": "never"}}, "reassignment.stall_timeout", `"never" is not a positive duration`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("KAFKA_BOOTSTRAP_SERVERS", "")
			_, diags := acctest.New(t, c.block).Configure()
			got := diags.One(t)
			if got.Path != c.path || !strings.Contains(got.Detail, c.detail) {
				t.Errorf("%s", got)
			}
		})
	}
}

// Configure connects to nobody: an address where nothing is makes no difference to it, nor does an unknown one.
func TestConfigureIsLazy(t *testing.T) {
	for _, servers := range []any{[]string{"no-such-host.invalid:1"}, acctest.Unknown, []any{acctest.Unknown}} {
		acctest.New(t, values{"bootstrap_servers": servers}).Walk()
	}
}
