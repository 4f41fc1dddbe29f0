// SPDX-License-Identifier: MPL-2.0

// Package dataloss compares values of retention and clean-up policy, of topics and of the brokers that topics inherit them from: do
// brokers delete with the new ones what they kept with the old? It asks no broker.
package dataloss

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/configset"
)

// NotRead stands for an inherited value that no broker told.
const NotRead = "the inherited value, which could not be read"

// Difference shows a key's values before and after, or neither where the key is one of the hidden.
func Difference(key string, was, will map[string]string, hidden []string) string {
	if slices.Contains(hidden, key) {
		return fmt.Sprintf("%s: %s -> %s", key, configset.Redacted, configset.Redacted)
	}
	return fmt.Sprintf("%s: %s -> %s", key, was[key], will[key])
}

// Deletes tells whether brokers delete old records under a clean-up policy, which is a list.
func Deletes(policy string) bool {
	for item := range strings.SplitSeq(policy, ",") {
		if strings.TrimSpace(item) == "delete" {
			return true
		}
	}
	return false
}

// Limit orders retention values: negative ones mean no limit. One that could not be read may be lower than any other. A text that
// is no number is the brokers' to refuse.
func Limit(text string) int64 {
	if text == NotRead {
		return math.MinInt64
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 {
		return math.MaxInt64
	}
	return n
}
