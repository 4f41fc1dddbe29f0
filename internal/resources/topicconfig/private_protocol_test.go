// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import "testing"

// Terraform writes the whole state after each change, so nothing is kept beside an ordinary one: not after a create, not after an update,
// not after a refresh. What somebody else added has to be told from what was declared, until it is gone.
func TestNothingIsKeptBesideAnOrdinaryState(t *testing.T) {
	b := newBench(t, nil)
	kept := func(when, want string) {
		t.Helper()
		if got := b.resource.Private(); got != want {
			t.Errorf("Kept %s: %s, want %q", when, got, want)
		}
	}
	first := configs{"cleanup.policy": "delete", "retention.ms": "700000000", "min.cleanable.dirty.ratio": "0.25", "preallocate": "true"}
	b.tf.Apply(b.resource, b.declare(first)).None(t)
	kept("after the create", "")
	second := configs{"cleanup.policy": "delete", "retention.ms": "800000000"}
	b.tf.Apply(b.resource, b.declare(second)).None(t)
	kept("after the update", "")
	b.tf.Empty(b.resource, b.declare(second))
	kept("after the refresh", "")

	b.outside(map[string]any{"segment.ms": "80000"})
	b.tf.Walk().Refresh(b.resource).None(t)
	kept("with a foreign config", `{"entityconfig":"eyJkZWNsYXJlZCI6WyJjbGVhbnVwLnBvbGljeSIsInJldGVudGlvbi5tcyJdfQ=="}`)
	b.tf.Apply(b.resource, b.declare(second)).None(t)
	kept("after the foreign config was reset", "")

	// A list and a string, as the brokers say.
	third := configs{"retention.ms": "800000000", "compression.type": "zstd", "cleanup.policy": "compact"}
	b.tf.Apply(b.resource, b.declare(third))
	kept("with a list and a string", "")
}
