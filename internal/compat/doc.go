// SPDX-License-Identifier: MPL-2.0

// Package compat has the acceptance suites of the config resources in a form that holds on brokers of every age: topics' and brokers'
// configs on Kafka 4.4 with separate controllers, 4.0, 3.9 on KRaft and on ZooKeeper, and 2.2 on ZooKeeper.
//
// What a version is known to lack is written down with the API that it lacks, and a test fails if the brokers offer it after all, or
// do not offer what is not in the list. A case that needs what is lacking asserts what happens instead.
//
// Everything runs with COMPAT=1 (make test-compat), which prints a table; otherwise the cases that matter most run on the oldest
// version alone.
package compat
