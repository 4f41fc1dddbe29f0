// SPDX-License-Identifier: MPL-2.0

// Package certs makes what TLS listeners and their clients are tested with: authorities, certificates that are right or wrong in one
// way, and the store files that brokers read. Nothing of it is fit for anything but tests.
package certs
