// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// noting notes what the executor asks of its throttle, beside the submissions of the same script.
type noting struct {
	mu    sync.Mutex
	notes []string
	cover func(ctx context.Context, moves []Moving) map[string]map[int32]error
	held  Throttle
}

func (n *noting) note(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = append(n.notes, fmt.Sprintf(format, args...))
}

func (n *noting) Cover(ctx context.Context, moves []Moving) (map[string]map[int32]error, []string) {
	n.note("cover %s", names(moves))
	if n.cover == nil {
		return nil, []string{"a broker is not throttled"}
	}
	return n.cover(ctx, moves), nil
}

func (n *noting) Release(_ context.Context, needed []Moving) []string {
	n.note("release all but %s", names(needed))
	return []string{"a rate stays"}
}

func (n *noting) TakeOver(Throttle)    { n.note("take over") }
func (n *noting) Held(string) Throttle { return n.held }

func names(moves []Moving) string {
	var all []string
	for _, m := range moves {
		all = append(all, fmt.Sprintf("%s-%d", m.Topic, m.Partition))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// twoPartitions are partitions 0 and 1, each as a layout of one partition says.
func twoPartitions(first, second kafkaapi.Layout) kafkaapi.Layout {
	both := first
	other := second.Partitions[0]
	other.Partition = 1
	both.Partitions = []kafkaapi.PartitionDescription{first.Partitions[0], other}
	both.Moving = map[int32]kafkaapi.Reassignment{}
	for p, moving := range []map[int32]kafkaapi.Reassignment{first.Moving, second.Moving} {
		if move, is := moving[0]; is {
			both.Moving[int32(p)] = move
		}
	}
	return both
}

func twice() []Move {
	return []Move{{Partition: 0, From: []int32{1, 2}, To: []int32{1, 3}}, {Partition: 1, From: []int32{1, 2}, To: []int32{1, 3}}}
}

// What many topics find of the same broker is told once in a run, also where a job has nothing to move.
func TestNotesAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := New(&scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 3)})}, Settings{}, &noting{})
		for _, want := range [][]string{{"broker 1 has a rate"}, {"broker 2 has a rate"}} {
			o, err := e.Run(t.Context(), Job{Topic: "orders", Notes: []string{"broker 1 has a rate", want[0]}, LeftOver: Throttle{FollowerRate: map[int32]int64{9: 1}}})
			if err != nil || !slices.Equal(slices.DeleteFunc(o.Warnings, func(text string) bool { return !strings.Contains(text, "has a rate") }), want) {
				t.Errorf("%v, warnings %q, want %q", err, o.Warnings, want)
			}
		}
		idle(t, e)
	})
}

// C-81, C-86: the throttle is set before a move is submitted, and taken back as moves end: what is in flight or waits is still needed. Warnings
// come once.
func TestThrottleAroundMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		throttle := &noting{held: Throttle{LeaderRate: map[int32]int64{1: 7}}}
		kafka := &scripted{at: after(map[int]kafkaapi.Layout{
			1: twoPartitions(rest(1, 2), rest(1, 2)), 2: twoPartitions(flight(), rest(1, 2)), 5: twoPartitions(rest(1, 3), rest(1, 2)),
			7: twoPartitions(rest(1, 3), flight()), 10: twoPartitions(rest(1, 3), rest(1, 3)),
		})}
		kafka.answer = func(_ context.Context, sent map[int32][]int32) map[int32]error {
			throttle.note("submit %d", len(sent))
			return nil
		}
		e := New(kafka, Settings{MaxMovesPerBroker: 1}, throttle)
		o, err := e.Run(t.Context(), Job{Topic: "orders", Moves: twice(), LeftOver: Throttle{FollowerRate: map[int32]int64{9: 1}}})
		want := []string{"take over", "cover orders-0", "submit 1", "release all but orders-0 orders-1", "cover orders-1", "submit 1", "release all but orders-1", "release all but "}
		if err != nil || !slices.Equal(throttle.notes, want) {
			t.Errorf("%v\n%q\nwant %q", err, throttle.notes, want)
		}
		if want := []string{"a broker is not throttled", "a rate stays"}; !slices.Equal(o.Warnings, want) || o.Throttle.LeaderRate[1] != 7 {
			t.Errorf("Warnings %q, throttle %v", o.Warnings, o.Throttle)
		}
		idle(t, e)
	})
}

// C-83: a move whose throttle cannot be set is not submitted; the others are.
func TestThrottleRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		throttle := &noting{cover: func(context.Context, []Moving) map[string]map[int32]error {
			return map[string]map[int32]error{"orders": {1: errors.New("not allowed")}}
		}}
		kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: twoPartitions(rest(1, 2), rest(1, 2)), 2: twoPartitions(flight(), rest(1, 2)), 5: twoPartitions(rest(1, 3), rest(1, 2))})}
		o, err := New(kafka, Settings{}, throttle).Run(t.Context(), Job{Topic: "orders", Moves: twice()})
		if err != nil || len(kafka.submitted) != 1 || len(kafka.submitted[0]["orders"]) != 1 || !slices.Equal(o.Done, []int32{0}) {
			t.Errorf("%v, submitted %v, %+v", err, kafka.submitted, o)
		}
		if o.Refused[1] == nil || !strings.Contains(o.Refused[1].Error(), "nothing was submitted for it: not allowed") {
			t.Errorf("Refused %v", o.Refused)
		}
	})
}

