// SPDX-License-Identifier: MPL-2.0

// Package testbed holds the files that describe the brokers: the Compose file, the Maven projects, and the servers' log set-up.
// They are embedded, so that the test bed works from any directory.
package testbed

import "embed"

// Files has compose.yaml, pom.xml and log4j2.yaml.
//
//go:embed compose.yaml pom.xml log4j2.yaml
var Files embed.FS
