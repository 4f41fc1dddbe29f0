// SPDX-License-Identifier: MPL-2.0

package configset

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// integer reads a text as Java's Long.parseLong does, which takes the decimal digits of every script.
func integer(text string) (int64, bool) {
	n, err := strconv.ParseInt(strings.Map(latinDigit, text), 10, 64)
	return n, err == nil
}

// latinDigit gives the digit 0 to 9 that a decimal digit stands for. Unicode has those of a script side by side, from zero on.
func latinDigit(r rune) rune {
	if r <= unicode.MaxASCII {
		return r
	}
	for _, digits := range unicode.Nd.R16 {
		if rune(digits.Lo) <= r && r <= rune(digits.Hi) {
			return '0' + (r-rune(digits.Lo))%10
		}
	}
	return r
}

// double reads a text as Java's Double.parseDouble does: with or without a fraction, an exponent, the suffix of a Java literal
// ("0.5f"), and in hexadecimal with a binary exponent. It does not take what only Go reads, such as underscores and "inf".
func double(text string) (float64, bool) {
	const decimal, hexadecimal = "+-.0123456789eE", "+-.0123456789abcdefABCDEFxXpP"
	suffixed := strings.TrimRight(text, "fFdD")
	if len(text)-len(suffixed) <= 1 && strings.Trim(suffixed, decimal) == "" {
		text = suffixed
	} else if !strings.ContainsAny(text, "xX") || strings.Trim(text, hexadecimal) != "" {
		return 0, false
	} else if mantissa, exponent, ok := strings.Cut(strings.ToLower(text), "p"); ok {
		text = mantissa + "p" + strings.TrimRight(exponent, "fd")
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

// printedDouble is how Java's Double.toString prints a number: 1.5, 100000.0, 1.0E8.
func printedDouble(x float64) string {
	const smallest, largest = 1e-3, 1e7
	format := byte('E')
	if size := math.Abs(x); size == 0 || size >= smallest && size < largest {
		format = 'f'
	}
	mantissa, exponent, scientific := strings.Cut(strconv.FormatFloat(x, format, -1, 64), "E")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	if !scientific {
		return mantissa
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(n)
}
