// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

func mapOf(elements map[string]attr.Value) types.Map {
	return types.MapValueMust(types.StringType, elements)
}

// Every kind of failure ends with a way out, and no secret gets through.
func TestExplain(t *testing.T) {
	refusal := func(code int16, name, message, permission string) error {
		return &kafkaapi.Error{Operation: "AlterConfigs", Entity: orders, Code: code, CodeName: name, Message: message, Permission: permission}
	}
	for name, c := range map[string]struct {
		err  error
		want []string
	}{
		"refused":        {refusal(40, "INVALID_CONFIG", "Invalid value s3cr3t for configuration x", ""), []string{"INVALID_CONFIG: Invalid value (sensitive value) for", "nothing was written"}},
		"policy":         {refusal(44, "POLICY_VIOLATION", "s3cr3t is not allowed", ""), []string{"POLICY_VIOLATION: (sensitive value) is not allowed", "Correct the configuration"}},
		"not authorized": {refusal(29, "TOPIC_AUTHORIZATION_FAILED", "", `ALTER_CONFIGS on Topic "orders"`), []string{`Grant ALTER_CONFIGS on Topic "orders"`}},
		"unsupported":    {fmt.Errorf("IncrementalAlterConfigs: %w", kafkaapi.ErrUnsupported), []string{"does not offer"}},
		"hidden":         {&kafkaapi.HiddenValuesError{Entity: orders, Keys: []string{"a"}}, []string{"hidden values of a", "sensitive map"}},
		"wrong cluster":  {&kafkaapi.WrongClusterError{Want: "x", Got: "y"}, []string{`"y"`, `"x"`, "cluster_id"}},
		"no connection":  {&kafkaapi.ConnectError{Attempts: []string{"k:1: refused"}}, []string{"k:1: refused", "bootstrap_servers"}},
		"broker":         {&kafkaapi.BrokerError{Broker: 2, Request: "DescribeConfigs"}, []string{"broker 2", "request_timeout"}},
		"interrupted":    {fmt.Errorf("sending: %w", context.Canceled), []string{"interrupted", "Run it again"}},
		"out of time":    {context.DeadlineExceeded, []string{"The time given in the timeouts block is over. Raise it"}},
		"out of time at a broker": {fmt.Errorf("waiting for broker 2 to answer s3cr3t: %w", context.DeadlineExceeded),
			[]string{"The time given in the timeouts block is over, waiting for broker 2 to answer (sensitive value). Raise it"}},
		"another code": {refusal(41, "NOT_CONTROLLER", "", ""), []string{"NOT_CONTROLLER. Run it again"}},
		"odd message": {refusal(44, "POLICY_VIOLATION", "\x1b[31mNo!\r\nNever: s3cr3t. \n", ""),
			[]string{"POLICY_VIOLATION: \uFFFD[31mNo!\nNever: (sensitive value). Correct"}},
		"anything else": {errors.New("s3cr3t went wrong"), []string{"(sensitive value) went wrong. Run it again"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := (&Engine{}).explain(c.err, []string{"s3cr3t"})
			if strings.Contains(got, "s3cr3t") {
				t.Errorf("The secret is in %q", got)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in %q", want, got)
				}
			}
		})
	}
}

// What is about to be said of a write that does not show names values only of keys that may be shown.
func TestNotShownError(t *testing.T) {
	v := values{sensitive: mapOf(map[string]attr.Value{"b": types.StringValue("x"), "n": types.StringNull()}), sensitiveKeys: types.SetNull(types.StringType)}
	prior := values{sensitiveKeys: setValue([]string{"c"})}
	hidden := hiddenKeys(v, prior)
	if got := fmt.Sprint(hidden); got != "[b c]" {
		t.Errorf("Hidden are %s", got)
	}
	was, is := "s3cr3t", "1"
	err := &notShownError{broker: 2, hidden: hidden, wrong: []configset.Mismatch{{Key: "a", Want: &is}, {Key: "b", Want: &was, Got: &was}, {Key: "c", Got: &was}}}
	want := `the write was accepted, but broker 2 does not show it: a is not set although "1" was written; b is not as it was written; c is not as it was written`
	if got := err.Error(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A diagnostic stands on the declared key; a key that only another map or nobody declares has its map.
func TestPathOf(t *testing.T) {
	v := values{
		config:    mapOf(map[string]attr.Value{"a": types.StringValue("1"), "n": types.StringNull()}),
		sensitive: mapOf(map[string]attr.Value{"b": types.StringValue("2")}), writeOnly: mapOf(map[string]attr.Value{"c": types.StringValue("3")}),
	}
	for key, want := range map[string]string{"a": `config["a"]`, "b": `sensitive_config["b"]`, "c": `sensitive_config_wo["c"]`, "n": "config", "other": "config", "": "config"} {
		if got := v.pathOf(key).String(); got != want {
			t.Errorf("%q is at %s, want %s", key, got, want)
		}
	}
}

// Half a set is not checked: whole means every element, and names are known where only values are not.
func TestKnown(t *testing.T) {
	base := func(config types.Map) values {
		null := types.MapNull(types.StringType)
		return values{config: config, sensitive: null, writeOnly: null, unmanagedKeys: types.SetNull(types.StringType)}
	}
	unknownPattern := base(types.MapNull(types.StringType))
	unknownPattern.unmanagedKeys = types.SetValueMust(types.StringType, []attr.Value{types.StringUnknown()})
	unknownVersion := base(types.MapNull(types.StringType))
	unknownVersion.version = types.Int64Unknown()
	for name, c := range map[string]struct {
		v            values
		whole, names bool
	}{
		"null":            {base(types.MapNull(types.StringType)), true, true},
		"known":           {base(mapOf(map[string]attr.Value{"a": types.StringValue("1"), "n": types.StringNull()})), true, true},
		"element":         {base(mapOf(map[string]attr.Value{"a": types.StringUnknown()})), false, true},
		"map":             {base(types.MapUnknown(types.StringType)), false, false},
		"unknown pattern": {unknownPattern, false, false},
		"unknown version": {unknownVersion, false, true},
	} {
		if c.v.wholeKnown() != c.whole || c.v.namesKnown() != c.names {
			t.Errorf("%s: whole %v, names %v", name, c.v.wholeKnown(), c.v.namesKnown())
		}
	}
}
