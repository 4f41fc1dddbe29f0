// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// setRates sets both rates on the brokers of the moves that do not have them yet. Brokers are asked and written side by side.
func (c *covering) setRates(ctx context.Context) {
	type answer struct {
		found rates
		set   [sides]int64
		wrote bool
		err   error
	}
	answers := map[int32]*answer{}
	var all sync.WaitGroup
	for _, id := range involved(c.moves) {
		b := c.broker(id)
		if b.isSilent() {
			continue
		}
		a := &answer{}
		answers[id] = a
		noted, resumed := b.ours, c.resumed[id]
		all.Go(func() {
			if a.found, a.err = readRates(ctx, c.kafka, id); a.err != nil {
				return
			}
			var alteration kafkaapi.Alteration
			alteration, a.set = rateChange(id, a.found, c.configured, noted, resumed)
			if a.wrote = len(alteration.Set) > 0; a.wrote {
				a.err = c.alter(ctx, []kafkaapi.Alteration{alteration})[0].Err
			}
		})
	}
	all.Wait()
	for _, id := range slices.Sorted(maps.Keys(answers)) {
		a := answers[id]
		c.tellRates(id, a.found, c.resumed[id])
		c.broker(id).ours = a.set // with an error too: the write may have been done
		switch {
		case errors.Is(a.err, kafkaapi.ErrBrokerUnavailable):
			c.skip(id, a.err)
		case a.err != nil:
			c.failBroker(id, a.err)
		default:
			c.kept[id] = !a.wrote
		}
	}
}

// rateChange is what to set on a broker; set are the rates to take back afterwards, by side.
func rateChange(id int32, found rates, configured int64, noted [sides]int64, resumed bool) (a kafkaapi.Alteration, set [sides]int64) {
	a = kafkaapi.Alteration{Entity: kafkaapi.BrokerEntity(id), Set: map[string]string{}}
	for side, r := range found {
		switch r.decide(configured, noted[side], resumed) {
		case write, overwrite:
			set[side] = r.wanted(configured)
			a.Set[rateKeys[side]] = strconv.FormatInt(set[side], 10)
		case keep:
			set[side] = r.own
		case leave:
		}
	}
	return a, set
}

// skip goes on without a broker that does not answer.
func (c *covering) skip(id int32, err error) {
	b := c.broker(id)
	if b.silent.IsZero() {
		c.warnings = append(c.warnings, fmt.Sprintf("Broker %d does not answer, so its replication throttle is not set: %v. A broker that is down copies nothing; "+
			"should it come back before its moves have ended, it copies as fast as it can.", id, err))
	}
	b.silent = time.Now()
}

// tellRates warns, once in a run, of rates that are somebody else's, and of those that are taken for an earlier run's.
func (c *covering) tellRates(id int32, found rates, resumed bool) {
	b := c.broker(id)
	for side, r := range found {
		if c.told[id] {
			return
		}
		switch r.decide(c.configured, b.ours[side], resumed) {
		case leave:
			c.told[id] = true
			c.warnings = append(c.warnings, fmt.Sprintf("Broker %d has a %s of %s, which somebody else set. It is used instead of throttle_bytes_per_second, and stays.",
				id, rateKeys[side], Speed(r.own)))
		case overwrite:
			c.told[id] = true
			c.warnings = append(c.warnings, fmt.Sprintf("Broker %d had a %s of %s, beside throttle entries of moves that an earlier run began. It was taken for that run's, is now %s, "+
				"and goes when the moves have ended. If it was yours, set it again.", id, rateKeys[side], Speed(r.own), Speed(r.wanted(c.configured))))
		}
	}
}
