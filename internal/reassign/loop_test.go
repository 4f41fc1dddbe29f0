// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// C-68, C-77: a move that runs is waited for however long it takes while it comes nearer, and a stray reading is not its end.
func TestLongMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight(), 9000: layoutOf([]int32{1, 3, 2}, []int32{1, 2, 3}, 1, nil), 9002: rest(1, 3), 9003: flight(), 9010: rest(1, 3)})}
		kafka.dirs = func(_ context.Context, id int32) kafkaapi.BrokerLogDirs {
			size := int64(1 << 40)
			if id == 3 {
				size = time.Since(start).Microseconds()
			}
			return kafkaapi.BrokerLogDirs{Broker: id, Dirs: []kafkaapi.LogDir{{UsableBytes: -1, Sizes: map[string]map[int32]int64{"orders": {0: size}}}}}
		}
		e := New(kafka, Settings{}, nil)
		o, err := e.Run(t.Context(), Job{Topic: "orders", TopicID: "id", Moves: swap()})
		if err != nil || !slices.Equal(o.Done, []int32{0}) || kafka.described < 9011 {
			t.Errorf("%+v, %v after %d readings", o, err, kafka.described)
		}
		if took := time.Since(start); took < time.Hour || took > 6*time.Hour {
			t.Errorf("It took %s", took)
		}
		if len(kafka.submitted) != 1 {
			t.Errorf("Submitted %v", kafka.submitted)
		}
		idle(t, e)
	})
}

// C-73: a cluster that accepts the order and does not keep it ends the job with an error that says so. C-61: so does somebody who moves the
// partition elsewhere meanwhile, or cancels it.
func TestStrayed(t *testing.T) {
	for says, c := range map[string]struct {
		move Move
		at   kafkaapi.Layout
	}{
		"do not keep it":                     {Move{From: []int32{1, 2}, To: []int32{2, 1}}, rest(1, 2)},
		"somebody else moved or cancelled":   {Move{From: []int32{1, 2}, To: []int32{1, 3}}, rest(1, 2)},
		"on the way to the replicas [1, 3],": {Move{From: []int32{1, 2}, To: []int32{1, 5}}, flight()},
	} {
		synctest.Test(t, func(t *testing.T) {
			kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: c.at})}
			start := time.Now()
			o, err := New(kafka, Settings{}, nil).Run(t.Context(), Job{Topic: "orders", Moves: []Move{c.move}, OnInterruption: Cancel})
			var strays *StrayedError
			if !errors.As(err, &strays) || !strings.Contains(err.Error(), says) || len(o.Restored) > 0 && says[0] == 'o' {
				t.Errorf("It says %v, want %q; %+v", err, says, o)
			}
			if took := time.Since(start); took < restTime || took > 2*restTime {
				t.Errorf("It took %s", took)
			}
		})
	}
}

// A topic that is deleted, or made again, in mid-move ends its job, and no other.
func TestGone(t *testing.T) {
	again := flight()
	again.ID = "new"
	gone := kafkaapi.Layout{TopicDescription: kafkaapi.TopicDescription{Err: fmt.Errorf("no: %w", kafkaapi.ErrUnknownTopic)}}
	for says, last := range map[string]kafkaapi.Layout{"was deleted meanwhile": gone, "its id was id and is new": again} {
		synctest.Test(t, func(t *testing.T) {
			orders := after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight(), 10: last})
			others := after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight(), 100: rest(1, 3)})
			kafka := &scripted{at: func(topic string, reading int) kafkaapi.Layout {
				if topic == "orders" {
					return orders(topic, reading)
				}
				return others(topic, reading)
			}}
			e := New(kafka, Settings{}, nil)
			done := make(chan error)
			go func() {
				_, err := e.Run(t.Context(), Job{Topic: "others", TopicID: "id", Moves: swap()})
				done <- err
			}()
			_, err := e.Run(t.Context(), Job{Topic: "orders", TopicID: "id", Moves: swap(), OnInterruption: Cancel})
			var lost *GoneError
			if !errors.As(err, &lost) || !strings.Contains(err.Error(), says) {
				t.Errorf("It says %v, want %q", err, says)
			}
			if err := <-done; err != nil {
				t.Errorf("The other topic: %v", err)
			}
			for _, sent := range kafka.submitted {
				if list, cancelled := sent["orders"][0]; cancelled && list == nil {
					t.Error("A topic that is gone was cancelled")
				}
			}
			idle(t, e)
		})
	}
}

