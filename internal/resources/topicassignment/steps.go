// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// submissions gives the lists to submit: of the partitions that neither have the wanted list nor are on the way to it. Partitions that
// are moving elsewhere are not among them.
func submissions(l live, wanted placement.Assignment) map[int32][]int32 {
	lists := map[int32][]int32{}
	for p, list := range wanted {
		if _, inFlight := l.moving[int32(p)]; !inFlight && !slices.Equal(listAt(l.targets, p), list) {
			lists[int32(p)] = list
		}
	}
	return lists
}

// notInSync are those of the partitions of which a wanted replica is not in sync.
func notInSync(l live, wanted placement.Assignment, partitions []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(partitions), func(p int32) bool {
		return int(p) >= len(l.inSync) ||
			!slices.ContainsFunc(listAt(wanted, int(p)), func(id int32) bool { return !slices.Contains(l.inSync[p], id) })
	})
}

// misled are those of the partitions that their first replica does not lead.
func misled(l live, partitions []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(partitions), func(p int32) bool {
		return int(p) >= len(l.leaders) || len(l.present[p]) == 0 || l.leaders[p] == l.present[p][0]
	})
}

// unled are the partitions, ascending, that have the wanted list and are led by another than its first replica, which is in sync.
func unled(l live, wanted placement.Assignment) []int32 {
	return slices.DeleteFunc(misled(l, numbers(len(l.present))), func(p int32) bool {
		list := listAt(wanted, int(p))
		return l.moves(p) || !slices.Equal(l.present[p], list) || !slices.Contains(l.inSync[p], list[0])
	})
}

// reached is the layout that state is to have after a failure: what the partitions have or are moving to, and of those that somebody
// else moves what state had.
func reached(l live, wanted, before placement.Assignment) placement.Assignment {
	if len(l.targets) == 0 {
		return before
	}
	layout := l.targets.Clone()
	for _, p := range l.foreign(wanted, before) {
		if int(p) < len(before) {
			layout[p] = before[p]
		}
	}
	return layout
}

// without are the partitions that are not keys of the other.
func without[V any](partitions []int32, other map[int32]V) []int32 {
	return slices.DeleteFunc(slices.Clone(partitions), func(p int32) bool { _, is := other[p]; return is })
}
