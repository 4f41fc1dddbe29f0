// SPDX-License-Identifier: MPL-2.0

// Package reassign runs the moves of all topics of a run: it caps how many replicas are copied into or out of one broker at a time,
// throttles them, watches all of them with one poll, tells the progress, notices moves that cannot end, and takes its throttle
// back. Decisions (schedule, throttle, stall) are pure functions of what was read; the executor sends and waits.
package reassign
