// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"slices"

	"github.com/agext/levenshtein"
)

// Nearest gives the known name that a mistyped one most probably means, and false where none is near enough to suggest.
// Names of the same distance are taken in alphabetical order, so that the answer does not depend on the order of known.
func Nearest(name string, known []string) (string, bool) {
	best, bestDistance := "", max(2, len(name)/4)+1
	for _, candidate := range slices.Sorted(slices.Values(known)) {
		if d := levenshtein.Distance(name, candidate, nil); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best, best != ""
}
