// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Realm is the Kerberos realm of every [KDC].
const Realm = "TESTBED.KAFKA"

// kerberosHost is the host in the principals of services. Clients take it from a broker's address, and Java's make it of 127.0.0.1 too.
const kerberosHost = "localhost"

// KDCOptions say whom a [KDC] knows.
type KDCOptions struct {
	// Services are the services on this machine that get a key of their own, kafka if there is none; see [ServicePrincipal].
	Services []string
	// Users are the passwords of users by their names, which both are ASCII without blanks and quotes. Users have a keytab too.
	Users map[string]string
}

// KDC is a running Kerberos key distribution centre, of MIT's krb5kdc, with a realm and a database of its own on loopback. It ends
// with [KDC.Close], and with this process, however it ends.
type KDC struct {
	dir      string
	address  string
	log      string
	programs kerberosPrograms
	watchdog *watchdog
}

// kerberosPrograms are the paths of MIT's programs.
type kerberosPrograms struct{ kdc, util, admin, kinit string }

// FindKDC reports in one line what is missing to run a [KDC], nil if nothing is.
func FindKDC() error {
	_, err := findKerberos(exec.LookPath)
	return err
}

func findKerberos(look func(string) (string, error)) (kerberosPrograms, error) {
	var p kerberosPrograms
	for name, at := range map[string]*string{"krb5kdc": &p.kdc, "kdb5_util": &p.util, "kadmin.local": &p.admin, "kinit": &p.kinit} {
		found, err := look(name)
		if err != nil {
			// Not on the PATH of users on Debian.
			if found, err = look(filepath.Join("/usr/sbin", name)); err != nil {
				return p, fmt.Errorf("%s not found: install MIT Kerberos (Debian: apt-get install krb5-kdc krb5-admin-server krb5-user)", name)
			}
		}
		*at = found
	}
	return p, nil
}

// OwnKDC starts a KDC for one test, which is skipped visibly where MIT Kerberos is not installed.
func OwnKDC(t testing.TB, o KDCOptions) *KDC {
	t.Helper()
	if err := FindKDC(); err != nil {
		t.Skipf("did not run: %v", err)
	}
	k, err := StartKDC(context.Background(), o)
	if err != nil {
		t.Fatalf("The test's KDC did not start: %v", err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Errorf("Close the test's KDC: %v", err)
		}
	})
	return k
}

