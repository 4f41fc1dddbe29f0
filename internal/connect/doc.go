// SPDX-License-Identifier: MPL-2.0

// Package connect makes what connections to brokers are opened with, out of settings that people write: certificates and keys,
// proxies, and tokens. It connects to no broker; internal/kafkaapi does, with what it is given.
package connect
