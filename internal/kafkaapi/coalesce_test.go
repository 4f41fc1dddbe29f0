// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// gate is an asker whose batches wait until they are let through.
type gate struct {
	mu      sync.Mutex
	batches [][]int
	entered chan struct{}
	open    chan struct{}
}

func newGate() *gate { return &gate{entered: make(chan struct{}, 100), open: make(chan struct{})} }

func (g *gate) ask(ctx context.Context, questions []int) []int {
	g.mu.Lock()
	g.batches = append(g.batches, questions)
	g.mu.Unlock()
	g.entered <- struct{}{}
	select {
	case <-g.open:
	case <-ctx.Done():
		return make([]int, len(questions))
	}
	answers := make([]int, 0, len(questions))
	for _, q := range questions {
		answers = append(answers, 10*q)
	}
	return answers
}

func background(f func()) { go f() }

func (c *coalescer[Q, A]) waitingCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

func awaitCount(t *testing.T, want int, count func() int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); count() != want; {
		if time.Now().After(deadline) {
			t.Fatalf("%d, want %d", count(), want)
		}
		time.Sleep(time.Millisecond)
	}
}

// C-127: what comes while a request is under way goes together, and no lock is held meanwhile.
func TestCoalescerBatchesWhatWaits(t *testing.T) {
	g := newGate()
	c := &coalescer[int, int]{lanes: 1, start: background, fit: func(q []int) int { return min(len(q), 100) }, ask: g.ask}
	var wg sync.WaitGroup
	got := make([]int, 151)
	ask := func(i int) {
		wg.Go(func() {
			answer, err := c.do(t.Context(), i)
			if err != nil {
				t.Error(err)
			}
			got[i] = answer
		})
	}
	ask(0)
	<-g.entered // the first went at once, alone
	for i := 1; i <= 150; i++ {
		ask(i)
	}
	awaitCount(t, 150, c.waitingCount)
	close(g.open)
	wg.Wait()
	for i, answer := range got {
		if answer != 10*i {
			t.Errorf("question %d was answered with %d", i, answer)
		}
	}
	if len(g.batches) != 3 || len(g.batches[0]) != 1 || len(g.batches[1]) != 100 || len(g.batches[2]) != 50 {
		t.Errorf("batches %v", g.batches)
	}
}

// One caller's cancellation does not cancel the others.
func TestCoalescerOutlivesACaller(t *testing.T) {
	g := newGate()
	c := &coalescer[int, int]{lanes: 1, start: background, fit: func(q []int) int { return len(q) }, ask: g.ask}
	first, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := c.do(first, 1); ended <- err }()
	<-g.entered
	answered := make(chan int, 1)
	go func() { answer, _ := c.do(t.Context(), 2); answered <- answer }()
	awaitCount(t, 1, c.waitingCount)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that gave up got %v", err)
	}
	// Its batch has nobody left and ends by itself; the next one goes on.
	<-g.entered
	close(g.open)
	if answer := <-answered; answer != 20 {
		t.Errorf("answer %d", answer)
	}
}

// Acceptance line 14: what was interrupted while it waited its turn is not sent afterwards.
func TestCoalescerDropsWhatNobodyWaitsFor(t *testing.T) {
	g := newGate()
	c := &coalescer[int, int]{lanes: 1, start: background, fit: func(q []int) int { return len(q) }, ask: g.ask}
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = c.do(t.Context(), 1) })
	<-g.entered
	interrupted, interrupt := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _, _ = c.do(interrupted, 2) }()
	awaitCount(t, 1, c.waitingCount)
	wg.Go(func() {
		if answer, err := c.do(t.Context(), 3); err != nil || answer != 30 {
			t.Errorf("%d, %v", answer, err)
		}
	})
	awaitCount(t, 2, c.waitingCount)
	interrupt()
	<-ended
	close(g.open)
	wg.Wait()
	if got := fmt.Sprint(g.batches); got != "[[1] [3]]" {
		t.Errorf("batches %s", got)
	}
}

// What is about the same goes one after the other, also behind a question that was given up and is
// still under way; what is about something else passes by.
func TestCoalescerKeepsTheOrderOfOneSubject(t *testing.T) {
	var mu sync.Mutex
	var batches [][]int
	entered, open := make(chan []int, 10), make(chan struct{})
	c := &coalescer[int, int]{
		lanes: 2, start: background, fit: func(q []int) int { return len(q) }, subject: func(q int) any { return q % 10 },
		ask: func(_ context.Context, questions []int) []int { // does not stop for a caller that gives up, as a batch with neighbours
			mu.Lock()
			batches = append(batches, questions)
			first := len(batches) == 1
			mu.Unlock()
			entered <- questions
			if first {
				<-open
			}
			return questions
		},
	}
	given, giveUp := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); _, _ = c.do(given, 1) }()
	<-entered
	giveUp()
	<-ended
	var wg sync.WaitGroup
	wg.Go(func() { _, _ = c.do(t.Context(), 11) })
	awaitCount(t, 1, c.waitingCount)
	wg.Go(func() { _, _ = c.do(t.Context(), 21) })
	awaitCount(t, 2, c.waitingCount)
	if answer, err := c.do(t.Context(), 2); answer != 2 || err != nil {
		t.Errorf("another subject: %d, %v", answer, err)
	}
	close(open)
	wg.Wait()
	if got := fmt.Sprint(batches); got != "[[1] [2] [11] [21]]" && got != "[[1] [2] [21] [11]]" {
		t.Errorf("batches %s", got)
	}
	awaitCount(t, 0, func() int { c.mu.Lock(); defer c.mu.Unlock(); return c.busy + len(c.underWay) })
}

func TestCoalescerUsesItsLanes(t *testing.T) {
	g := newGate()
	c := &coalescer[int, int]{lanes: 2, start: background, fit: func(q []int) int { return len(q) }, ask: g.ask}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { _, _ = c.do(t.Context(), i) })
		<-g.entered // without the first one having been answered
	}
	close(g.open)
	wg.Wait()
	awaitCount(t, 0, func() int { c.mu.Lock(); defer c.mu.Unlock(); return c.busy })
}

// Questions that are put together go together, as far as a batch can hold them.
func TestCoalescerTakesManyAtOnce(t *testing.T) {
	var mu sync.Mutex
	var sizes []int
	c := &coalescer[int, int]{
		lanes: 2, start: background, fit: func(q []int) int { return min(len(q), 10) }, subject: func(q int) any { return q },
		ask: func(_ context.Context, questions []int) []int {
			mu.Lock()
			defer mu.Unlock()
			sizes = append(sizes, len(questions))
			return questions
		},
	}
	questions := make([]int, 25)
	for i := range questions {
		questions[i] = i
	}
	for i, w := range c.put(t.Context(), questions...) {
		if answer, err := w.wait(t.Context()); err != nil || answer != i {
			t.Errorf("Question %d was answered %d, %v", i, answer, err)
		}
	}
	slices.Sort(sizes)
	if !slices.Equal(sizes, []int{5, 10, 10}) {
		t.Errorf("They went in batches of %v", sizes)
	}
	awaitCount(t, 0, func() int { c.mu.Lock(); defer c.mu.Unlock(); return c.busy })
}
