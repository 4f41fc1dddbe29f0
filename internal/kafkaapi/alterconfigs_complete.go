// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"context"
	"maps"
	"slices"
)

// sendComplete alters by complete sets: it reads what the entities hold, works out what they are to hold, and sends that.
// A concurrent writer between the two loses: no request of Kafka compares and sets.
func (w *alterer) sendComplete(ctx context.Context, todo []alteration) (map[Entity]error, error) {
	entities := make([]listing, 0, len(todo))
	byEntity := make(map[Entity]Alteration, len(todo))
	for _, a := range todo {
		entities = append(entities, listing{entity: a.Entity})
		byEntity[a.Entity] = a.Alteration
	}
	answers := map[Entity]error{}
	sets := map[Entity]map[string]string{}
	for _, held := range w.client.listBatch(ctx, batch[listing]{target: w.target, items: entities}, ListConfigsOptions{}) {
		if held.Err != nil {
			answers[held.Entity] = held.Err
			continue
		}
		set, err := completeSet(held, byEntity[held.Entity])
		if err != nil {
			answers[held.Entity] = err
			continue
		}
		sets[held.Entity] = set
	}
	if len(sets) == 0 {
		return answers, nil
	}
	answer, _, err := ask(ctx, w.client, w.complete(sets))
	if err != nil {
		return nil, err
	}
	maps.Copy(answers, outcomes(answer.Resources, todo))
	return answers, nil
}

// completeSet is the whole set that the entity has after the alteration: its own configs with Set and Delete applied, hidden
// values taken from Keep. *HiddenValuesError where one of them is not known.
func completeSet(held EntityConfigs, a Alteration) (map[string]string, error) {
	set := map[string]string{}
	var hidden []string
	for _, c := range held.Configs {
		if _, replaced := a.Set[c.Name]; replaced || !a.Entity.Own(c) || slices.Contains(a.Delete, c.Name) {
			continue
		}
		set[c.Name] = c.Stored
		if !c.Sensitive {
			continue
		}
		value, known := a.Keep[c.Name]
		if !known {
			hidden = append(hidden, c.Name)
		}
		set[c.Name] = value
	}
	if len(hidden) > 0 {
		slices.Sort(hidden)
		return nil, &HiddenValuesError{Entity: a.Entity, Keys: hidden}
	}
	maps.Copy(set, a.Set)
	return set, nil
}
