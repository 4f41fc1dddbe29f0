// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package cli

import (
	"errors"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func killProviders(*exec.Cmd) error {
	return errors.New("this system has no signal that a test could kill a provider with")
}

func interruptGroup(*exec.Cmd) error {
	return errors.New("this system has no signal that a test could send as Ctrl-C")
}