// Acceptance line 4, C-99: an interrupt while the throttle is being set submits nothing, and what was set is taken back, in some seconds.
func TestInterruptWhileThrottling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		throttle := &noting{cover: func(ctx context.Context, _ []Moving) map[string]map[int32]error {
			interrupt()
			<-ctx.Done() // a broker that does not answer
			return nil
		}}
		kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 2)})}
		start := time.Now()
		e := New(kafka, Settings{}, throttle)
		o, err := e.Run(ctx, Job{Topic: "orders", Moves: swap()})
		if took := time.Since(start); !errors.Is(err, context.Canceled) || took > 6*time.Second || !slices.Equal(o.Waiting, []int32{0}) {
			t.Errorf("%+v, %v after %s", o, err, took)
		}
		if len(kafka.submitted) > 0 || !slices.Equal(throttle.notes, []string{"cover orders-0", "release all but "}) {
			t.Errorf("Submitted %v; %q", kafka.submitted, throttle.notes)
		}
		idle(t, e)
	})
}

// What is in flight when its job ends keeps its throttle while others run, and counts for the limit; when it is done, both end.
func TestLeftInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		throttle := &noting{}
		first, second := after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight(), 30: rest(1, 3)}), after(map[int]kafkaapi.Layout{1: rest(1, 2), 31: flight(), 35: rest(1, 3)})
		kafka := &scripted{at: func(topic string, reading int) kafkaapi.Layout {
			if topic == "first" {
				return first(topic, reading)
			}
			return second(topic, reading)
		}}
		e := New(kafka, Settings{MaxMovesPerBroker: 1}, throttle)
		o, err := e.Run(t.Context(), Job{Topic: "first", Moves: swap(), Detach: true})
		if err != nil || !slices.Equal(o.InFlight, []int32{0}) {
			t.Fatalf("%+v, %v", o, err)
		}
		_, err = e.Run(t.Context(), Job{Topic: "second", Moves: swap()})
		if err != nil || kafka.described < 36 {
			t.Errorf("%v after %d readings", err, kafka.described)
		}
		if want := []string{"cover first-0", "cover second-0", "release all but "}; !slices.Equal(throttle.notes, want) {
			t.Errorf("%q, want %q", throttle.notes, want)
		}
		idle(t, e)
	})
}

// A move that is taken over in flight is throttled too, and not submitted.
func TestTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		throttle := &noting{}
		kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: flight(), 9: rest(1, 3)})}
		moves := swap()
		moves[0].InFlight = true
		o, err := New(kafka, Settings{}, throttle).Run(t.Context(), Job{Topic: "orders", Moves: moves})
		if err != nil || !slices.Equal(o.Done, []int32{0}) || len(kafka.submitted) > 0 || !slices.Equal(throttle.notes, []string{"cover orders-0", "release all but "}) {
			t.Errorf("%+v, %v; submitted %v; %q", o, err, kafka.submitted, throttle.notes)
		}
	})
}

// The time of one job is over while the throttle of another is being set: that goes on.
func TestOneInterruptedAmongOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		throttle := &noting{cover: func(ctx context.Context, moves []Moving) map[string]map[int32]error {
			time.AfterFunc(time.Second, interrupt)
			select {
			case <-time.After(20 * time.Second): // slow brokers
				return nil
			case <-ctx.Done():
				return map[string]map[int32]error{moves[0].Topic: {0: ctx.Err()}}
			}
		}}
		start := time.Now()
		kafka := &scripted{}
		kafka.at = func(topic string, _ int) kafkaapi.Layout {
			layout := rest(1, 2)
			if since := time.Since(start); topic == "stays" && since > time.Minute {
				layout = rest(1, 3)
			} else if topic == "stays" && since > 20*time.Second {
				layout = flight()
			}
			layout.Name = topic
			return layout
		}
		e := New(kafka, Settings{}, throttle)
		done := make(chan error)
		go func() {
			_, err := e.Run(ctx, Job{Topic: "leaves", Moves: swap()})
			done <- err
		}()
		o, err := e.Run(t.Context(), Job{Topic: "stays", Moves: swap()})
		if err != nil || !slices.Equal(o.Done, []int32{0}) {
			t.Errorf("%+v, %v", o, err)
		}
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("The interrupted one: %v", err)
		}
		for _, sent := range kafka.submitted {
			if _, is := sent["leaves"]; is {
				t.Error("A move of the interrupted one was submitted")
			}
		}
		idle(t, e)
	})
}

// An interrupt cuts off a submission that is not answered. What became of it is looked at, not guessed.
func TestInterruptWhileSubmitting(t *testing.T) {
	for name, c := range map[string]struct {
		then kafkaapi.Layout
		want func(o Outcome) []int32
	}{
		"accepted":     {flight(), func(o Outcome) []int32 { return o.InFlight }},
		"not accepted": {rest(1, 2), func(o Outcome) []int32 { return o.Waiting }},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: c.then})}
			kafka.answer = func(ctx context.Context, _ map[int32][]int32) map[int32]error {
				interrupt()
				<-ctx.Done()
				return map[int32]error{0: fmt.Errorf("waiting for broker 1: %w", ctx.Err())}
			}
			start := time.Now()
			e := New(kafka, Settings{}, nil)
			o, err := e.Run(ctx, Job{Topic: "orders", Moves: swap()})
			if took := time.Since(start); !errors.Is(err, context.Canceled) || took > 6*time.Second || !slices.Equal(c.want(o), []int32{0}) || len(o.Refused) > 0 {
				t.Errorf("%s: %+v, %v after %s", name, o, err, took)
			}
			idle(t, e)
		})
	}
}
