// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// blockOf is a provider block in which everything is absent but what edit sets.
func blockOf(edit func(*model)) model {
	m := model{BootstrapServers: types.ListNull(types.StringType), UnmanagedKeys: types.SetNull(types.StringType), TLS: types.ObjectNull(nil), SASL: types.ObjectNull(nil)}
	edit(&m)
	return m
}

func list(items ...attr.Value) types.List { return types.ListValueMust(types.StringType, items) }

func env(variables map[string]string) environment {
	return environment{lookup: func(name string) (string, bool) { value, ok := variables[name]; return value, ok }}
}

var full = map[string]string{
	"KAFKA_BOOTSTRAP_SERVERS": " e1:1 , e2:2,,", "KAFKA_CLUSTER_ID": "env-cluster", "KAFKA_CLIENT_ID": " env-client ",
	"KAFKA_REQUEST_TIMEOUT": "1m30s", "KAFKA_PLAN_VALIDATION": "warn", "KAFKA_UNMANAGED_KEYS": "a.*, b",
}

// Each attribute decides for itself; its variable counts only where it is absent.
func TestSettings(t *testing.T) {
	servers := list(types.StringValue("b:9092"))
	for name, c := range map[string]struct {
		m    model
		env  map[string]string
		want string
	}{
		"defaults": {blockOf(func(m *model) { m.BootstrapServers = servers }), nil,
			`[b:9092] "" terraform-provider-kafka 30s error []`},
		"environment": {blockOf(func(*model) {}), full, `[e1:1 e2:2] "env-cluster" env-client 1m30s warn [a.* b]`},
		"block over environment": {blockOf(func(m *model) {
			m.BootstrapServers, m.ClusterID, m.ClientID = servers, types.StringValue("c"), types.StringValue("me")
			m.RequestTimeout, m.PlanValidation = types.StringValue("5s"), types.StringValue("off")
			m.UnmanagedKeys = types.SetValueMust(types.StringType, []attr.Value{types.StringValue("k")})
		}), full, `[b:9092] "c" me 5s off [k]`},
		"some of each": {blockOf(func(m *model) { m.RequestTimeout = types.StringValue("5s") }), full, `[e1:1 e2:2] "env-cluster" env-client 5s warn [a.* b]`},
		"an empty set is no absent one": {blockOf(func(m *model) { m.UnmanagedKeys = types.SetValueMust(types.StringType, []attr.Value{}) }), full,
			`[e1:1 e2:2] "env-cluster" env-client 1m30s warn []`},
		"empty variables are none": {blockOf(func(m *model) { m.BootstrapServers = servers }),
			map[string]string{"KAFKA_CLIENT_ID": " ", "KAFKA_CLUSTER_ID": "", "KAFKA_REQUEST_TIMEOUT": "", "KAFKA_UNMANAGED_KEYS": ""},
			`[b:9092] "" terraform-provider-kafka 30s error []`},
	} {
		t.Run(name, func(t *testing.T) {
			s, diags := settingsOf(t.Context(), c.m, env(c.env))
			if diags.HasError() || s.offline != "" {
				t.Fatalf("%v %q", diags, s.offline)
			}
			got := fmt.Sprintf("%v %q %s %s %s %v", s.client.BootstrapServers, s.client.ClusterID, s.client.ClientID, s.client.RequestTimeout, s.planValidation, []string(s.unmanagedKeys))
			if got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// Acceptance line 10; C-105: an attribute that is present and not known takes the cluster out of reach; its variable is not read.
func TestUnknownSettings(t *testing.T) {
	for attribute, edit := range map[string]func(*model){
		attrBootstrapServers: func(m *model) { m.BootstrapServers = types.ListUnknown(types.StringType) },
		attrClusterID:        func(m *model) { m.ClusterID = types.StringUnknown() },
		attrClientID:         func(m *model) { m.ClientID = types.StringUnknown() },
		attrRequestTimeout:   func(m *model) { m.RequestTimeout = types.StringUnknown() },
		attrPlanValidation:   func(m *model) { m.PlanValidation = types.StringUnknown() },
		attrUnmanagedKeys:    func(m *model) { m.UnmanagedKeys = types.SetUnknown(types.StringType) },
	} {
		read := []string{}
		s, diags := settingsOf(t.Context(), blockOf(edit), environment{lookup: func(name string) (string, bool) {
			read = append(read, name)
			return full[name], true
		}})
		if diags.HasError() || !strings.Contains(s.offline, "provider's "+attribute+" is not known yet") {
			t.Errorf("%s: %v %q", attribute, diags, s.offline)
		}
		if variable := "KAFKA_" + strings.ToUpper(attribute); slices.Contains(read, variable) {
			t.Errorf("%s was read", variable)
		}
	}
	s, _ := settingsOf(t.Context(), blockOf(func(m *model) { m.BootstrapServers = list(types.StringValue("a:1"), types.StringUnknown()) }), env(full))
	if s.offline == "" {
		t.Error("A list with an unknown element counts as known")
	}
}

// C-106: what came through the environment is checked like the block; the error names the variable and stands at the attribute.
func TestInvalidEnvironment(t *testing.T) {
	for variable, values := range map[string][]string{
		"KAFKA_BOOTSTRAP_SERVERS": {"kafka", "kafka:", ":9092", "kafka:0", "kafka:65536", "kafka:9092,kafka", "http://kafka:9092", "::1:9092"},
		"KAFKA_REQUEST_TIMEOUT":   {"soon", "0s", "-1s", "30"},
		"KAFKA_PLAN_VALIDATION":   {"ERROR", "never"},
		"KAFKA_UNMANAGED_KEYS":    {"a[", "x,b[c"},
	} {
		for _, value := range values {
			variables := map[string]string{"KAFKA_BOOTSTRAP_SERVERS": "k:1"}
			variables[variable] = value
			_, diags := settingsOf(t.Context(), blockOf(func(*model) {}), env(variables))
			attribute := strings.ToLower(strings.TrimPrefix(variable, "KAFKA_"))
			if len(diags) != 1 || !strings.Contains(diags[0].Detail(), "the environment variable "+variable) || diags[0].Summary() != "Invalid "+attribute+" of the provider" {
				t.Errorf("%s=%q: %v", variable, value, diags)
			}
		}
	}
	_, diags := settingsOf(t.Context(), blockOf(func(*model) {}), env(map[string]string{"KAFKA_BOOTSTRAP_SERVERS": " , "}))
	if len(diags) != 1 || diags[0].Summary() != "No bootstrap servers" {
		t.Errorf("No server at all: %v", diags)
	}
}

func TestCheckAddress(t *testing.T) {
	for text, fine := range map[string]bool{
		"kafka-1:9092": true, "127.0.0.1:1": true, "[::1]:9092": true, "kafka:65535": true,
		"": false, " ": false, "kafka": false, "kafka:": false, ":9092": false, "kafka:x": false, "kafka:-1": false, "kafka:9092 ": false, " kafka:9092": false, "a b:9092": false,
	} {
		if err := checkAddress(text); (err == nil) != fine {
			t.Errorf("checkAddress(%q) = %v", text, err)
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"30s": 30 * time.Second, "1m30s": 90 * time.Second, "24h": 24 * time.Hour, "24h1ns": 0, "2562047h": 0, "0": 0, "": 0, "-3s": 0, "5": 0} {
		if got, err := parseDuration(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("parseDuration(%q) = %s, %v", text, got, err)
		}
	}
}

// The model and the schema of the block name the same attributes.
func TestModelMatchesSchema(t *testing.T) {
	var resp provider.SchemaResponse
	(&kafkaProvider{}).Schema(t.Context(), provider.SchemaRequest{}, &resp)
	var modelled []string
	for i := range reflect.TypeFor[model]().NumField() {
		modelled = append(modelled, reflect.TypeFor[model]().Field(i).Tag.Get("tfsdk"))
	}
	var declared []string
	for name := range resp.Schema.Attributes {
		declared = append(declared, name)
	}
	slices.Sort(modelled)
	slices.Sort(declared)
	if !slices.Equal(modelled, declared) {
		t.Errorf("The model has %v, the schema %v", modelled, declared)
	}
	if diags := resp.Schema.ValidateImplementation(t.Context()); diags.HasError() {
		t.Errorf("%v", diags)
	}
}
