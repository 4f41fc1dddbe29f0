// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// cluster is what an ahead fetches from: so many topics, and a count of what was asked.
type aheadCluster struct {
	mu      sync.Mutex
	names   []string
	lists   int
	fetched [][]string
	runs    sync.WaitGroup
}

func newAheadCluster(n int) *aheadCluster {
	c := &aheadCluster{}
	for i := range n {
		c.names = append(c.names, fmt.Sprintf("t%05d", i))
	}
	return c
}

func (c *aheadCluster) ahead(threshold, chunk, limit int) *ahead[string] {
	a := newAhead[string](threshold, chunk, limit)
	a.start = func(f func()) { c.runs.Go(f) }
	a.names = func(context.Context) ([]string, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.lists++
		return c.names, nil
	}
	a.fetch = func(_ context.Context, names []string) map[string]string {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.fetched = append(c.fetched, names)
		found := map[string]string{}
		for _, name := range names {
			found[name] = "of " + name
		}
		return found
	}
	return a
}

// read takes every name in turn, after all fetches so far, and counts the hits.
func (c *aheadCluster) read(t *testing.T, a *ahead[string], names []string) (hits int) {
	t.Helper()
	for _, name := range names {
		answer, ok := a.take(t.Context(), name)
		if ok {
			hits++
			if answer != "of "+name {
				t.Fatalf("%s was answered with %q", name, answer)
			}
		}
		c.runs.Wait()
	}
	return hits
}

func TestAheadServesALargeRun(t *testing.T) {
	c := newAheadCluster(1000)
	a := c.ahead(20, 250, 5000)
	if hits := c.read(t, a, c.names); hits != 980 {
		t.Errorf("%d of 1000 reads were answered from what was fetched", hits)
	}
	if c.lists != 1 || len(c.fetched) != 4 {
		t.Errorf("%d lists, %d fetches", c.lists, len(c.fetched))
	}
}

// C-126: a small run asks for nothing, and ten resources on an enormous cluster do not pay for it.
func TestAheadCostsSmallRunsNothing(t *testing.T) {
	small := newAheadCluster(1000)
	small.read(t, small.ahead(20, 250, 5000), small.names[:19])
	if small.lists != 0 {
		t.Error("19 reads listed the topics")
	}
	huge := newAheadCluster(20_000)
	huge.read(t, huge.ahead(20, 250, 5000), huge.names[:150])
	if huge.lists != 1 || len(huge.fetched) != 0 {
		t.Errorf("150 of 20000: %d lists, %d fetches", huge.lists, len(huge.fetched))
	}
	if hits := huge.read(t, huge.ahead(20, 250, 500), huge.names[:300]); hits != 100 {
		t.Errorf("300 of 20000: %d hits", hits)
	}
}

func TestAheadAnswersOnceAndNeverWhatWasWritten(t *testing.T) {
	c := newAheadCluster(100)
	a := c.ahead(2, 50, 5000)
	c.read(t, a, c.names[:2])
	if _, ok := a.take(t.Context(), "t00005"); !ok {
		t.Fatal("nothing was fetched")
	}
	if _, ok := a.take(t.Context(), "t00005"); ok {
		t.Error("an answer was used twice")
	}
	a.forget("t00006")
	if _, ok := a.take(t.Context(), "t00006"); ok {
		t.Error("a written topic was answered from before the write")
	}
}

// The store is bounded: fetching stops when it is full and goes on as it empties.
func TestAheadBoundsItsStore(t *testing.T) {
	c := newAheadCluster(1000)
	a := c.ahead(2, 100, 150)
	c.read(t, a, c.names[:2])
	if len(a.answers) > 250 {
		t.Errorf("%d answers in store", len(a.answers))
	}
	if hits := c.read(t, a, c.names[2:]); hits < 990 {
		t.Errorf("%d hits", hits)
	}
}

func TestAheadWithoutNames(t *testing.T) {
	c := newAheadCluster(10)
	a := c.ahead(2, 100, 150)
	a.names = func(context.Context) ([]string, error) { c.lists++; return nil, errors.New("no") }
	if hits := c.read(t, a, c.names); hits != 0 || c.lists != 1 {
		t.Errorf("%d hits, %d lists", hits, c.lists)
	}
}