// StartKDC starts a KDC and returns when it answers.
func StartKDC(ctx context.Context, o KDCOptions) (*KDC, error) {
	programs, err := findKerberos(exec.LookPath)
	if err != nil {
		return nil, err
	}
	if len(o.Services) == 0 {
		o.Services = []string{"kafka"}
	}
	dir, err := os.MkdirTemp("", "kafka-testbed-kdc-")
	if err != nil {
		return nil, err
	}
	k := &KDC{dir: dir, log: filepath.Join(dir, "kdc.log"), programs: programs}
	if k.watchdog, err = startWatchdog(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := k.start(ctx, o); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k, nil
}

func (k *KDC) start(ctx context.Context, o KDCOptions) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	k.address = fmt.Sprintf("%s:%d", loopback, port)
	if err := k.writeConfig(); err != nil {
		return err
	}
	if _, err := k.run(ctx, "", k.programs.util, "create", "-s", "-r", Realm, "-P", "master-key-of-a-test"); err != nil {
		return err
	}
	if err := k.addPrincipals(ctx, o); err != nil {
		return err
	}
	log, err := os.Create(k.log)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(k.programs.kdc, "-n", "-r", Realm)
	cmd.Env, cmd.Stdout, cmd.Stderr = k.environment(), log, log
	k.watchdog.join(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the KDC: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return k.waitAnswers(ctx, ended)
}

func (k *KDC) waitAnswers(ctx context.Context, ended <-chan error) error {
	ctx, cancel := context.WithTimeout(ctx, visibleTimeout)
	defer cancel()
	return poll(ctx, func() error {
		select {
		case err := <-ended:
			cancel()
			log, _ := os.ReadFile(k.log)
			return fmt.Errorf("the KDC ended: %w\n%s", err, tail(string(log), 10))
		default:
		}
		conn, err := net.DialTimeout("tcp", k.address, time.Second)
		if err != nil {
			return err
		}
		return conn.Close()
	})
}

// addPrincipals makes the principals with their keys, and a keytab for each.
func (k *KDC) addPrincipals(ctx context.Context, o KDCOptions) error {
	var script strings.Builder
	want := []string{}
	for _, service := range o.Services {
		principal := ServicePrincipal(service)
		fmt.Fprintf(&script, "addprinc -randkey %s\nktadd -norandkey -k %s %[1]s\n", principal, k.Keytab(service))
		want = append(want, principal)
	}
	for _, user := range slices.Sorted(maps.Keys(o.Users)) {
		fmt.Fprintf(&script, "addprinc -pw %s %s\nktadd -norandkey -k %s %[2]s\n", o.Users[user], user, k.Keytab(user))
		want = append(want, user+"@"+Realm)
	}
	script.WriteString("listprincs\n")
	output, err := k.run(ctx, script.String(), k.programs.admin, "-r", Realm)
	if err != nil {
		return err
	}
	has := strings.Fields(output)
	for _, principal := range want {
		if !slices.Contains(has, principal) {
			return fmt.Errorf("the KDC has no principal %s: kadmin.local says\n%s", principal, output)
		}
	}
	return nil
}

// ServicePrincipal is the principal of a service on this machine, for example kafka/localhost@TESTBED.KAFKA.
func ServicePrincipal(service string) string { return service + "/" + kerberosHost + "@" + Realm }

// Config is the path of the krb5.conf with which clients and brokers find the KDC.
func (k *KDC) Config() string { return filepath.Join(k.dir, "krb5.conf") }

// Keytab is the path of the keytab of a service or a user, by its name.
func (k *KDC) Keytab(name string) string { return filepath.Join(k.dir, name+".keytab") }

// Ticket gets a ticket for a user, as kinit does, and returns the path of the cache that holds it.
func (k *KDC) Ticket(ctx context.Context, user string) (cache string, err error) {
	cache = filepath.Join(k.dir, user+".cache")
	_, err = k.run(ctx, "", k.programs.kinit, "-c", cache, "-k", "-t", k.Keytab(user), user+"@"+Realm)
	return cache, err
}

// Kerberos is how a listener with GSSAPI, whose host has to be "localhost", logs in as a service.
func (k *KDC) Kerberos(service string) Kerberos {
	return Kerberos{Config: k.Config(), Keytab: k.Keytab(service), Service: service}
}

// Close ends the KDC and removes its files.
func (k *KDC) Close() error {
	k.watchdog.close()
	return os.RemoveAll(k.dir)
}

// run runs one of MIT's programs with the KDC's configuration.
func (k *KDC) run(ctx context.Context, input, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = k.environment()
	cmd.Stdin = strings.NewReader(input)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return output.String(), fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, tail(output.String(), 10))
	}
	return output.String(), nil
}

func (k *KDC) environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "KRB5_CONFIG=" + k.Config(), "KRB5_KDC_PROFILE=" + filepath.Join(k.dir, "kdc.conf")}
}

// writeConfig writes krb5.conf and kdc.conf. Everything goes over TCP, and no name service is asked.
func (k *KDC) writeConfig() error {
	client := fmt.Sprintf(`[libdefaults]
  default_realm = %[1]s
  dns_lookup_realm = false
  dns_lookup_kdc = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
  ticket_lifetime = 24h

[realms]
  %[1]s = {
    kdc = %[2]s
  }

[domain_realm]
  %[3]s = %[1]s
`, Realm, k.address, kerberosHost)
	server := fmt.Sprintf(`[kdcdefaults]
  kdc_listen = ""
  kdc_tcp_listen = %[2]s

[realms]
  %[1]s = {
    database_name = %[3]s/principal
    key_stash_file = %[3]s/stash
    acl_file = %[3]s/kadm5.acl
    max_life = 24h
    supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal
  }

[logging]
  kdc = STDERR
`, Realm, k.address, k.dir)
	return errors.Join(os.WriteFile(k.Config(), []byte(client), 0o600), os.WriteFile(filepath.Join(k.dir, "kdc.conf"), []byte(server), 0o600))
}
