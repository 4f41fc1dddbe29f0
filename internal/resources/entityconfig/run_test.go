// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

var orders, audit = kafkaapi.Topic("orders"), kafkaapi.Topic("audit")

// Writers of one entity wait for each other, those of different entities do not.
func TestLock(t *testing.T) {
	run := NewRun()
	unlock, err := run.lock(t.Context(), orders)
	if err != nil {
		t.Fatal(err)
	}
	other, err := run.lock(t.Context(), audit)
	if err != nil {
		t.Fatal(err)
	}
	other()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run.lock(ctx, orders); !errors.Is(err, context.Canceled) {
		t.Errorf("A lock that is held gave %v to a caller that gave up", err)
	}
	unlock()

	inside, most := 0, 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			unlock, err := run.lock(t.Context(), orders)
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			mu.Lock()
			inside++
			most = max(most, inside)
			mu.Unlock()
			mu.Lock()
			inside--
			mu.Unlock()
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d writers held the lock of one entity at once", most)
	}
}

// An entity has one owner, however often that one claims it, and each run begins anew.
func TestClaim(t *testing.T) {
	run := NewRun()
	for i, c := range []struct {
		entity kafkaapi.Entity
		token  string
		sole   bool
	}{{orders, "a", true}, {audit, "b", true}, {orders, "a", true}, {orders, "b", false}, {orders, "a", false}, {audit, "b", true}} {
		if got := run.claim(c.entity, c.token); got != c.sole {
			t.Errorf("Claim %d of %s by %s: %v", i, c.entity, c.token, got)
		}
	}
	if !NewRun().claim(orders, "b") {
		t.Error("A new run knows of an old one")
	}
}

// A destroy leaves an entity that somebody of the run has claimed or written.
func TestTaken(t *testing.T) {
	run := NewRun()
	if run.taken(orders) {
		t.Error("Nobody has it yet")
	}
	run.claim(orders, "a")
	run.markWritten(audit)
	if !run.taken(orders) || !run.taken(audit) || run.taken(kafkaapi.Topic("third")) {
		t.Error("Claimed, written, and neither are not told apart")
	}
}

func TestSaidOnce(t *testing.T) {
	run := NewRun()
	if !run.Once("x") || run.Once("x") || !run.Once("y") {
		t.Error("Not once each")
	}
	run.nameAdopted(orders, "flush.ms")
	if !run.namedAdopted(orders, "flush.ms") || run.namedAdopted(orders, "segment.ms") || run.namedAdopted(audit, "flush.ms") {
		t.Error("What was named is not told apart")
	}
}
