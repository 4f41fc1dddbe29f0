// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign"
	"github.com/kafka-layout/terraform-provider-kafka/internal/reassign/throttle"
)

// duration says how long the copies take at the throttle, or that there is none.
func (p planning) duration(ctx context.Context, f facts, cost placement.Cost) string {
	switch {
	case p.throttleUnknown:
		return "The throttle is not known yet."
	case p.throttle == 0:
		return "There is no throttle: brokers copy as fast as they can."
	case cost.Replicas == 0:
		return ""
	}
	var busy []int32
	for _, b := range cost.Brokers {
		if b.ReplicasIn > 0 || b.ReplicasOut > 0 {
			busy = append(busy, b.ID)
		}
	}
	var noted reassign.Throttle
	if p.noted != nil {
		noted = *p.noted
	}
	var resumed []int32
	for _, partition := range f.toward(f.wanted) {
		resumed = union(resumed, f.present[partition])
	}
	limits := throttle.ReadLimits(ctx, p.kafka, f.alive(busy), p.throttle, noted, resumed)
	return throttledText(cost, p.throttle, limits)
}

// throttledText goes by the broker that takes longest, as each is held to a rate for what it copies in and for what it copies out. It names
// brokers whose rates somebody else set.
func throttledText(cost placement.Cost, configured int64, limits map[int32]throttle.Limits) string {
	var took time.Duration
	var others []string
	for _, b := range cost.Brokers {
		limit, known := limits[b.ID]
		if !known {
			limit = throttle.Limits{In: configured, Out: configured}
		}
		took = max(took, timeFor(b.In, limit.In), timeFor(b.Out, limit.Out))
		if limit.Others {
			others = append(others, fmt.Sprintf("Broker %d has a rate that somebody else set, which is used instead: in %s, out %s.", b.ID, throttle.Speed(limit.In), throttle.Speed(limit.Out)))
		}
	}
	text := fmt.Sprintf("At the throttle of %s per second (%s MB/s) for each broker that takes at least %s.",
		bytesText(configured), strconv.FormatFloat(float64(configured)/1e6, 'f', -1, 64), took)
	if len(others) > 0 {
		text += "\n" + strings.Join(others, "\n")
	}
	return text
}

// timeFor is how long it takes to copy so many bytes; a time below a second says one, and one beyond what can be told the longest there is.
func timeFor(bytes, bytesPerSecond int64) time.Duration {
	if bytes <= 0 || bytesPerSecond <= 0 {
		return 0
	}
	seconds := float64(bytes) / float64(bytesPerSecond)
	if seconds > maxSeconds {
		return maxSeconds * time.Second
	}
	return max(time.Duration(seconds*float64(time.Second)).Round(time.Second), time.Second)
}

// maxSeconds is a hundred years.
const maxSeconds = 100 * 365 * 24 * 3600
