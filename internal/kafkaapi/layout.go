// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import "slices"

// TopicAlteration is one topic's change of layout.
type TopicAlteration struct {
	Topic string
	// Partitions is the wanted partition count; 0 leaves the count as it is.
	Partitions int32
	// NewReplicas are the replicas of the partitions that Partitions adds, the first new one first, preferred leader first. Nil leaves
	// their placement to the cluster. Each list must be as long as the lists that the topic has now.
	NewReplicas [][]int32
	// Reassign gives partitions other replicas, preferred leader first. A nil list cancels what moves.
	Reassign map[int32][]int32
}

// TopicResult is the answer of AlterTopics for one topic.
type TopicResult struct {
	Topic string
	// Err says why partitions were not added; then nothing of the topic was reassigned either.
	Err error
	// Refused says of each partition that was not accepted why not. The others have been started, not finished.
	Refused map[int32]error
}

// TopicPartitions names partitions of topics.
type TopicPartitions map[string][]int32

// Reassignment is a partition whose replicas are being moved.
type Reassignment struct {
	// Replicas are the present list: the target, then what is to be removed.
	Replicas, Adding, Removing []int32
}

// Target is the list that the partition will have when the move is done.
func (r Reassignment) Target() []int32 {
	return slices.DeleteFunc(slices.Clone(r.Replicas), func(id int32) bool { return slices.Contains(r.Removing, id) })
}

// LogDir is one log directory of a broker.
type LogDir struct {
	Path string
	// Err is set where the directory is offline.
	Err error
	// TotalBytes and UsableBytes are those of the volume, -1 before Kafka 3.3.
	TotalBytes, UsableBytes int64
	// Sizes are the bytes of the replicas that were asked for, by topic and partition.
	Sizes map[string]map[int32]int64
}

// BrokerLogDirs is the answer of DescribeLogDirs for one broker.
type BrokerLogDirs struct {
	Broker int32
	Dirs   []LogDir
	Err    error
}
