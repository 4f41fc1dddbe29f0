// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"slices"
	"sync"

	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
)

// Limits are what one broker's copies will be held to, in bytes per second.
type Limits struct {
	In, Out int64
	// Others: somebody else set at least one of them, which is used instead of the configured rate.
	Others bool
}

// ReadLimits tells, before anything is written, what the copies of brokers will be held to under a throttle of so many bytes per second.
// noted is what the last apply noted; resumed are brokers of moves that an earlier apply began. Brokers that cannot be asked are left out.
func ReadLimits(ctx context.Context, kafka ConfigReader, brokers []int32, bytesPerSecond int64, noted reassign.Throttle, resumed []int32) map[int32]Limits {
	found, errs := make([]rates, len(brokers)), make([]error, len(brokers))
	var all sync.WaitGroup
	for i, id := range brokers {
		all.Go(func() { found[i], errs[i] = readRates(ctx, kafka, id) })
	}
	all.Wait()
	limits := map[int32]Limits{}
	for i, id := range brokers {
		if errs[i] == nil {
			of := [sides]int64{noted.LeaderRate[id], noted.FollowerRate[id]}
			limits[id] = limitsOf(found[i], bytesPerSecond, of, !noted.Noted && slices.Contains(resumed, id))
		}
	}
	return limits
}

func limitsOf(found rates, configured int64, noted [sides]int64, resumed bool) Limits {
	var held [sides]int64
	var l Limits
	for side, r := range found {
		held[side] = r.wanted(configured)
		l.Others = l.Others || r.beneath > 0
		switch r.decide(configured, noted[side], resumed) {
		case leave:
			l.Others = true
			if r.own > 0 { // one that is hidden is not known to be lower
				held[side] = r.own
			}
		case keep:
			held[side] = r.own
		case write, overwrite:
		}
	}
	l.Out, l.In = held[leader], held[follower]
	return l
}
