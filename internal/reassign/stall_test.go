// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

const mib = 1 << 20

// story is a move of partition 0 from [1, 2] to [1, 3] that is measured every ten seconds.
type story struct {
	leader   int32
	inSync   func(beat int) []int32
	source   func(beat int) int64
	copied   func(beat int) int64
	alive    func(beat int) map[int32]bool
	usable   int64
	broken   string
	silent   int32
	throttle int64
}

// tell gives the seconds after which the move counted as stalled, and why; 0 where it never did within an hour.
func (s story) tell(timeout time.Duration) (int, string) {
	start := time.Unix(0, 0)
	t := &transit{Moving: Moving{Topic: "orders", Move: Move{From: []int32{1, 2}, To: []int32{1, 3}}}, size: 100 * mib}
	t.seen = kafkaapi.PartitionDescription{Leader: s.leader, InSyncReplicas: []int32{1, 2}}
	t.submitted(start)
	settings := Settings{StallTimeout: timeout, ThrottleBytesPerSecond: s.throttle}
	for beat := 1; beat <= 360; beat++ {
		now := start.Add(time.Duration(beat) * beatTime)
		if s.inSync != nil {
			t.seen.InSyncReplicas = s.inSync(beat)
		}
		t.watch.lookAt(t, now)
		m := measured{at: now, sizes: map[replicaOf]int64{}, disks: map[int32]disk{3: {largest: s.usable, all: s.usable}}, broken: map[int32]string{}}
		if s.source != nil && s.leader >= 0 {
			m.sizes[replicaOf{"orders", 0, s.leader}] = s.source(beat)
			m.sizes[replicaOf{"orders", 0, 3}] = s.copied(beat)
		}
		if s.alive != nil {
			m.alive = s.alive(beat)
		}
		if s.broken != "" {
			m.broken[3] = s.broken
		}
		if s.silent != 0 {
			m.silent = measuredOf([]kafkaapi.BrokerLogDirs{{Broker: s.silent, Err: fmt.Errorf("waiting for it: %w", context.DeadlineExceeded)}, {Broker: 5, Err: kafkaapi.ErrNotAuthorized}}).silent
			if len(m.silent) != 1 {
				panic("a refusal is an answer")
			}
		}
		t.watch.measure(t, m)
		if reason := stalled(t, now, m, settings); reason != "" {
			return beat * 10, reason
		}
	}
	return 0, ""
}

func still(n int64) func(int) int64 { return func(int) int64 { return n } }
func grows(from, perBeat int64) func(int) int64 {
	return func(beat int) int64 { return from + int64(beat)*perBeat }
}

