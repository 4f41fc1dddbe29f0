// SPDX-License-Identifier: MPL-2.0

//go:build !race

package cli

// raceDetector tells whether the tests were built with -race.
const raceDetector = false
