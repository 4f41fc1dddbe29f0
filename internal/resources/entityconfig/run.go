// SPDX-License-Identifier: MPL-2.0

package entityconfig

import (
	"context"
	"fmt"
	"sync"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/resources/ownership"
)

// Run is what the resources of one run share: who owns which entity, what has been written, what has been said. A run is one
// Configure of the provider, which is one walk of Terraform: plan and apply are runs of their own. Aliases of the provider
// are processes of their own and know nothing of each other.
type Run struct {
	claims   ownership.Claims
	mu       sync.Mutex
	entities map[kafkaapi.Entity]*entityRun
	said     map[string]bool
	settled  map[string]*settling
	// applying: a resource of this run has been created, updated or destroyed.
	applying bool
}

type entityRun struct {
	lock    chan struct{}
	written bool
	// leaving: a resource that owns the entity is planned to be destroyed.
	leaving bool
	adopted map[string]bool
}

// NewRun begins a run.
func NewRun() *Run {
	return &Run{entities: map[kafkaapi.Entity]*entityRun{}, said: map[string]bool{}, settled: map[string]*settling{}}
}

func (r *Run) of(entity kafkaapi.Entity) *entityRun {
	e, ok := r.entities[entity]
	if !ok {
		e = &entityRun{lock: make(chan struct{}, 1), adopted: map[string]bool{}}
		r.entities[entity] = e
	}
	return e
}

// lock waits until no other resource of the run writes to the entity. It gives the context's error where that ends first.
func (r *Run) lock(ctx context.Context, entity kafkaapi.Entity) (unlock func(), err error) {
	r.mu.Lock()
	lock := r.of(entity).lock
	r.mu.Unlock()
	select {
	case lock <- struct{}{}:
		return func() { <-lock }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for another resource of this run that writes to %s: %w", entity, ctx.Err())
	}
}

// markApplying notes that this run is an apply.
func (r *Run) markApplying() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.applying = true
}

// isApplying tells whether this run is known to be an apply. Terraform plans each resource once more in it, right before it applies the
// resource.
func (r *Run) isApplying() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.applying
}

// claim notes that a planned resource owns the entity and tells whether it is the only one.
func (r *Run) claim(entity kafkaapi.Entity, token string) (sole bool) {
	return r.claims.Claim(entity.String(), token)
}

// markWritten notes that a resource of this run has made the entity's set its own.
func (r *Run) markWritten(entity kafkaapi.Entity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of(entity).written = true
}

func (r *Run) hasWritten(entity kafkaapi.Entity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of(entity).written
}

// taken tells whether another resource of this run owns, or is about to own, the entity: then a destroy must leave it.
func (r *Run) taken(entity kafkaapi.Entity) bool {
	return r.hasWritten(entity) || r.claims.Claimed(entity.String())
}

// markLeaving notes that a resource that owns the entity is planned to be destroyed.
func (r *Run) markLeaving(entity kafkaapi.Entity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of(entity).leaving = true
}

func (r *Run) leaving(entity kafkaapi.Entity) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of(entity).leaving
}

// nameAdopted notes the keys that a warning of this run has named as going away.
func (r *Run) nameAdopted(entity kafkaapi.Entity, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of(entity).adopted[key] = true
}

func (r *Run) namedAdopted(entity kafkaapi.Entity, key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of(entity).adopted[key]
}

// Settle answers a question that is asked once per run; whoever comes while it is being asked waits. An error settles nothing: it goes
// to whoever asked, and the next one asks again. A question has answers of one type.
func Settle[A any](ctx context.Context, r *Run, question string, ask func() (A, error)) (A, error) {
	var none A
	r.mu.Lock()
	q, ok := r.settled[question]
	if !ok {
		q = &settling{turn: make(chan struct{}, 1)}
		r.settled[question] = q
	}
	r.mu.Unlock()
	select {
	case q.turn <- struct{}{}:
		defer func() { <-q.turn }()
	case <-ctx.Done():
		return none, ctx.Err()
	}
	if !q.done {
		answer, err := ask()
		if err != nil {
			return none, err
		}
		q.answer, q.done = answer, true
	}
	answer, ok := q.answer.(A)
	if !ok {
		return none, fmt.Errorf("%q has been answered with a %T, not a %T", question, q.answer, none)
	}
	return answer, nil
}

// settling is a question of Settle. Its answer belongs to whoever has the turn.
type settling struct {
	turn   chan struct{}
	answer any
	done   bool
}

// Once is true the first time that it is asked for a topic of conversation.
func (r *Run) Once(topic string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := !r.said[topic]
	r.said[topic] = true
	return first
}
