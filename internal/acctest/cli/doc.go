// SPDX-License-Identifier: MPL-2.0

// Package cli runs the real terraform command with the real provider binary. It is for acceptance tests of what an in-process
// provider cannot show: exit codes, what a person reads, logs, saved plans, state files, and signals.
//
// A test takes a [Workspace], writes files into it and runs commands:
//
//	w := cli.New(t)
//	w.Write("main.tf", configuration)
//	w.Run("apply", "-auto-approve").Succeeds()
//
// Like terraform-plugin-testing it runs only if TF_ACC is set, and takes the command that TF_ACC_TERRAFORM_PATH names, else the
// terraform of PATH.
package cli
