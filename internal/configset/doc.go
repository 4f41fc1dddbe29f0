// SPDX-License-Identifier: MPL-2.0

// Package configset decides what has to be written so that the declared configs of a Kafka entity become its whole set.
//
// It is pure: it knows neither Terraform nor a Kafka client, and every function's answer depends on its arguments only. The
// vocabulary:
//
//   - An entry is one config of an entity as a broker describes it. It is the entity's own where the entity itself holds it,
//     other than inheriting it; only own entries make up the set.
//   - The declared configs come in three maps: plain, sensitive (its values are known but must not be shown) and write-only
//     (its values are known only while a configuration is at hand, never afterwards).
//   - A key is left alone if it is not declared and belongs to somebody else: reassignment throttles, keys matching a pattern.
//
// Refresh turns what is on the entity into state; ForCreate, ForUpdate and ForDestroy turn declarations into a Change; Verify
// tells whether a Change has arrived. Equality is by type, so that 1.0E8 and 100000000.0 are one value (equal.go).
package configset
