// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// goneTimeout is how long a destination, or every source, may be gone. Kafka itself waits for ever.
const goneTimeout = time.Minute

// flaps is how often a new replica falls out of sync before that is the reason for a stall.
const flaps = 2

// watch is what is remembered of a move in flight to tell whether it comes nearer.
type watch struct {
	// progressed is when it last did.
	progressed time.Time
	// missing are the fewest new replicas that were seen out of sync; behind the fewest bytes that were seen to lack, -1 before any.
	missing int
	behind  int64
	// from is the measurement at the last progress, last the newest one.
	from, last sample
	// inSync are those seen last, and fellOut counts replicas that were in sync and then were not.
	inSync  []int32
	fellOut int
	// gone is since when a destination is down, or there is no source, with the reason.
	gone       time.Time
	goneReason string
}

// sample are the bytes of a partition at a moment: at its leader, and at all new replicas together.
type sample struct {
	at             time.Time
	source, copied int64
	known          bool
}

func newWatch(now time.Time, missing int) watch {
	return watch{progressed: now, missing: missing, behind: -1}
}

// lookAt takes in one poll.
func (w *watch) lookAt(t *transit, now time.Time) {
	for _, id := range w.inSync {
		if slices.Contains(t.To, id) && !slices.Contains(t.seen.InSyncReplicas, id) {
			w.fellOut++
		}
	}
	w.inSync = slices.Clone(t.seen.InSyncReplicas)
	if missing := len(difference(t.To, w.inSync)); missing < w.missing {
		w.missing = missing
		w.progress(now)
	}
}

func (w *watch) progress(now time.Time) {
	w.progressed, w.from = now, w.last
}

// measure takes in one measurement.
func (w *watch) measure(t *transit, m measured) {
	w.lookForGone(t, m)
	s := sampleOf(t, m)
	if !s.known {
		return
	}
	w.last = s
	behind := int64(len(t.Adding()))*s.source - s.copied
	switch {
	case !w.from.known:
		w.from, w.behind = s, behind
	case behind < w.behind:
		w.behind = behind
		w.progress(m.at)
	}
}

// sampleOf adds up what the brokers hold. It is not known while the leader does not tell.
func sampleOf(t *transit, m measured) sample {
	source, known := m.sizes[replicaOf{t.Topic, t.Partition, t.seen.Leader}]
	s := sample{at: m.at, source: source, known: known}
	for _, id := range t.Adding() {
		s.copied += min(m.sizes[replicaOf{t.Topic, t.Partition, id}], source)
	}
	return s
}

// lookForGone notes since when the move cannot go on at all.
func (w *watch) lookForGone(t *transit, m measured) {
	reason := goneReason(t, m)
	if reason == "" {
		w.gone = time.Time{}
	} else if w.gone.IsZero() {
		w.gone = m.at
	}
	w.goneReason = reason
}

func goneReason(t *transit, m measured) string {
	for _, id := range t.To {
		if m.down(id) && !slices.Contains(t.seen.InSyncReplicas, id) {
			return fmt.Sprintf("broker %d, which is to have a replica, is down", id)
		}
	}
	if t.seen.Leader < 0 {
		return fmt.Sprintf("no replica that could be copied is alive: it was on brokers %s", ids(t.From))
	}
	return ""
}

// stalled says why a move in flight does not come to its end, or empty while it may.
func stalled(t *transit, now time.Time, m measured, s Settings) string {
	w := t.watch
	if w.progressed.IsZero() {
		return "" // in flight before the job, and not seen yet
	}
	if !w.gone.IsZero() && now.Sub(w.gone) >= min(goneTimeout, s.StallTimeout) {
		return fmt.Sprintf("%s, for %s by now", w.goneReason, rounded(now.Sub(w.gone)))
	}
	quiet := now.Sub(w.progressed)
	if quiet < s.StallTimeout {
		return ""
	}
	return fmt.Sprintf("no progress for %s: %s", rounded(quiet), stallReason(t, m, s))
}

// stallReason finds what the evidence speaks for.
func stallReason(t *transit, m measured, s Settings) string {
	w := t.watch
	for _, id := range difference(t.To, t.seen.InSyncReplicas) {
		if reason := m.broken[id]; reason != "" {
			return reason
		}
		if d, known := m.disks[id]; known && w.last.known && w.behind > 0 && d.all < w.last.source-m.sizes[replicaOf{t.Topic, t.Partition, id}] {
			return fmt.Sprintf("broker %d has %s of disk space left, and more is to come", id, bytesText(d.all))
		}
	}
	if w.goneReason != "" {
		return w.goneReason
	}
	if reason := silentReason(t, m); reason != "" {
		return reason
	}
	copied, written := w.rates(len(t.Adding()))
	switch {
	case written > 0 && copied <= written:
		return fmt.Sprintf("%s per second are copied while producers write %s per second, so that the copy never catches up. %s",
			bytesText(copied), bytesText(written), throttleText(s))
	case w.fellOut >= flaps:
		return fmt.Sprintf("the new replicas came in sync and fell out again %d times", w.fellOut)
	case !w.last.known:
		return fmt.Sprintf("replicas on brokers %s do not come in sync, and the brokers do not tell how far they are", ids(difference(t.To, t.seen.InSyncReplicas)))
	case w.last.copied >= int64(len(t.Adding()))*w.last.source:
		return fmt.Sprintf("all is copied, but the replicas on brokers %s do not come in sync", ids(difference(t.To, t.seen.InSyncReplicas)))
	default:
		return fmt.Sprintf("%s are still to be copied to brokers %s. %s", bytesText(w.behind), ids(difference(t.To, t.seen.InSyncReplicas)), throttleText(s))
	}
}

// silentReason names brokers of the move that hang: Kafka may take them for alive, and no throttle is to blame.
func silentReason(t *transit, m measured) string {
	for _, id := range difference(t.To, t.seen.InSyncReplicas) {
		if err := m.silent[id]; err != nil {
			return fmt.Sprintf("broker %d, which is to have a replica, %s", id, silence(err))
		}
	}
	if err := m.silent[t.seen.Leader]; err != nil {
		return fmt.Sprintf("broker %d, which leads the partition and is copied from, %s", t.seen.Leader, silence(err))
	}
	return ""
}

// silence says why a broker did not answer. One that died since the cluster was asked who is alive is down like any other.
func silence(err error) string {
	var b *kafkaapi.BrokerError
	if errors.As(err, &b) && b.NotLive() {
		return "is down"
	}
	return fmt.Sprintf("does not answer: %v", err)
}

// rates are the bytes per second, since the last progress, that each new replica got and that producers wrote.
func (w watch) rates(replicas int) (copied, written int64) {
	seconds := w.last.at.Sub(w.from.at).Seconds()
	if !w.from.known || !w.last.known || seconds <= 0 || replicas == 0 {
		return 0, 0
	}
	return int64(float64(w.last.copied-w.from.copied) / seconds / float64(replicas)), int64(float64(w.last.source-w.from.source) / seconds)
}

func throttleText(s Settings) string {
	if s.ThrottleBytesPerSecond > 0 {
		return fmt.Sprintf("The throttle is %s per second for each broker; raise throttle_bytes_per_second", bytesText(s.ThrottleBytesPerSecond))
	}
	return "This provider has set no throttle; look for one that others set (leader.replication.throttled.rate), and for slow disks or networks"
}

func rounded(d time.Duration) time.Duration { return d.Round(time.Second) }
