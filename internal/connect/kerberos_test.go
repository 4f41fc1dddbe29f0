// SPDX-License-Identifier: MPL-2.0

package connect

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// C-111: files of Kerberos that are wrong are told at their attribute, before a connection is tried.
func TestKerberosFiles(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(garbage, []byte("\x05\x04 garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		files         KerberosFiles
		setting, want string
	}{
		"no config":        {KerberosFiles{Config: "/no/such"}, "krb5_config_path", "the file /no/such cannot be"},
		"no key table":     {KerberosFiles{Keytab: "/no/such"}, "keytab_path", "the file /no/such cannot be read: no such file or directory"},
		"empty key table":  {KerberosFiles{Keytab: "/dev/null"}, "keytab_path", "the file /dev/null cannot be used"},
		"broken key table": {KerberosFiles{Keytab: garbage}, "keytab_path", "the file " + garbage},
		"no cache":         {KerberosFiles{Cache: "/no/such"}, "keytab_path", "/no/such cannot be read: no such file or directory; run kinit"},
		"empty cache":      {KerberosFiles{Cache: "/dev/null"}, "keytab_path", "the file /dev/null is not of the expected format; run kinit"},
		"broken cache":     {KerberosFiles{Cache: garbage}, "keytab_path", "the file " + garbage},
	} {
		var failed *SettingError
		if err := c.files.Check(); !errors.As(err, &failed) || failed.Setting != c.setting || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestKerberosFilesOfAKDC(t *testing.T) {
	kdc := testbed.OwnKDC(t, testbed.KDCOptions{Users: map[string]string{"alice": "canary-secret"}})
	cache, err := kdc.Ticket(t.Context(), "alice")
	if err != nil {
		t.Fatal(err)
	}
	if err := (KerberosFiles{Config: kdc.Config(), Keytab: kdc.Keytab("alice"), Cache: cache}).Check(); err != nil {
		t.Error(err)
	}
}
