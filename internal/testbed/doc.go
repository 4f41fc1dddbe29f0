// SPDX-License-Identifier: MPL-2.0

// Package testbed starts real Kafka brokers for tests, the demo and benchmarks.
//
// Brokers run on a JVM of this machine, from jars that Maven resolves once; testbed/compose.yaml describes them, for Docker and for
// the JVM alike. A test takes the cluster that all tests share ([Shared]), or, where it stops brokers or changes what others would
// see, one of its own ([Own]). [Record] puts a proxy in front of a cluster that knows Kafka's protocol: it counts requests, and loses
// or forges answers on demand.
//
// [Options] choose the version, down to Kafka 2.2 on ZooKeeper, and add to what is described: brokers, a separate controller, listeners
// with TLS (package certs makes their stores) and SASL (package oauth gives tokens, [StartKDC] tickets), an authorizer, properties, network proxies.
//
// The package needs Linux or macOS, Java 17 or later, and Maven. Nothing of it may be imported by the provider.
package testbed
