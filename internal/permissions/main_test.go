// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// listener is where users log in.
const listener = "GRADED"

// own is the cluster of this package's tests: three brokers with an authorizer. Each test has a user of its own.
var own = testbed.OfPackage{
	Options: testbed.Options{Authorizer: true, Listeners: []testbed.Listener{{
		Name: listener, Protocol: "SASL_PLAINTEXT", SASL: &testbed.SASL{Mechanisms: []string{testbed.Plain}, Users: users()},
	}}},
	Needs: "an authorizer",
}

// taken counts the users that tests have.
var taken atomic.Int32

// users are names and passwords of users without any rights, one for each test.
func users() map[string]string {
	all := map[string]string{}
	for i := 1; i <= 60; i++ {
		all[fmt.Sprintf("user-%d", i)] = fmt.Sprintf("password-of-%d", i)
	}
	return all
}

// newUser gives a user that no other test has.
func newUser(t testing.TB) (name, password string) {
	t.Helper()
	n := taken.Add(1)
	name = fmt.Sprintf("user-%d", n)
	password, ok := users()[name]
	if !ok {
		t.Fatalf("There are no more than %d users", n-1)
	}
	return name, password
}

func TestMain(m *testing.M) { own.Main(m) }