// A broker that died between the questions for the live brokers and for its disks is told as down, one that hangs is not.
func TestSilence(t *testing.T) {
	for err, want := range map[error]string{
		&kafkaapi.BrokerError{Broker: 3, Request: "DescribeLogDirs", Live: []int32{1, 2}}:  "is down",
		&kafkaapi.BrokerError{Broker: 3, Request: "DescribeLogDirs", Timeout: time.Second}: "does not answer: broker 3 did not answer DescribeLogDirs within 1s",
		fmt.Errorf("waiting for it: %w", context.DeadlineExceeded):                         "does not answer: waiting for it: context deadline exceeded",
	} {
		if got := silence(err); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

// C-77: a stall is told with its reason and the evidence, within its bound, and what comes nearer is none however slow it is.
func TestStalled(t *testing.T) {
	all := func(ids ...int32) func(int) map[int32]bool {
		return func(int) map[int32]bool {
			m := map[int32]bool{}
			for _, id := range ids {
				m[id] = true
			}
			return m
		}
	}
	back := func(beat int) map[int32]bool { return map[int32]bool{1: true, 2: true, 3: beat%5 == 0} }
	flapping := func(beat int) []int32 {
		if beat%2 == 1 {
			return []int32{1, 2, 3}
		}
		return []int32{1, 2}
	}
	for name, c := range map[string]struct {
		story story
		after int
		says  []string
	}{
		"comes nearer, slowly":                {story{leader: 1, source: still(100 * mib), copied: grows(0, 100), usable: 1 << 40}, 0, nil},
		"comes nearer though producers write": {story{leader: 1, source: grows(100*mib, mib), copied: grows(0, mib+1), usable: 1 << 40}, 0, nil},
		"nothing is copied":                   {story{leader: 1, source: still(100 * mib), copied: still(40 * mib), usable: 1 << 40}, 600, []string{"no progress for 10m", "60 MiB are still to be copied to brokers [3]", "has set no throttle"}},
		"the copy never catches up": {story{leader: 1, source: grows(100*mib, 10*mib), copied: grows(0, 5*mib), usable: 1 << 40, throttle: mib / 2}, 600,
			[]string{"512 KiB per second are copied while producers write 1.0 MiB per second", "The throttle is 512 KiB per second for each broker; raise throttle_bytes_per_second"}},
		"the destination is down":        {story{leader: 1, source: still(100 * mib), copied: still(0), alive: all(1, 2), usable: 1 << 40}, 70, []string{"broker 3, which is to have a replica, is down, for 1m0s"}},
		"the destination comes and goes": {story{leader: 1, source: still(100 * mib), copied: grows(0, 1000), alive: back, usable: 1 << 40}, 0, nil},
		"every source is down":           {story{leader: -1, inSync: func(int) []int32 { return []int32{1} }, alive: all(2, 3)}, 70, []string{"no replica that could be copied is alive: it was on brokers [1, 2]"}},
		"the disk is full":               {story{leader: 1, source: still(100 * mib), copied: still(90 * mib), usable: mib}, 600, []string{"broker 3 has 1.0 MiB of disk space left"}},
		"the disk is broken":             {story{leader: 1, source: still(100 * mib), copied: still(90 * mib), usable: 1 << 40, broken: "the log directory /d of broker 3 is offline: KAFKA_STORAGE_ERROR"}, 600, []string{"/d of broker 3 is offline"}},
		"the new replica flaps":          {story{leader: 1, inSync: flapping, source: still(100 * mib), copied: still(100 * mib), usable: 1 << 40}, 610, []string{"came in sync and fell out again 30 times"}},
		"the destination hangs":          {story{leader: 1, source: still(100 * mib), copied: still(40 * mib), usable: 1 << 40, silent: 3, throttle: mib}, 600, []string{"broker 3, which is to have a replica, does not answer: waiting for it"}},
		"the source hangs":               {story{leader: 1, source: still(100 * mib), copied: still(40 * mib), usable: 1 << 40, silent: 1, throttle: mib}, 600, []string{"broker 1, which leads the partition and is copied from, does not answer"}},
		"nobody tells":                   {story{leader: 1}, 600, []string{"replicas on brokers [3] do not come in sync, and the brokers do not tell"}},
	} {
		after, reason := c.story.tell(10 * time.Minute)
		if after != c.after {
			t.Errorf("%s: stalled after %d s, want %d: %s", name, after, c.after, reason)
		}
		for _, text := range c.says {
			if !strings.Contains(reason, text) {
				t.Errorf("%s: it does not say %q: %s", name, text, reason)
			}
		}
	}
	// The bound for brokers that are gone is never longer than stall_timeout.
	if after, _ := (story{leader: -1}).tell(20 * time.Second); after != 20 && after != 30 {
		t.Errorf("Stalled after %d s at a stall_timeout of 20s", after)
	}
}

// C-76: the figures of the progress.
func TestProgress(t *testing.T) {
	of := func(s stage, size int64, to ...int32) *transit {
		t := &transit{Moving: Moving{Topic: "orders", Move: Move{From: []int32{1, 2}, To: to}}, stage: s, size: size}
		t.seen.Leader = 1
		return t
	}
	m := measured{sizes: map[replicaOf]int64{{"orders", 0, 1}: 100 * mib, {"orders", 0, 3}: 40 * mib, {"orders", 0, 4}: 300 * mib}}
	var p progress
	for _, tr := range []*transit{of(finished, 100*mib, 1, 3), of(inFlight, 100*mib, 1, 3), of(inFlight, 100*mib, 3, 4), of(waiting, 50*mib, 5, 1), of(inFlight, 7, 2, 1), of(waiting, -1, 1, 3), of(refused, 10*mib, 1, 3)} {
		p.add(tr, m)
	}
	want := progress{partitions: 7, done: 2, bytes: (100 + 100 + 200 + 50 + 10) * mib, copied: (100 + 40 + 140) * mib, unknown: 1}
	if p != want {
		t.Errorf("%+v, want %+v", p, want)
	}
	perSecond, left := speed(progress{copied: 180 * mib}, p, 10*time.Second)
	if perSecond != 10*mib || left != 18*time.Second {
		t.Errorf("%d per second, %s left", perSecond, left)
	}
	if got, want := p.text(perSecond, left), "moving replicas: 2 of 7 partitions done, 280 MiB of 460 MiB copied, 10 MiB per second, about 18s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if perSecond, left := speed(p, p, 10*time.Second); perSecond != 0 || left != 0 {
		t.Errorf("%d per second, %s left where nothing was copied", perSecond, left)
	}
	if got := p.text(0, 0); !strings.Contains(got, "nothing at the moment") {
		t.Errorf("%q", got)
	}
}
