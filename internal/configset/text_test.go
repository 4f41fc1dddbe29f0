// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"strings"
	"testing"
)

func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern, key string
		want         bool
	}{
		{"confluent.*", "confluent.value.schema.validation", true},
		{"confluent.*", "retention.ms", false},
		{"*", "a.b/c", true},
		{"?.b", "a.b", true},
		{"?.b", "aa.b", false},
		{"*.ms", "retention.ms", true},
		{"retention.ms", "local.retention.ms", false},
		{"[ab].x", "b.x", true},
	} {
		if got := (Globs{c.pattern}).Match(c.key); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.key, got)
		}
	}
	for _, bad := range []string{"", " ", "[a", "a\\"} {
		if CheckGlob(bad) == nil {
			t.Errorf("pattern %q was taken", bad)
		}
	}
	if err := CheckGlob("confluent.*"); err != nil {
		t.Error(err)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"retention.ms", "retention.bytes", "segment.ms", "num.io.threads", "cleanup.policy"}
	for name, want := range map[string]string{"retention.mss": "retention.ms", "num.io.thread": "num.io.threads", "cleanup-policy": "cleanup.policy", "completely.different.thing": ""} {
		if got, _ := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

// A message may quote a secret as typed, trimmed, parsed or in part.
func TestScrub(t *testing.T) {
	jaas := `org.apache.kafka.common.security.plain.PlainLoginModule required username="svc" password="hunter22";`
	for _, c := range []struct{ name, secret, text, leak string }{
		{"verbatim", "s3cr3t", "Invalid value s3cr3t for configuration x", "s3cr3t"},
		{"trimmed", "  s3cr3t ", "Invalid value s3cr3t for configuration x", "s3cr3t"},
		{"parsed number", "-05", "Invalid value -5 for configuration x", "-5"},
		{"parsed double", "1.50", "Invalid value 1.5 for configuration x", "1.5"},
		{"parsed large double", "250000000", "Invalid value 2.5E8 for configuration x", "2.5E8"},
		{"parsed small double", ".0000125", "Invalid value 1.25E-5 for configuration x", "1.25E-5"},
		{"parsed whole double", "7e0", "Invalid value 7.0 for configuration x", "7.0"},
		{"item of a list", "one,two2", "Invalid value two2 for configuration x", "two2"},
		{"option of a JAAS entry", jaas, "bad option hunter22", "hunter22"},
		{"as a whole though part of it is a secret too", "abcd efgh", "got abcd efgh.", "efgh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(c.text, c.leak) {
				t.Fatal("the text of the test shows no secret")
			}
			got := Scrub(c.text, []string{c.secret})
			if strings.Contains(got, c.leak) {
				t.Errorf("still there: %s", got)
			}
			if !strings.Contains(got, Redacted) || strings.Contains(got, "(sensitive (") {
				t.Errorf("mutilated: %s", got)
			}
		})
	}
	const unmarked = "Invalid value (sensitive value) for configuration segment.bytes: Value must be at least 1048576"
	if got := Scrub("Invalid value 7 for configuration segment.bytes: Value must be at least 1048576", []string{"07"}); got != unmarked {
		t.Errorf("A gap tells the secret: %s", got)
	}
	for _, text := range []string{"7", "[7]", "7.", "-7", "x=7;", "7,8"} {
		if got := Scrub(text, []string{"7"}); strings.Contains(got, "7") {
			t.Errorf("%q became %q", text, got)
		}
	}
	if text := "nothing to hide"; Scrub(text, []string{"", "  "}) != text {
		t.Error("an empty secret changed the text")
	}
}
