// SPDX-License-Identifier: MPL-2.0

// Package permissions has the tests of what the provider may and may not do: users of graded rights on real brokers with Kafka's own
// authorizer. They hold the provider to docs/guides/permissions.md: with exactly the ACLs that are listed there a run succeeds, and
// without any one of them it names the one that is missing.
package permissions
