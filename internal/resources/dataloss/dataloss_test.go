// SPDX-License-Identifier: MPL-2.0

package dataloss_test

import (
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/dataloss"
)

func TestLimit(t *testing.T) {
	t.Parallel()
	ascending := []string{dataloss.NotRead, "0", " 5 ", "0010", "86400000", "-1"}
	if !slices.IsSortedFunc(ascending, func(a, b string) int {
		if dataloss.Limit(a) < dataloss.Limit(b) {
			return -1
		}
		return 1
	}) {
		t.Errorf("%q are not in ascending order", ascending)
	}
	for _, text := range []string{"-2", "", "ten", "${file:/f:k}"} {
		if dataloss.Limit(text) != dataloss.Limit("-1") {
			t.Errorf("%q is a limit", text)
		}
	}
}

func TestDeletes(t *testing.T) {
	t.Parallel()
	for policy, want := range map[string]bool{"delete": true, "compact": false, "compact,delete": true, "compact , delete": true, "": false, "deleted": false} {
		if got := dataloss.Deletes(policy); got != want {
			t.Errorf("%q deletes: %t, want %t", policy, got, want)
		}
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	was, will := map[string]string{"k": "2"}, map[string]string{"k": "1"}
	if got := dataloss.Difference("k", was, will, []string{"other"}); got != "k: 2 -> 1" {
		t.Error(got)
	}
	if got := dataloss.Difference("k", was, will, []string{"k"}); got != "k: (sensitive value) -> (sensitive value)" {
		t.Error(got)
	}
}
