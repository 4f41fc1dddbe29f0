// SPDX-License-Identifier: MPL-2.0

package throttle

import (
	"math"
	"strconv"
	"strings"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

// rate is one of a broker's two rates as the broker shows it, in bytes per second.
type rate struct {
	// own is the dynamic rate of the broker itself, where set; a value that the broker hides (Kafka before 2.6) or that is no number is -1.
	set bool
	own int64
	// beneath is the rate of the cluster default or of the broker's file, 0 where there is none.
	beneath int64
}

// rates are the two of a broker, by side.
type rates [sides]rate

// wanted is what a run sets where the broker has no rate of its own. What an operator has set beneath is respected by setting the same: not
// every Kafka version heeds a rate there.
func (r rate) wanted(configured int64) int64 {
	if r.beneath > 0 {
		return r.beneath
	}
	return configured
}

// verdict is what becomes of a rate when moves begin.
type verdict int

const (
	// write: the wanted rate is set, and taken back.
	write verdict = iota
	// keep: it is as wanted, and taken back.
	keep
	// leave: somebody else set it; it is used and stays.
	leave
	// overwrite: as write, over one that an interrupted run has left, as far as can be told.
	overwrite
)

// decide tells what becomes of a rate. noted is what an earlier run noted as its own, 0 where nothing is; resumed, that moves were begun
// under a throttle by a run that noted nothing, as it was killed. A rate that is just the configured one counts as left by a killed run.
func (r rate) decide(configured, noted int64, resumed bool) verdict {
	ours := noted != 0 && r.own == noted
	switch {
	case !r.set:
		return write
	case r.own == configured, r.own == r.wanted(configured) && (ours || resumed):
		return keep
	case ours:
		return write
	case resumed:
		return overwrite
	default:
		return leave
	}
}

// ratesOf reads a broker's rates from its configs with their synonyms.
func ratesOf(e kafkaapi.Entity, configs []kafkaapi.Config) rates {
	var all rates
	for _, c := range configs {
		for side, key := range rateKeys {
			if c.Name == key {
				all[side] = rateOf(e, c)
			}
		}
	}
	return all
}

func rateOf(e kafkaapi.Entity, c kafkaapi.Config) rate {
	var r rate
	layers := c.Synonyms
	if len(layers) == 0 {
		layers = []kafkaapi.Synonym{{Name: c.Name, Value: c.Value, Source: c.Source}}
	}
	if e.Own(c) {
		r.set, r.own = true, number(c.Value)
	}
	for _, layer := range layers {
		if r.beneath == 0 && (layer.Source == kafkaapi.SourceDynamicDefaultBroker || layer.Source == kafkaapi.SourceStaticBroker) {
			r.beneath = max(number(layer.Value), 0)
		}
	}
	if r.beneath == math.MaxInt64 { // Kafka's spelling of no limit
		r.beneath = 0
	}
	return r
}

// number is a rate's value, -1 where it is none.
func number(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return -1
	}
	return n
}