// Acceptance line 11: a hundred topics in flight cost no more polls than one.
func TestPollsAreShared(t *testing.T) {
	polls := func(topics int) (count int) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			kafka := &scripted{}
			kafka.at = func(topic string, _ int) kafkaapi.Layout {
				layout := flight()
				if time.Since(start) > time.Minute {
					layout = rest(1, 3)
				}
				layout.Name = topic
				return layout
			}
			e := New(kafka, Settings{MaxMovesPerBroker: 1000}, nil)
			done := make(chan error)
			for i := range topics {
				go func() {
					_, err := e.Run(t.Context(), Job{Topic: fmt.Sprint("topic-", i), Moves: swap()})
					done <- err
				}()
			}
			for range topics {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
			if kafka.described != kafka.listed || slices.Max(kafka.partitions) != topics || len(kafka.submitted) != 1 {
				t.Errorf("%d descriptions, %d lists of %v partitions, %d submissions", kafka.described, kafka.listed, kafka.partitions, len(kafka.submitted))
			}
			count = kafka.listed
		})
		return count
	}
	one, hundred := polls(1), polls(100)
	if one < 30 || one > 60 || hundred > one+2 {
		t.Errorf("%d polls for one topic, %d for a hundred", one, hundred)
	}
}

// A refusal whose answer was lost is no refusal if the brokers took the move over.
func TestLostAnswer(t *testing.T) {
	lost := &kafkaapi.BrokerError{Broker: 1, Request: "AlterPartitionReassignments", Err: errors.New("EOF")}
	spoken := &kafkaapi.Error{Code: 39, CodeName: "INVALID_REPLICA_ASSIGNMENT"}
	for name, c := range map[string]struct {
		err  error
		then kafkaapi.Layout
		done bool
	}{
		"lost, and done": {lost, flight(), true}, "lost, and not done": {lost, rest(1, 2), false}, "refused": {spoken, flight(), false},
	} {
		synctest.Test(t, func(t *testing.T) {
			kafka := &scripted{
				at:     after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: c.then, 9: rest(1, 3)}),
				answer: func(context.Context, map[int32][]int32) map[int32]error { return map[int32]error{0: c.err} },
			}
			o, err := New(kafka, Settings{}, nil).Run(t.Context(), Job{Topic: "orders", Moves: swap()})
			if err != nil || (len(o.Done) == 1) != c.done || (o.Refused[0] != nil) == c.done {
				t.Errorf("%s: %+v, %v", name, o, err)
			}
		})
	}
}

// What the cluster refuses to tell ends a job at once; what it cannot tell for a moment, such as between two controllers, does not.
func TestUnread(t *testing.T) {
	forbidden, trouble := fmt.Errorf("no: %w", kafkaapi.ErrNotAuthorized), errors.New("no controller")
	for name, c := range map[string]struct {
		listing func(reading int) error
		want    error
		within  time.Duration
	}{
		"not authorized":      {func(int) error { return forbidden }, forbidden, time.Second},
		"a moment of trouble": {func(reading int) error { return map[bool]error{true: trouble}[reading > 3 && reading < 15] }, nil, time.Minute},
		"trouble for long":    {func(reading int) error { return map[bool]error{true: trouble}[reading > 3] }, trouble, 2 * unreadTime},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight(), 20: rest(1, 3)}), listing: c.listing}
			_, err := New(kafka, Settings{}, nil).Run(t.Context(), Job{Topic: "orders", Moves: swap()})
			if !errors.Is(err, c.want) || time.Since(start) > c.within {
				t.Errorf("%s: %v after %s", name, err, time.Since(start))
			}
		})
	}
}

