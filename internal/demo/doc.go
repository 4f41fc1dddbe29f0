// SPDX-License-Identifier: MPL-2.0

// Command demo shows what the provider does, on three real brokers that it starts and stops: `make demo`.
//
// It plays a story in steps (story.go): topics made by hand are taken over, a drift is shown and repaired, the brokers refuse a bad
// value at plan. Each step checks what it claims, by Terraform's exit codes, by the plan's JSON, and by asking every broker with
// a client that is not the provider's; the exit code is 0 only if each did what it says.
package main
