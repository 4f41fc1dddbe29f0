// SPDX-License-Identifier: MPL-2.0

// Package ownership finds two resources of one run that own the same thing, such as the configs of a topic.
//
// A run is one Configure of the provider, which is one walk of Terraform: plan and apply are runs of their own. Aliases of the provider
// are processes of their own and know nothing of each other.
package ownership

import (
	"slices"
	"sync"
)

// Claims are who owns what in one run. The zero value is a run in which nobody owns anything; it is safe for concurrent use.
type Claims struct {
	mu     sync.Mutex
	owners map[string][]string
}

// Claim notes that a planned resource owns an object and tells whether it is the only one. token is the resource's own in this run:
// Terraform plans a forced replacement twice, as a resource that stays and then as one that is created, and that is one owner.
func (c *Claims) Claim(object, token string) (sole bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owners == nil {
		c.owners = map[string][]string{}
	}
	tokens := c.owners[object]
	if !slices.Contains(tokens, token) {
		c.owners[object] = append(tokens, token)
	}
	return !slices.ContainsFunc(tokens, func(other string) bool { return other != token })
}

// Claimed tells whether anybody owns the object.
func (c *Claims) Claimed(object string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.owners[object]) > 0
}
