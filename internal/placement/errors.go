// SPDX-License-Identifier: MPL-2.0

package placement

import "fmt"

// FewerPartitionsError says that a topic cannot lose partitions: Kafka has no request for it.
type FewerPartitionsError struct{ Current, Wanted int }

func (e *FewerPartitionsError) Error() string {
	return fmt.Sprintf("%s cannot become %s: Kafka cannot remove partitions",
		count(e.Current, "partition"), count(e.Wanted, "partition"))
}

// TooFewBrokersError says that a partition needs more brokers than can hold its replicas.
type TooFewBrokersError struct {
	Partition int
	Wanted    int
	// Brokers are those that can hold a replica of the partition, ascending: candidates and what it keeps.
	Brokers []int32
}

func (e *TooFewBrokersError) Error() string {
	return fmt.Sprintf("partition %d needs %s on different brokers, and only %s can hold them (%s)",
		e.Partition, count(e.Wanted, "replica"), count(len(e.Brokers), "broker"), ids(e.Brokers))
}

// BothBrokersError says that a broker cannot be replaced by one that already holds the partition.
type BothBrokersError struct {
	Partition int
	Old, New  int32
}

func (e *BothBrokersError) Error() string {
	return fmt.Sprintf("partition %d has replicas on broker %d and on broker %d: one cannot replace the other",
		e.Partition, e.Old, e.New)
}

// InvalidTargetError says that the request itself makes no sense.
type InvalidTargetError struct{ Reason string }

func (e *InvalidTargetError) Error() string { return e.Reason }

func invalidTarget(format string, args ...any) error {
	return &InvalidTargetError{Reason: fmt.Sprintf(format, args...)}
}
