// SPDX-License-Identifier: MPL-2.0

// Command testbed starts real Kafka brokers on this machine.
//
//	testbed up [-version 4.4.0] [-policy]      start three brokers in the background, and print how a shell finds them
//	testbed status                             say whether they run, and where
//	testbed down                               stop them
//	testbed run [-version 4.4.0] -- command    start brokers with a policy, run a command that finds them, and stop them
//	testbed tool kafka-topics.sh [argument]    run one of Kafka's own tools, where no Kafka is installed
//
// What a shell should evaluate is on standard output, all else on standard error.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const usage = "usage: testbed up [-version v] [-policy] | status | down | run [-version v] -- command [argument ...] | tool kafka-topics.sh [argument ...]"

// Exit codes of the command itself; run exits with the code of its command.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitNotRunning = 3
)

func main() { os.Exit(command(context.Background(), os.Args[1:])) }

func command(ctx context.Context, args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, usage)
		return exitUsage
	}
	var o testbed.Options
	flags := flag.NewFlagSet("testbed", flag.ContinueOnError)
	flags.StringVar(&o.Version, "version", testbed.DefaultVersion, "Kafka's version")
	flags.StringVar((*string)(&o.Mode), "mode", string(testbed.KRaft), "how brokers find each other: kraft, or zookeeper before Kafka 4.0")
	flags.BoolVar(&o.Policy, "policy", false, "have the brokers refuse some configs (testbed/policy)")
	if err := flags.Parse(args[1:]); err != nil {
		return exitUsage
	}
	code, err := dispatch(ctx, args[0], o, flags.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "testbed:", err)
	}
	return code
}

func dispatch(ctx context.Context, name string, o testbed.Options, rest []string) (int, error) {
	if name == "run" && len(rest) > 0 {
		return run(ctx, o, rest)
	}
	if name == "tool" && len(rest) > 0 {
		return tool(ctx, rest[0], rest[1:])
	}
	if len(rest) > 0 {
		name = ""
	}
	switch name {
	case "up":
		return up(o)
	case "status":
		return status(ctx)
	case "down":
		return down(ctx)
	case serveCommand:
		return serve(ctx, o)
	}
	fmt.Fprintln(os.Stderr, usage)
	return exitUsage, nil
}
