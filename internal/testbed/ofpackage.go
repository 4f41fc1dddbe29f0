// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
)

// OfPackage is a cluster that the tests of one package share and that no other package has, for tests that change settings of the whole
// cluster or stop its brokers. It starts with the first test that asks for it.
type OfPackage struct {
	Options Options
	// Needs says what the shared cluster in Docker lacks, where the tests do not run.
	Needs string
	// Prepare, where there is one, is done once with the cluster that has just started.
	Prepare func(*Cluster) error

	once    sync.Once
	cluster *Cluster
	err     error
}

// Cluster gives the package's cluster, which it starts at the first call.
func (p *OfPackage) Cluster(t testing.TB) *Cluster {
	t.Helper()
	if UsesDocker() {
		t.Skip("did not run: the shared cluster runs in Docker, and this test needs " + p.Needs)
	}
	p.once.Do(func() {
		p.cluster, p.err = Start(context.Background(), p.Options)
		if p.err == nil && p.Prepare != nil {
			p.err = p.Prepare(p.cluster)
		}
	})
	if p.err != nil {
		t.Fatalf("The package's cluster did not start: %v", p.err)
	}
	return p.cluster
}

// Main runs the tests of the package and closes the cluster. Use it as the package's TestMain.
func (p *OfPackage) Main(m *testing.M) {
	code := m.Run()
	if p.cluster != nil {
		if err := closeAfter(p.cluster, code); err != nil {
			fmt.Fprintln(os.Stderr, "Close the package's cluster:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}
