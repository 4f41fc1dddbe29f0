// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
)

// C-65, C-82: the duration goes by the broker that takes longest in one direction, at the rate that it is held to; the rate is told in MB/s
// too, as ten bytes are easily taken for ten megabytes.
func TestThrottledText(t *testing.T) {
	const mega = 1_000_000
	cost := placement.Cost{Brokers: []placement.BrokerCost{{ID: 1, Out: 500 * mega}, {ID: 2, In: 300 * mega}, {ID: 3, In: 200 * mega, Out: 40 * mega}}}
	for _, tt := range []struct {
		name       string
		configured int64
		limits     map[int32]throttle.Limits
		want       []string
		not        string
	}{
		{"by the busiest", 10 * mega, nil, []string{"9.5 MiB per second (10 MB/s)", "at least 50s."}, "somebody else"},
		{
			"by an operator's", 10 * mega, map[int32]throttle.Limits{1: {In: 10 * mega, Out: 10 * mega}, 2: {In: 2 * mega, Out: 10 * mega, Others: true}},
			[]string{"at least 2m30s.", "Broker 2 has a rate that somebody else set, which is used instead: in 2.0 MB/s (2000000 bytes per second)"}, "Broker 1",
		},
		{"mistaken for megabytes", 10, nil, []string{"10 B per second (0.00001 MB/s)", "at least 13888h53m20s."}, ""},
		{"beyond all measure", 1, map[int32]throttle.Limits{1: {Out: 1}}, []string{"at least 138888h53m20s."}, ""},
	} {
		got := throttledText(cost, tt.configured, tt.limits)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: it does not say %q: %s", tt.name, want, got)
			}
		}
		if tt.not != "" && strings.Contains(got, tt.not) {
			t.Errorf("%s: it says %q: %s", tt.name, tt.not, got)
		}
	}
	for _, tt := range []struct {
		bytes, rate int64
		want        time.Duration
	}{{0, 5, 0}, {5, 0, 0}, {-1, 5, 0}, {1, 1000, time.Second}, {2500, 1000, 3 * time.Second}, {math.MaxInt64, 1, maxSeconds * time.Second}} {
		if got := timeFor(tt.bytes, tt.rate); got != tt.want {
			t.Errorf("%d bytes at %d take %s, want %s", tt.bytes, tt.rate, got, tt.want)
		}
	}
}
