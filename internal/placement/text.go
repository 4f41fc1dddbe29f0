// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"strconv"
	"strings"
)

// count writes a number and its noun: "1 replica", "3 replicas".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// ids writes numbers for people: "1, 2, 3", or "none".
func ids[T int | int32](list []T) string {
	if len(list) == 0 {
		return "none"
	}
	var b strings.Builder
	for i, id := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatInt(int64(id), 10))
	}
	return b.String()
}
