// SPDX-License-Identifier: MPL-2.0

package permissions_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

// listener is where users log in.
const listener = "GRADED"

// own is the cluster of this package's tests: three brokers with an authorizer. Each test has a user of its own.
var own struct {
	once    sync.Once
	cluster *testbed.Cluster
	err     error

	mu    sync.Mutex
	users int
}

// users are names and passwords of users without any rights, one for each test.
func users() map[string]string {
	all := map[string]string{}
	for i := 1; i <= 60; i++ {
		all[fmt.Sprintf("user-%d", i)] = fmt.Sprintf("password-of-%d", i)
	}
	return all
}

// ownCluster starts the package's cluster at the first call.
func ownCluster(t testing.TB) *testbed.Cluster {
	t.Helper()
	if testbed.UsesDocker() {
		t.Skip("did not run: the shared cluster runs in Docker without an authorizer, and this test needs one")
	}
	own.once.Do(func() {
		own.cluster, own.err = testbed.Start(context.Background(), testbed.Options{Authorizer: true, Listeners: []testbed.Listener{{
			Name: listener, Protocol: "SASL_PLAINTEXT", SASL: &testbed.SASL{Mechanisms: []string{testbed.Plain}, Users: users()},
		}}})
	})
	if own.err != nil {
		t.Fatalf("The package's cluster did not start: %v", own.err)
	}
	return own.cluster
}

// newUser gives a user that no other test has.
func newUser(t testing.TB) (name, password string) {
	t.Helper()
	own.mu.Lock()
	defer own.mu.Unlock()
	own.users++
	name = fmt.Sprintf("user-%d", own.users)
	password, ok := users()[name]
	if !ok {
		t.Fatalf("There are no more than %d users", own.users-1)
	}
	return name, password
}

func TestMain(m *testing.M) {
	code := m.Run()
	if c := own.cluster; c != nil {
		if err := closeAfter(c, code); err != nil {
			fmt.Fprintln(os.Stderr, "Close the package's cluster:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// closeAfter closes the cluster, and keeps the logs if the tests failed.
func closeAfter(c *testbed.Cluster, code int) error {
	if code == 0 {
		return c.Close()
	}
	dir, err := c.CloseKeepingLogs()
	fmt.Fprintln(os.Stderr, "The servers' logs are in", dir)
	return err
}
