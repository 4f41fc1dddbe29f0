// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"errors"
)

// readBack judges the writes whose outcome is not known: those whose entity already is as wanted are done, and what is left is to
// be sent again. A trial (validateOnly) changes nothing and needs no judging.
func (w *alterer) readBack(ctx context.Context, todo []alteration) (left []alteration) {
	unknown := map[Entity]alteration{}
	var wanted []listing
	for _, a := range todo {
		if w.validateOnly || !unknownOutcome(*a.err) {
			left = append(left, a)
			continue
		}
		unknown[a.Entity] = a
		wanted = append(wanted, listing{entity: a.Entity, keys: a.keys()})
	}
	if len(wanted) == 0 {
		return left
	}
	for _, held := range w.client.listBatch(ctx, batch[listing]{target: w.target, items: wanted}, ListConfigsOptions{}) {
		a := unknown[held.Entity]
		switch {
		case errors.Is(held.Err, ErrUnknownTopic):
			*a.err = held.Err
		case held.Err == nil && done(held, a.Alteration):
			*a.err = nil
		default:
			// Where reading fails too, the write's own error says more.
			left = append(left, a)
		}
	}
	return left
}

// unknownOutcome reports whether a write may have been done although it ended in this error.
func unknownOutcome(err error) bool {
	var refused *Error
	if errors.As(err, &refused) {
		return uncertain(refused.Code)
	}
	return errors.Is(err, ErrBrokerUnavailable)
}

// done reports whether the entity's own set already is as the alteration wants it. A hidden value cannot be compared, and one
// that the broker spells in its own way is not recognised: both are written once more, which changes nothing.
func done(held EntityConfigs, a Alteration) bool {
	own := map[string]Config{}
	for _, c := range held.Configs {
		if a.Entity.Own(c) {
			own[c.Name] = c
		}
	}
	for k, v := range a.Set {
		if c, ok := own[k]; !ok || c.Sensitive || c.Value != v && c.Stored != v {
			return false
		}
	}
	for _, k := range a.Delete {
		if _, ok := own[k]; ok {
			return false
		}
	}
	return true
}
