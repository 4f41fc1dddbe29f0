// SPDX-License-Identifier: MPL-2.0

package provider

import "testing"

// A log that somebody asked for, by whichever variable, stays as it is.
func TestUnreadLogs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment map[string]string
		quiet       bool
	}{
		"nothing set":         {nil, true},
		"off":                 {map[string]string{"TF_LOG": "off", "TF_LOG_PROVIDER": "OFF"}, true},
		"of the core only":    {map[string]string{"TF_LOG_CORE": "TRACE"}, true},
		"a path and no level": {map[string]string{"TF_LOG_PATH": "log"}, true},
		"everything":          {map[string]string{"TF_LOG": "info"}, false},
		"as JSON":             {map[string]string{"TF_LOG": "json"}, false},
		"of providers":        {map[string]string{"TF_LOG_PROVIDER": "DEBUG"}, false},
		"of the SDK":          {map[string]string{"TF_LOG_SDK_PROTO": "TRACE"}, false},
	} {
		if got := len(unreadLogs(func(name string) string { return test.environment[name] })) > 0; got != test.quiet {
			t.Errorf("%s: quiet is %t, want %t", name, got, test.quiet)
		}
	}
}
