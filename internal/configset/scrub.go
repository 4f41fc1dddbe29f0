// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	var clean strings.Builder
	for i := 0; i < len(text); {
		n := secretAt(text, i, forms)
		if n == 0 {
			clean.WriteByte(text[i])
			i++
			continue
		}
		clean.WriteString(Redacted)
		i += n
	}
	return clean.String()
}

// secretAt gives the length of the form that stands at a place of the text, 0 where none does.
func secretAt(text string, i int, forms []string) int {
	for _, form := range forms {
		if strings.HasPrefix(text[i:], form) && (len(form) >= shortestPart || standsAlone(text, i, i+len(form))) {
			return len(form)
		}
	}
	return 0
}

// standsAlone tells whether no word begins before or goes on after a part of a text. A short form inside a word is no quote, and a gap
// in a word that everybody knows would tell what is missing: 7 in 1048576.
func standsAlone(text string, from, to int) bool {
	before := from > 0 && isWord(text[from-1]) && isWord(text[from])
	after := to < len(text) && isWord(text[to-1]) && isWord(text[to])
	return !before && !after
}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= utf8.RuneSelf
}

// shortestPart is the length from which on a part of a secret is a secret of its own, and any occurrence of a form is taken for a quote.
const shortestPart = 4

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
	for _, part := range strings.FieldsFunc(secret, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if len(part) >= shortestPart {
			candidates = append(candidates, part)
		}
	}
	return slices.DeleteFunc(candidates, func(s string) bool { return strings.TrimSpace(s) == "" })
}