// Watch shares the polls, sees each of them, and ends with its context.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 2), 5: rest(1, 3)})}
		e := New(kafka, Settings{}, nil)
		if err := e.Watch(t.Context(), "orders", func(l kafkaapi.Layout) (bool, error) { return l.Partitions[0].Replicas[1] == 3, nil }); err != nil || kafka.described != 5 {
			t.Errorf("%v after %d readings", err, kafka.described)
		}
		broken := errors.New("broken")
		if err := e.Watch(t.Context(), "orders", func(kafkaapi.Layout) (bool, error) { return false, broken }); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		err := e.Watch(ctx, "orders", func(kafkaapi.Layout) (bool, error) { return false, nil })
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 11*time.Second {
			t.Errorf("%v after %s", err, time.Since(start))
		}
		idle(t, e)
	})
}

// A broker that does not answer for itself holds up neither polls nor an interrupt.
func TestSilentBroker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kafka := &scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 2), 2: flight()})}
		kafka.dirs = func(ctx context.Context, id int32) kafkaapi.BrokerLogDirs {
			<-ctx.Done()
			return kafkaapi.BrokerLogDirs{Broker: id, Err: ctx.Err()}
		}
		ctx, interrupt := context.WithCancel(t.Context())
		e := New(kafka, Settings{}, nil)
		time.AfterFunc(5*time.Minute, interrupt)
		start := time.Now()
		o, err := e.Run(ctx, Job{Topic: "orders", Moves: swap()})
		if took := time.Since(start); !errors.Is(err, context.Canceled) || took > 5*time.Minute+time.Second || !slices.Equal(o.InFlight, []int32{0}) {
			t.Errorf("%+v, %v after %s", o, err, took)
		}
		if kafka.described < 150 {
			t.Errorf("%d polls in five minutes", kafka.described)
		}
		idle(t, e)
	})
}

// The pauses between polls grow, and the second look that a finished move takes follows soon after the first.
func TestSecondLookIsSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var seen time.Time
		kafka := &scripted{at: func(string, int) kafkaapi.Layout {
			if time.Since(start) < time.Minute {
				return flight()
			}
			if seen.IsZero() {
				seen = time.Now()
			}
			return rest(1, 3)
		}}
		_, err := New(kafka, Settings{}, nil).Run(t.Context(), Job{Topic: "orders", Moves: swap()})
		if took := time.Since(seen); err != nil || took > 2*firstPoll || seen.Sub(start) > time.Minute+lastPoll {
			t.Errorf("%v; seen after %s, and done %s later", err, seen.Sub(start), took)
		}
	})
}

// hanging does not answer what moves for a while, as brokers while their active controller hangs and is replaced.
type hanging struct {
	*scripted
	looks int
}

func (h *hanging) ListReassignments(ctx context.Context, of kafkaapi.TopicPartitions) (map[string]map[int32]kafkaapi.Reassignment, error) {
	if h.looks--; h.looks >= 0 {
		time.Sleep(time.Minute + time.Second)
		return nil, kafkaapi.ErrBrokerUnavailable
	}
	return h.scripted.ListReassignments(ctx, of)
}

// Acceptance line 7 of issue 6: a controller that hangs costs whole request timeouts; the moves go on. Where nothing is told again and again,
// they are given up.
func TestControllerHangs(t *testing.T) {
	for looks, gone := range map[int]bool{2: false, 1000: true} {
		synctest.Test(t, func(t *testing.T) {
			e := New(&hanging{&scripted{at: after(map[int]kafkaapi.Layout{1: rest(1, 3)})}, looks}, Settings{}, nil)
			o, err := e.Run(t.Context(), Job{Topic: "orders", Moves: []Move{{From: []int32{1, 2}, To: []int32{1, 3}, InFlight: true}}})
			if errors.Is(err, kafkaapi.ErrBrokerUnavailable) != gone || (err == nil) == gone || (len(o.Done) == 1) == gone {
				t.Errorf("%d looks: %v, %+v", looks, err, o)
			}
			idle(t, e)
		})
	}
}
