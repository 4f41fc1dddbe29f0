// SPDX-License-Identifier: MPL-2.0

// Package throttle sets the replication throttle of moves and takes it back (KIP-73): throttled-replica lists, which are configs of topics,
// and rates, which are configs of brokers. A rate counts only for the replicas in the lists.
//
// What to write is decided by pure functions of what is there (list.go, entries.go, rates.go, leftover.go). Entries are set before rates and
// removed after them, so that whatever a killed run leaves shows at the topic: there is no rate without an entry that leads to it.
package throttle
