// SPDX-License-Identifier: MPL-2.0

// Package testbed holds the files that describe the brokers: the Compose file, the Maven projects, and the servers' log set-up.
// They are embedded, so that the test bed works from any directory.
package testbed

import "embed"

// Files has the Compose files, the set-ups of the servers' logs, a pom for the class path of each of Kafka's major versions, and the
// policy with its own.
//
//go:embed compose.yaml compose.policy.yaml pom.xml pom-2.xml pom-3.xml log4j2.yaml log4j.properties policy/pom.xml policy/src
var Files embed.FS
