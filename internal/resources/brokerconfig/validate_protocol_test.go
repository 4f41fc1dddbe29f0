// SPDX-License-Identifier: MPL-2.0

package brokerconfig_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// C-26: what needs no broker is refused before any is asked.
func TestInvalidConfiguration(t *testing.T) {
	for name, c := range map[string]struct {
		config   values
		path     string
		mentions []string
	}{
		"both":               {values{"broker_id": 1, "cluster_default": true}, "broker_id", []string{"broker_id", "cluster_default"}},
		"neither":            {values{"config": configs{"a": "1"}}, "", []string{"broker_id", "cluster_default"}},
		"default is false":   {values{"cluster_default": false}, "cluster_default", []string{"true"}},
		"negative id":        {values{"broker_id": -1}, "broker_id", []string{"at least 0"}},
		"trigger at default": {values{"cluster_default": true, "reload_trigger": "x"}, "reload_trigger", []string{"cluster_default"}},
		"declared twice":     {values{"broker_id": 1, "config": configs{"a": "1"}, "sensitive_config": configs{"a": "2"}}, `sensitive_config["a"]`, []string{"in config and in sensitive_config"}},
		"no version":         {values{"broker_id": 1, "sensitive_config_wo": configs{"a": "1"}}, "sensitive_config_wo", []string{"sensitive_config_wo_version"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := acctest.New(t, nil).Start().Validate(typeName, c.config).One(t)
			if got.Path != c.path {
				t.Errorf("%s\nwant it at %q", got, c.path)
			}
			mentions(t, got, c.mentions...)
		})
	}
	start := acctest.New(t, nil).Start()
	start.Validate(typeName, values{"broker_id": acctest.Unknown, "config": acctest.Unknown, "reload_trigger": acctest.Unknown}).None(t)
	start.Validate(typeName, values{"broker_id": 0}).None(t)
	start.Validate(typeName, values{"cluster_default": true}).None(t)
}
