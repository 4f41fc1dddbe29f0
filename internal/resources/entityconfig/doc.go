// SPDX-License-Identifier: MPL-2.0

// Package entityconfig is what the config resources share on Terraform's side: schema parts, plan, refresh, apply, diagnostics.
//
// A resource package brings a Kind, which knows what is particular to its entity (topics, brokers), and hands its framework calls
// to an Engine. The engine reads the shared attributes by path, so it knows no resource's model. What has to be written is
// decided by configset, which is pure; the engine asks the brokers and waits.
//
// The planned attributes are a function of configuration, state and private state, never of what the brokers say at the moment:
// Terraform plans a second time at apply and compares. Live answers feed only errors and warnings.
package entityconfig
