// SPDX-License-Identifier: MPL-2.0

package placement

import "slices"

// ReplaceBroker puts one broker wherever another is, in the same place of the list. The layout is not modified.
// A partition that has replicas on both is an error, *BothBrokersError: it would lose a replica.
func ReplaceBroker(current Assignment, old, replacement int32) (Assignment, error) {
	out := current.Clone()
	if old == replacement {
		return out, nil
	}
	for p, replicas := range out {
		at := slices.Index(replicas, old)
		if at < 0 {
			continue
		}
		if slices.Contains(replicas, replacement) {
			return nil, &BothBrokersError{Partition: p, Old: old, New: replacement}
		}
		replicas[at] = replacement
	}
	return out, nil
}
