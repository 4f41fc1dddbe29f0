// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"strings"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed/doors"
)

// C-111: with a real KDC, what opens and what is told where it does not.
func kerberosDoors(t *testing.T, d *doors.Doors) {
	if d.KDC == nil {
		t.Skip("did not run: MIT Kerberos is not installed (Debian: apt-get install krb5-kdc krb5-admin-server krb5-user)")
	}
	with := func(edit func(*Kerberos)) *SASL {
		k := &Kerberos{ServiceName: "kafka", Realm: testbed.Realm, Username: doors.User, Password: doors.Password, ConfigPath: d.KDC.Config()}
		edit(k)
		return &SASL{Mechanism: MechanismGSSAPI, Kerberos: k}
	}
	const alice = `Kerberos refuses user "alice" of realm "TESTBED.KAFKA": `
	const nobody = `Kerberos refuses user "nobody" of realm "TESTBED.KAFKA": KDC_ERR_C_PRINCIPAL_UNKNOWN Client not found in Kerberos database - CLIENT_NOT_FOUND`
	for name, c := range map[string]struct {
		sasl *SASL
		want string
		// refused is whether no other broker is asked.
		refused bool
	}{
		"password":        {with(func(*Kerberos) {}), "", false},
		"key table":       {with(func(k *Kerberos) { k.Password, k.KeytabPath = "", d.KDC.Keytab(doors.User) }), "", false},
		"wrong password":  {with(func(k *Kerberos) { k.Password = "canary-wrong" }), alice + "the password or the key table is not the user's", true},
		"no such user":    {with(func(k *Kerberos) { k.Username = "nobody" }), nobody, true},
		"another's table": {with(func(k *Kerberos) { k.Password, k.Username, k.KeytabPath = "", "nobody", d.KDC.Keytab(doors.User) }), nobody, true},
		"no such service": {with(func(k *Kerberos) { k.ServiceName = "zookeeper" }), alice + "KDC_ERR_S_PRINCIPAL_UNKNOWN Server not found in Kerberos database - LOOKING_UP_SERVER", true},
		"no such realm": {with(func(k *Kerberos) { k.Realm = "ELSEWHERE" }), "the authentication with GSSAPI failed: Networking_Error: AS Exchange Error: failed sending AS_REQ to KDC: " +
			"communication error with KDC via TCP: no KDCs defined in configuration for realm ELSEWHERE", false},
		"broken key table": {with(func(k *Kerberos) { k.Password, k.KeytabPath = "", "/dev/null" }), "the authentication with GSSAPI failed: byte array is less than 2 bytes: 0", false},
		// The library panics.
		"broken cache": {with(func(k *Kerberos) { k.Password, k.CachePath = "", "/dev/null" }), "the authentication with GSSAPI failed: the answer cannot be decoded", false},
	} {
		t.Run(name, func(t *testing.T) {
			servers := d.Servers(t, doors.Kerberos)
			client := newTestClient(t, Options{BootstrapServers: servers, SASL: c.sasl})
			err := client.ListConfigs(testContext(t), []Entity{BrokerEntity(3)}, ListConfigsOptions{})[0].Err
			var want []string
			for _, server := range servers {
				if want = append(want, server+": "+c.want); c.refused {
					break
				}
			}
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || err.Error() != "cannot connect to the Kafka cluster: "+strings.Join(want, "; ")):
				t.Errorf("got  %v\nwant %s", err, want)
			case errors.Is(err, ErrAuthentication) != c.refused:
				t.Errorf("refused: %t", !c.refused)
			}
		})
	}
}
