// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
)

func TestPolicyRefusesAndAllows(t *testing.T) {
	c := Shared(t)
	topic := c.UniqueTopic(t, 1, 3)
	admin := c.Admin(t)
	tests := map[string]struct {
		value   string
		refused bool
	}{
		"ten years":          {value: "315360000000"},
		"more than that":     {value: "315360000001", refused: true},
		"for ever":           {value: "-1"},
		"a year, with space": {value: " 31536000000 "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			set := []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "retention.ms", Value: &tt.value}}
			responses, err := admin.ValidateAlterTopicConfigs(context.Background(), set, topic)
			if err != nil {
				t.Fatal(err)
			}
			got := responses[0]
			if !tt.refused {
				if got.Err != nil {
					t.Fatalf("refused: %v: %s", got.Err, got.ErrMessage)
				}
				return
			}
			if !errors.Is(got.Err, kerr.PolicyViolation) || !strings.Contains(got.ErrMessage, "more than ten years") {
				t.Fatalf("got %v %q, want a policy violation that names the rule", got.Err, got.ErrMessage)
			}
		})
	}
}
