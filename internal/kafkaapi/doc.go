// SPDX-License-Identifier: MPL-2.0

// Package kafkaapi speaks Kafka's admin protocol in three verbs, which KIP-4 named and Kafka ships under several API keys:
//
//   - ListConfigs: the exact set of configs of entities (DescribeConfigs, key 32)
//   - AlterConfigs: what to set and what to delete on entities (IncrementalAlterConfigs 44, else AlterConfigs 33)
//   - AlterTopics: partition counts and replica assignments (37, 45, 46, 43)
//
// Each verb takes many entities in one call and answers with an error per entity. It is the only package that imports sarama;
// no type of sarama leaves it. Requests are sent raw: the library's admin helpers take one resource at a time, retry a read
// timeout on a connection that is dead for good, know no context and drop brokers' messages.
package kafkaapi
