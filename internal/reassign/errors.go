// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// StalledError says that moves do not come to their end, for the reasons given by partition.
type StalledError struct{ Reasons map[int32]string }

// Error says each reason once.
func (e *StalledError) Error() string {
	byReason := map[string][]int32{}
	for _, p := range slices.Sorted(maps.Keys(e.Reasons)) {
		byReason[e.Reasons[p]] = append(byReason[e.Reasons[p]], p)
	}
	parts := make([]string, 0, len(byReason))
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		parts = append(parts, fmt.Sprintf("partitions %s: %s", ids(byReason[reason]), reason))
	}
	return strings.Join(parts, "; ")
}

// StrayedError says that a partition came to have another list than the one that the brokers accepted, or is moved to another one.
type StrayedError struct {
	Partition  int32
	Has, Wants []int32
	// Moving: it is on the way to what it has.
	Moving bool
}

func (e *StrayedError) Error() string {
	switch {
	case e.Moving:
		return fmt.Sprintf("partition %d is on the way to the replicas %s, not %s: somebody else moved it meanwhile", e.Partition, ids(e.Has), ids(e.Wants))
	case sameSet(e.Has, e.Wants):
		return fmt.Sprintf("partition %d has the replicas %s, not %s: the brokers accepted the order and do not keep it", e.Partition, ids(e.Has), ids(e.Wants))
	default:
		return fmt.Sprintf("partition %d is at rest with the replicas %s, not %s: somebody else moved or cancelled it meanwhile", e.Partition, ids(e.Has), ids(e.Wants))
	}
}

// GoneError says that the topic was deleted while it was moved.
type GoneError struct {
	Topic string
	// Was and Is are the ids of the topic and of the one of the same name that was made since; empty where there is none.
	Was, Is string
	err     error
}

func (e *GoneError) Error() string {
	if e.Is != "" {
		return fmt.Sprintf("topic %q was deleted and made again meanwhile: its id was %s and is %s", e.Topic, e.Was, e.Is)
	}
	return fmt.Sprintf("topic %q was deleted meanwhile: %v", e.Topic, e.err)
}

func (e *GoneError) Unwrap() error { return e.err }

// ids lists brokers or partitions.
func ids(list []int32) string {
	texts := make([]string, 0, len(list))
	for _, id := range list {
		texts = append(texts, fmt.Sprint(id))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
