// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"fmt"
	"slices"
)

// maxString is the longest text that brokers read; they close the connection over a longer one and say nothing.
const maxString = 32767

// checkAlteration refuses what would harm its neighbours in a request or mean nothing; seen gathers the entities so far.
func checkAlteration(a Alteration, seen map[Entity]bool) error {
	if seen[a.Entity] {
		// Some brokers never answer a request that names an entity twice.
		return fmt.Errorf("%s is altered twice in one call", a.Entity)
	}
	seen[a.Entity] = true
	if len(a.Entity.Name) > maxString {
		return fmt.Errorf("the name of the entity is %d bytes long, brokers take %d", len(a.Entity.Name), maxString)
	}
	for _, k := range a.Delete {
		if _, both := a.Set[k]; both {
			return fmt.Errorf("%s: %s is set and deleted at once", a.Entity, k)
		}
	}
	for _, k := range slices.Concat(keysOf(a.Set), a.Delete) {
		if n := max(len(k), len(a.Set[k])); n > maxString {
			shown := k
			if len(k) > maxString {
				shown = k[:100] + "…"
			}
			return &Error{
				Operation: opAlterConfigs, Entity: a.Entity, Code: codeInvalidConfig, CodeName: codeName(codeInvalidConfig), Key: k,
				Message: fmt.Sprintf("%s is %d bytes long, brokers take %d", shown, n, maxString),
			}
		}
	}
	return nil
}
