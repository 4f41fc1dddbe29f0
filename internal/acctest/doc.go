// SPDX-License-Identifier: MPL-2.0

// Package acctest plays Terraform's part in tests: it drives the provider through its protocol server, in process, the way Terraform
// core does, and fails the test where core would say that the provider is broken.
//
// A [Terraform] is one configuration of the provider. A [Walk] is one process of the provider, as core starts one for each of
// validate, plan and apply. A [Resource] is what state holds of one resource. Values are plain Go ones: see [Values].
//
// What core checks is checked: a planned value is the configured or the prior one unless it is computed, a second plan at apply agrees
// with the first, the applied state is what was planned, write-only values stay out of plan and state.
package acctest
