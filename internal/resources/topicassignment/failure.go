// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// refusedError names the partitions that the brokers refused to move.
type refusedError struct{ partitions map[int32]error }

// refusal is nil where nothing was refused.
func refusal(refused map[int32]error) error {
	if len(refused) == 0 {
		return nil
	}
	return &refusedError{refused}
}

// Error says each reason once.
func (e *refusedError) Error() string {
	byReason := map[string][]int32{}
	for _, p := range slices.Sorted(maps.Keys(e.partitions)) {
		reason := e.partitions[p].Error()
		byReason[reason] = append(byReason[reason], p)
	}
	parts := make([]string, 0, len(byReason))
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		parts = append(parts, fmt.Sprintf("partitions %s: %s", idList(byReason[reason]), reason))
	}
	return "the brokers refused to move " + strings.Join(parts, "; ")
}

// Unwrap lets a refusal be recognised.
func (e *refusedError) Unwrap() []error { return slices.Collect(maps.Values(e.partitions)) }

// refusedAny tells whether brokers refused partitions.
func refusedAny(err error) bool {
	var refused *refusedError
	return errors.As(err, &refused)
}

// haltedError: the executor gave the moves up. The outcome says what has become of each.
type haltedError struct {
	why     error
	outcome reassign.Outcome
}

func (e *haltedError) Error() string { return strings.Join(outcomeTexts(e.outcome), ". ") }
func (e *haltedError) Unwrap() error { return e.why }

// outcomeTexts say where the partitions of a job that was given up are, as sentences without their full stop.
func outcomeTexts(o reassign.Outcome) []string {
	var texts []string
	if len(o.InFlight) > 0 {
		throttled := ""
		if !o.Throttle.Empty() {
			throttled = ", throttled"
		}
		texts = append(texts, fmt.Sprintf("partitions %s are still being moved, and go on%s; the next apply takes the moves over", idList(o.InFlight), throttled))
	}
	for _, p := range slices.Sorted(maps.Keys(o.Kept)) {
		texts = append(texts, fmt.Sprintf("Partition %d was not taken back: %s", p, o.Kept[p]))
	}
	if len(o.Restored) > 0 {
		texts = append(texts, fmt.Sprintf("The moves of partitions %s were cancelled; these have their former replicas", idList(o.Restored)))
	}
	if len(o.Done) > 0 {
		texts = append(texts, fmt.Sprintf("Partitions %s are done", idList(o.Done)))
	}
	if len(o.Waiting) > 0 {
		texts = append(texts, fmt.Sprintf("Partitions %s were not begun; the next apply moves them", idList(o.Waiting)))
	}
	return texts
}

// unfinishedError: apply ended before what it waited for. What the brokers have taken over goes on.
type unfinishedError struct {
	what string
	err  error
}

func (e *unfinishedError) Error() string { return e.what }
func (e *unfinishedError) Unwrap() error { return e.err }

// interrupted says of a wait that its context ended what was waited for; other errors and nil stay as they are.
func interrupted(err error, what string) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return &unfinishedError{what: what, err: err}
	}
	return err
}

// electionError: the data is where it should be, and the request to elect leaders failed.
type electionError struct{ err error }

func (e *electionError) Error() string { return e.err.Error() }
func (e *electionError) Unwrap() error { return e.err }
