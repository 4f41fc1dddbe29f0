// SPDX-License-Identifier: MPL-2.0

package topicconfig_test

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
)

// spellings are values as a user may write them, and as a broker prints them.
var spellings = map[string]struct{ written, printed, other string }{
	"cleanup.policy":            {"delete , compact", "delete,compact", "compact"},
	"min.cleanable.dirty.ratio": {".50", "0.5", "0.25"},
	"preallocate":               {"TRUE", "true", "false"},
	"retention.ms":              {"0100000", "100000", "200000"},
	"max.message.bytes":         {" 2000000 ", "2000000", "3000000"},
	"flush.ms":                  {"+5000", "5000", "6000"},
}

func spelled(choose func(written, printed, other string) string) configs {
	config := configs{}
	for key, s := range spellings {
		config[key] = choose(s.written, s.printed, s.other)
	}
	return config
}

func written(written, _, _ string) string { return written }
func printed(_, printed, _ string) string { return printed }

// Acceptance line 8; C-09: a value that is spelled otherwise than a broker prints it applies, stays as the user spelled it, and plans
// no change; spelled as printed it plans none either, nor does it after somebody wrote it in that spelling.
func TestSpelling(t *testing.T) {
	b := newBench(t, nil)
	odd, plainly := b.declare(spelled(written)), b.declare(spelled(printed))
	b.tf.Apply(b.resource, odd)
	b.inState(spelled(written))
	b.tf.Empty(b.resource, odd)
	b.rec.Reset()
	b.tf.Empty(b.resource, plainly)
	b.tf.Apply(b.resource, plainly).None(t)
	b.quiet()
	drift := map[string]any{}
	for key, s := range spellings {
		drift[key] = s.printed
	}
	b.outside(drift)
	b.tf.Empty(b.resource, odd)
	b.tf.Empty(b.resource, plainly)
	b.quiet()
}

// C-09: the user's blanks where the broker has none, and the broker's where the user has none.
func TestBlanksOnEitherSide(t *testing.T) {
	b := newBench(t, configs{"cleanup.policy": "compact, delete"})
	b.tf.Apply(b.resource, b.declare(configs{"cleanup.policy": "compact,delete"})).None(t)
	b.quiet()
	b.tf.Empty(b.resource, b.declare(configs{"cleanup.policy": "compact,delete"}))
	b.tf.Empty(b.resource, b.declare(configs{"cleanup.policy": " compact , delete "}))
}

// Acceptance line 8: one value respelled and one really changed is no inconsistency, and only the real change is written.
func TestRespelledBesideARealChange(t *testing.T) {
	for key, s := range spellings {
		t.Run(key, func(t *testing.T) {
			b := newBench(t, nil)
			b.applied(b.declare(spelled(written)))
			next := spelled(printed)
			next[key] = s.other
			p := b.tf.Plan(b.resource, b.declare(next))
			plans(t, p, acctest.Update, next)
			b.tf.ApplyPlan(p).NoErrors(t)
			b.wrote(map[string]any{key: s.other})
			b.tf.Empty(b.resource, b.declare(next))
		})
	}
}

// A value that only looks alike is another one: order of list items, signs, exponents of integers.
func TestWhatIsNoRespelling(t *testing.T) {
	b := newBench(t, nil)
	b.applied(b.declare(configs{"cleanup.policy": "compact,delete", "retention.ms": "100000", "min.cleanable.dirty.ratio": "0.5"}))
	for key, value := range map[string]string{"cleanup.policy": "delete,compact", "min.cleanable.dirty.ratio": "0.05", "retention.ms": "100001"} {
		next := configs{"cleanup.policy": "compact,delete", "retention.ms": "100000", "min.cleanable.dirty.ratio": "0.5"}
		next[key] = value
		plans(t, b.tf.Plan(b.resource, b.declare(next)), acctest.Update, next)
	}
	if got := b.tf.Plan(b.resource, b.declare(configs{"cleanup.policy": "compact,delete", "retention.ms": "1e5", "min.cleanable.dirty.ratio": "0.5"})).Diagnostics.One(t); got.Path != `config["retention.ms"]` {
		t.Errorf("%s", got)
	}
}

// Acceptance line 8: null elements are no declarations: they stay in state as written and never cause a write.
func TestNullElements(t *testing.T) {
	b := newBench(t, nil)
	b.tf.Apply(b.resource, b.declare(values{"retention.ms": "100000", "flush.ms": nil}))
	b.has(configs{"retention.ms": "100000"})
	b.rec.Reset()
	b.inState(values{"retention.ms": "100000", "flush.ms": nil})
	for _, same := range []any{values{"retention.ms": "100000", "segment.ms": nil}, configs{"retention.ms": "100000"}} {
		b.tf.Empty(b.resource, b.declare(same))
	}
	b.quiet()
	b.outside(map[string]any{"flush.ms": "5000"})
	p := b.tf.Plan(b.resource, b.declare(values{"retention.ms": "100000", "flush.ms": nil}))
	planned(t, p, acctest.Update, values{"retention.ms": "100000", "flush.ms": nil})
	b.tf.ApplyPlan(p).None(t)
	b.has(configs{"retention.ms": "100000"})
	b.tf.Apply(b.resource, b.declare(values{"retention.ms": nil}))
	b.has(configs{})
}
