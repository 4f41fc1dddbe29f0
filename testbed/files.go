// SPDX-License-Identifier: MPL-2.0

// Package testbed holds the files that describe the brokers: the Compose file, the Maven projects, and the servers' log set-up.
// They are embedded, so that the test bed works from any directory.
package testbed

import "embed"

// Files has the Compose files, the servers' log4j2.yaml, pom.xml for the class path, and the policy with its own pom.xml.
//
//go:embed compose.yaml compose.policy.yaml pom.xml log4j2.yaml policy/pom.xml policy/src
var Files embed.FS
