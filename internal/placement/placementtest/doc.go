// SPDX-License-Identifier: MPL-2.0

// Package placementtest judges topic layouts on its own: it shares no code and no types with the engine that makes
// them. It is slow and simple where the engine is fast and clever, so that the two can only agree if both are right.
//
// A layout is a slice of replica lists by partition, preferred leader first; racks maps each broker to its rack.
package placementtest
