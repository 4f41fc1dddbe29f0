// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"slices"
	"strconv"
	"strings"
)

// Redacted stands where a secret was.
const Redacted = "(sensitive value)"

// Scrub takes secrets out of a text that a broker wrote. Brokers quote values as typed, trimmed, parsed (numbers are printed
// anew: 5 for 05, 1.5 for 1.50) or in part (one item of a list, one option of a JAAS entry), so all of these forms go. Better a mutilated
// message than a shown secret.
func Scrub(text string, secrets []string) string {
	var forms []string
	for _, secret := range secrets {
		forms = append(forms, formsOf(secret)...)
	}
	// Longest first: a form that holds another one must go as a whole.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, form := range forms {
		pairs = append(pairs, form, Redacted)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func formsOf(secret string) []string {
	trimmed := trim(secret)
	candidates := []string{secret, trimmed, strings.TrimSpace(secret), strconv.Quote(secret)}
	candidates = append(candidates, listItems(trimmed)...)
	if n, ok := integer(trimmed); ok {
		candidates = append(candidates, strconv.FormatInt(n, 10))
	}
	if x, ok := double(trimmed); ok {
		candidates = append(candidates, printedDouble(x))
	}
	// Parts of a structured secret: JAAS options, PEM lines, URLs.
	const separators = " \t\r\n\"'=;,"
	const shortestPart = 4
	for _, part := range strings.FieldsFunc(secret, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if len(part) >= shortestPart {
			candidates = append(candidates, part)
		}
	}
	return slices.DeleteFunc(candidates, func(s string) bool { return strings.TrimSpace(s) == "" })
}
