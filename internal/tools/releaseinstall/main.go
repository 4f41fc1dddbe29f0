// SPDX-License-Identifier: MPL-2.0

// Command releaseinstall installs a release's zip as a person without the Registry would, from a filesystem mirror, and
// plans with it on real brokers.
//
//	testbed run -- releaseinstall [-terraform PATH] DIRECTORY
//
// Two plans: one that the brokers accept, and one that they refuse in their own words, which shows that the installed
// binary spoke to them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

func main() {
	terraform := flag.String("terraform", "terraform", "the CLI")
	flag.Parse()
	servers := os.Getenv(testbed.EnvBootstrapServers)
	if flag.NArg() != 1 || servers == "" {
		fmt.Fprintln(os.Stderr, "usage: testbed run -- releaseinstall [-terraform PATH] DIRECTORY")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := verify(ctx, *terraform, flag.Arg(0), servers)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "releaseinstall:", err)
		os.Exit(1)
	}
}

// verify does it all in a directory that it removes.
func verify(ctx context.Context, terraform, dist, servers string) error {
	dir, err := os.MkdirTemp("", "releaseinstall")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // best effort, in the system's temporary directory
	w, err := newWorkspace(dir, dist)
	if err != nil {
		return err
	}
	w.terraform, w.servers = terraform, servers
	if err := w.install(ctx); err != nil {
		return err
	}
	if err := w.planAccepted(ctx); err != nil {
		return err
	}
	if err := w.planRefused(ctx); err != nil {
		return err
	}
	fmt.Printf("installed %s from a filesystem mirror; the brokers accepted one plan and refused another\n", w.zip)
	return nil
}
