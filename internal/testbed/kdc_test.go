// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A broker takes Kerberos tickets of a real KDC, and knows their users: Kafka's own tool logs in with keytabs and with a ticket.
func TestKerberosListener(t *testing.T) {
	kdc := OwnKDC(t, KDCOptions{Users: map[string]string{"alice": "alice-secret", "bob": "bob-secret"}})
	c := Own(t, Options{Brokers: 1, Authorizer: true, Listeners: []Listener{{Name: "KERBEROS", Protocol: "SASL_PLAINTEXT", Host: "localhost", SASL: &SASL{
		Mechanisms: []string{GSSAPI}, Kerberos: kdc.Kerberos("kafka"),
	}}}})
	topic := c.UniqueTopic(t, 1, 1)
	c.Grant(t, "alice", fmt.Sprintf("DESCRIBE on Topic %q", topic), fmt.Sprintf("DESCRIBE_CONFIGS on Topic %q", topic))
	ticket, err := kdc.Ticket(context.Background(), "alice")
	if err != nil {
		t.Fatal(err)
	}
	keytab := func(user string) string { return fmt.Sprintf(`useKeyTab=true keyTab="%s"`, kdc.Keytab(user)) }
	for name, tt := range map[string]struct{ user, credentials, want string }{
		"keytab":                {"alice", keytab("alice"), "Dynamic configs for topic " + topic},
		"ticket":                {"alice", fmt.Sprintf(`useTicketCache=true ticketCache="%s"`, ticket), "Dynamic configs for topic " + topic},
		"a user without ACLs":   {"bob", keytab("bob"), "doesn't exist"},
		"the keytab of another": {"alice", keytab("bob"), "LoginException"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output, err := describeWithKerberos(t, c, kdc, topic, fmt.Sprintf(`principal="%s@%s" %s`, tt.user, Realm, tt.credentials))
			if !strings.Contains(output, tt.want) || (err != nil) != (tt.want == "LoginException") {
				t.Errorf("%v, want %q in\n%s", err, tt.want, output)
			}
		})
	}
}

// describeWithKerberos runs Kafka's config tool as a client whose login module has these options.
func describeWithKerberos(t *testing.T, c *Cluster, kdc *KDC, topic, login string) (string, error) {
	t.Helper()
	servers, err := c.ListenerServers("KERBEROS")
	if err != nil {
		t.Fatal(err)
	}
	properties := filepath.Join(t.TempDir(), "client.properties")
	content := "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=GSSAPI\nsasl.kerberos.service.name=kafka\n" +
		"sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required " + login + ";\n"
	if err := os.WriteFile(properties, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, err := ToolCommand(context.Background(), c.version(), "org.apache.kafka.tools.ConfigCommand",
		"--bootstrap-server", servers[0], "--command-config", properties, "--describe", "--topic", topic)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Env, "JAVA_TOOL_OPTIONS=-Djava.security.krb5.conf="+kdc.Config())
	output, err := cmd.CombinedOutput()
	return string(output), err
}

func TestKerberosThatIsNotInstalled(t *testing.T) {
	_, err := findKerberos(func(name string) (string, error) {
		if strings.HasSuffix(name, "kinit") {
			return "", exec.ErrNotFound
		}
		return name, nil
	})
	if err == nil || err.Error() != "kinit not found: install MIT Kerberos (Debian: apt-get install krb5-kdc krb5-admin-server krb5-user)" {
		t.Errorf("got %v", err)
	}
}
