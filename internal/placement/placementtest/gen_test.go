// SPDX-License-Identifier: MPL-2.0

package placementtest_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"pgregory.net/rapid"
)

// brokersGen draws brokers with scattered ids over racks of any size; "" is a broker without rack.
func brokersGen(from, to int) *rapid.Generator[[]placement.Broker] {
	return rapid.Custom(func(t *rapid.T) []placement.Broker {
		n := rapid.IntRange(from, to).Draw(t, "brokers")
		names := rapid.SampledFrom([][]string{{""}, {"a"}, {"a", "b"}, {"a", "b", "c"}, {"a", "b", "c", "d"}, {"", "a", "b"}}).Draw(t, "racks")
		out := make([]placement.Broker, n)
		for i := range out {
			out[i] = placement.Broker{ID: int32(i*3 + 1), Rack: rapid.SampledFrom(names).Draw(t, "rack")}
		}
		return out
	})
}

// evenBrokersGen draws racks of one size.
func evenBrokersGen() *rapid.Generator[[]placement.Broker] {
	return rapid.Custom(func(t *rapid.T) []placement.Broker {
		racks, size := rapid.IntRange(1, 5).Draw(t, "racks"), rapid.IntRange(1, 6).Draw(t, "size")
		var out []placement.Broker
		for i := range racks * size {
			out = append(out, placement.Broker{ID: int32(i), Rack: fmt.Sprint("rack-", i%racks)})
		}
		return rapid.Permutation(out).Draw(t, "order")
	})
}

// layoutGen draws any layout over the ids, without duplicates in a list, with list lengths from 1 to most.
func layoutGen(ids []int32, partitions, most int) *rapid.Generator[placement.Assignment] {
	return rapid.Custom(func(t *rapid.T) placement.Assignment {
		out := make(placement.Assignment, partitions)
		for p := range out {
			n := rapid.IntRange(1, min(most, len(ids))).Draw(t, "replicas")
			out[p] = slices.Clone(rapid.Permutation(ids).Draw(t, "list")[:n])
		}
		return out
	})
}

func idsOf(brokers []placement.Broker) []int32 {
	out := make([]int32, len(brokers))
	for i, b := range brokers {
		out[i] = b.ID
	}
	return out
}

func racksOf(brokers []placement.Broker) map[int32]string {
	out := map[int32]string{}
	for _, b := range brokers {
		out[b.ID] = b.Rack
	}
	return out
}

func topicGen() *rapid.Generator[string] { return rapid.StringMatching(`[a-z]{1,8}(-[0-9]{1,4})?`) }

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

var (
	_ failer = (*testing.T)(nil)
	_ failer = (*rapid.T)(nil)
)

func must(t failer, a placement.Assignment, err error) placement.Assignment {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
	return a
}

func none(t failer, what string, found []string) {
	t.Helper()
	if len(found) > 0 {
		t.Fatalf("%s: %v", what, found)
	}
}
