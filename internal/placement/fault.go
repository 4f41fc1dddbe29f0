// SPDX-License-Identifier: MPL-2.0

package placement

import (
	"fmt"
	"strings"
)

// FaultKind says what is wrong with a layout.
type FaultKind int

const (
	// NoPartitions is a layout without any partition.
	NoPartitions FaultKind = iota + 1
	// EmptyList is a partition without replicas.
	EmptyList
	// NegativeBroker is a broker id below zero.
	NegativeBroker
	// UnknownBroker is a broker id that no known broker has.
	UnknownBroker
	// DuplicateReplica is a broker that a partition lists more than once.
	DuplicateReplica
	// UnevenReplicationFactor is a layout whose partitions have different numbers of replicas.
	UnevenReplicationFactor
	// FewerRacks is a partition on fewer racks than its number of replicas and the brokers permit.
	FewerRacks
)

// Fault is one thing that is wrong with a layout. Which fields say something depends on Kind.
type Fault struct {
	Kind FaultKind
	// Partition is the partition concerned, -1 where the fault concerns the whole layout.
	Partition int
	// Broker is the offending id: NegativeBroker, UnknownBroker, DuplicateReplica.
	Broker int32
	// Brokers are the known broker ids, ascending: UnknownBroker.
	Brokers []int32
	// Racks and PossibleRacks are the numbers of racks: FewerRacks.
	Racks, PossibleRacks int
	// ByReplicas are the partitions that have so many replicas: UnevenReplicationFactor.
	ByReplicas []ReplicaGroup
}

// ReplicaGroup are partitions with the same number of replicas, ascending.
type ReplicaGroup struct {
	Replicas   int
	Partitions []int
}

// String is the fault as one sentence without a final full stop.
func (f Fault) String() string {
	switch f.Kind {
	case NoPartitions:
		return "the assignment has no partitions"
	case EmptyList:
		return fmt.Sprintf("partition %d has no replicas", f.Partition)
	case NegativeBroker:
		return fmt.Sprintf("partition %d: broker id %d is negative", f.Partition, f.Broker)
	case UnknownBroker:
		return fmt.Sprintf("partition %d: broker %d does not exist (brokers: %s)", f.Partition, f.Broker, ids(f.Brokers))
	case DuplicateReplica:
		return fmt.Sprintf("partition %d lists broker %d more than once", f.Partition, f.Broker)
	case UnevenReplicationFactor:
		return "partitions have different numbers of replicas: " + groupsText(f.ByReplicas)
	case FewerRacks:
		return fmt.Sprintf("partition %d is on %s, and %d %s possible",
			f.Partition, count(f.Racks, "rack"), f.PossibleRacks, verb(f.PossibleRacks))
	}
	return fmt.Sprintf("unknown fault %d", int(f.Kind))
}

func verb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func groupsText(groups []ReplicaGroup) string {
	parts := make([]string, len(groups))
	for i, g := range groups {
		who := fmt.Sprintf("partition %s has ", ids(g.Partitions))
		if len(g.Partitions) > 1 {
			who = fmt.Sprintf("partitions %s have ", ids(g.Partitions))
		}
		parts[i] = who + fmt.Sprint(g.Replicas)
	}
	return strings.Join(parts, "; ")
}
