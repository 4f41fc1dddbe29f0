// SPDX-License-Identifier: MPL-2.0

package topicassignment

import (
	"slices"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
	"github.com/kafka-layout/terraform-provider-kafka/internal/placement"
)

// live is what the brokers say of a topic's layout at the moment.
type live struct {
	topic    string
	id       string
	internal bool
	// targets are the lists that the partitions have or are moving to; present are the lists as they are, which during a move hold
	// both the old and the new replicas.
	targets, present placement.Assignment
	inSync           [][]int32
	leaders          []int32
	moving           map[int32]kafkaapi.Reassignment
	// throttled are the topic's own lists of throttled replicas by config name; only a refresh reads them.
	throttled map[string]string
	// fixed: the cluster has no request to move replicas.
	fixed bool
	// brokers are all registered ones; where the cluster tells only the live ones, registered is false.
	brokers    []kafkaapi.RegisteredBroker
	registered bool
}

func (l live) broker(id int32) (kafkaapi.RegisteredBroker, bool) {
	i := slices.IndexFunc(l.brokers, func(b kafkaapi.RegisteredBroker) bool { return b.ID == id })
	if i < 0 {
		return kafkaapi.RegisteredBroker{}, false
	}
	return l.brokers[i], true
}

// alive are those of the brokers that answer questions, in the order given.
func (l live) alive(ids []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int32) bool {
		b, known := l.broker(id)
		return !known || b.Fenced
	})
}

// placementBrokers are the brokers in placement's terms.
func (l live) placementBrokers() []placement.Broker {
	all := make([]placement.Broker, 0, len(l.brokers))
	for _, b := range l.brokers {
		all = append(all, placement.Broker{ID: b.ID, Rack: b.Rack})
	}
	return all
}

// toward are the partitions, ascending, that are moving to the wanted lists.
func (l live) toward(wanted placement.Assignment) []int32 {
	return l.movingWhere(func(p int32) bool { return int(p) < len(wanted) && slices.Equal(l.targets[p], wanted[p]) })
}

// elsewhere are the partitions, ascending, that are moving to other lists than wanted.
func (l live) elsewhere(wanted placement.Assignment) []int32 {
	return l.movingWhere(func(p int32) bool { return int(p) >= len(wanted) || !slices.Equal(l.targets[p], wanted[p]) })
}

// foreign are the partitions, ascending, that somebody else is moving: neither to the wanted lists nor to those of state, to which only
// an earlier apply of this resource moves them.
func (l live) foreign(wanted, state placement.Assignment) []int32 {
	return slices.DeleteFunc(l.elsewhere(wanted), func(p int32) bool { return l.ours(p, state) })
}

// own are the partitions, ascending, that an earlier apply is moving to lists which are not wanted any more.
func (l live) own(wanted, state placement.Assignment) []int32 {
	return slices.DeleteFunc(l.elsewhere(wanted), func(p int32) bool { return !l.ours(p, state) })
}

// ours tells whether a moving partition is on the way to its list in state.
func (l live) ours(p int32, state placement.Assignment) bool {
	return int(p) < len(state) && slices.Equal(l.targets[p], state[p])
}

func (l live) movingWhere(keep func(p int32) bool) []int32 {
	var all []int32
	for p := range l.moving {
		if keep(p) {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all
}

// atRestAs tells whether every partition that does not move has the list that is expected of it.
func (l live) atRestAs(expected placement.Assignment) bool {
	if len(l.targets) != len(expected) {
		return false
	}
	for p, list := range expected {
		if _, moves := l.moving[int32(p)]; !moves && !slices.Equal(l.targets[p], list) {
			return false
		}
	}
	return true
}

// same tells whether two readings show the same lists and moves.
func (l live) same(other live) bool {
	return l.id == other.id && l.present.Equal(other.present) && l.targets.Equal(other.targets) && len(l.moving) == len(other.moving)
}

func numbers(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
