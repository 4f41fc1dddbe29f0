// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// ahead fetches answers before they are asked for. Terraform gives a provider about ten questions at a time, so a large refresh that
// pays a round trip for each batch of ten is mostly waiting. Once enough topics have been read one by one to show a large run, the
// others are fetched in chunks.
//
// An answer is used once and is as old as the process at most; what was written is never answered from here. Small runs never
// begin, and a cluster with many foreign topics needs a run in proportion to it, so neither pays.
type ahead[V any] struct {
	// threshold is how many single reads begin it; chunk how many names one fetch takes; limit how many unused answers are kept.
	threshold, chunk, limit int
	// names gives the topics of the cluster, fetch the answers for some of them; what failed is left out.
	names func(ctx context.Context) ([]string, error)
	fetch func(ctx context.Context, names []string) map[string]V
	start func(run func())

	mu      sync.Mutex
	reads   int
	running bool
	// listed is set once names were asked for; candidates are those left to fetch, in order, and left the same as a set. wanted are
	// those of them that somebody waits for: they go first.
	listed     bool
	enough     int
	candidates []string
	left       map[string]bool
	wanted     []string
	// listing is closed when the names are known, coming when the next chunk has arrived.
	listing, coming chan struct{}
	// asked are the names that were read or written in this run.
	asked   map[string]bool
	answers map[string]V
	pending map[string]chan struct{}
}

// foreignShare: a run is large enough when it has read one in so many of the cluster's topics.
const foreignShare = 100

func newAhead[V any](threshold, chunk, limit int) *ahead[V] {
	return &ahead[V]{
		threshold: threshold, chunk: chunk, limit: limit, left: map[string]bool{}, listing: make(chan struct{}), coming: make(chan struct{}),
		asked: map[string]bool{}, answers: map[string]V{}, pending: map[string]chan struct{}{},
	}
}

// take gives the answer for a name if it was fetched, waiting for the fetch that brings it. ok is false where the caller has to ask.
func (a *ahead[V]) take(ctx context.Context, name string) (answer V, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reads++
	for {
		if answer, ok = a.answers[name]; ok {
			delete(a.answers, name)
			break
		}
		under := a.under(name)
		if under == nil {
			break
		}
		a.mu.Unlock()
		select {
		case <-under:
		case <-ctx.Done():
		}
		a.mu.Lock()
		if ctx.Err() != nil {
			break
		}
	}
	a.asked[name] = true
	if !a.running && a.reads >= max(a.threshold, a.enough) && (!a.listed || len(a.left) > 0) {
		a.running = true
		ctx := context.WithoutCancel(ctx)
		a.start(func() { a.run(ctx) })
	}
	return answer, ok
}

// under is closed when the fetch that brings the name is done; nil where none will.
func (a *ahead[V]) under(name string) chan struct{} {
	if done, fetching := a.pending[name]; fetching {
		return done
	}
	switch {
	case a.running && !a.listed:
		return a.listing
	case !a.running || !a.left[name]:
		return nil
	}
	delete(a.left, name)
	a.wanted = append(a.wanted, name)
	a.pending[name] = a.coming
	return a.coming
}

// forget drops what is known of a name that is about to be written, now and for the rest of the run.
func (a *ahead[V]) forget(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked[name] = true
	delete(a.answers, name)
}

// run fetches chunk after chunk until there is enough in store.
func (a *ahead[V]) run(ctx context.Context) {
	if !a.list(ctx) {
		return
	}
	for {
		names, done := a.next()
		if len(names) == 0 {
			return
		}
		found := a.fetch(ctx, names)
		a.mu.Lock()
		for _, name := range names {
			delete(a.pending, name)
			if answer, ok := found[name]; ok && !a.asked[name] {
				a.answers[name] = answer
			}
		}
		a.mu.Unlock()
		close(done)
		tflog.Debug(ctx, "fetched ahead", map[string]any{"topics": len(names)})
	}
}

// list learns the names, once; without them there is nothing to fetch.
func (a *ahead[V]) list(ctx context.Context) bool {
	a.mu.Lock()
	listed := a.listed
	a.mu.Unlock()
	if listed {
		return true
	}
	names, err := a.names(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.listed = true
	close(a.listing)
	if err != nil {
		a.running = false
		tflog.Debug(ctx, "nothing is fetched ahead", map[string]any{"error": err.Error()})
		return false
	}
	a.candidates, a.enough = names, len(names)/foreignShare
	for _, name := range names {
		if !a.asked[name] {
			a.left[name] = true
		}
	}
	return true
}

// next takes the names of the next chunk out of the candidates, none when it is time to stop; they are under way until done is closed.
func (a *ahead[V]) next() (names []string, done chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	names, a.wanted = a.wanted, nil
	if a.reads >= a.enough && len(a.answers) < a.limit {
		for len(a.candidates) > 0 && len(names) < a.chunk {
			name := a.candidates[0]
			a.candidates = a.candidates[1:]
			if a.left[name] && !a.asked[name] {
				names = append(names, name)
				a.pending[name] = a.coming
			}
			delete(a.left, name)
		}
	}
	if len(names) == 0 {
		a.running = false
		return nil, nil
	}
	done, a.coming = a.coming, make(chan struct{})
	return names, done
}
