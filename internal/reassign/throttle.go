// SPDX-License-Identifier: MPL-2.0

package reassign

// Replica is one partition's copy on one broker.
type Replica struct {
	Partition, Broker int32
}

// Throttle is replication throttle that somebody set: entries in the throttled-replica lists of topics, and rates of brokers in bytes
// per second. It is what is noted in private state where a run could not take its own back.
type Throttle struct {
	// Leader and Follower are explicit partition:broker entries, by topic; a "*" is never among them.
	Leader   map[string][]Replica `json:"leader,omitempty"`
	Follower map[string][]Replica `json:"follower,omitempty"`
	// LeaderRate and FollowerRate are dynamic rates by broker id.
	LeaderRate   map[int32]int64 `json:"leader_rate,omitempty"`
	FollowerRate map[int32]int64 `json:"follower_rate,omitempty"`
}

// Empty tells whether nothing is throttled.
func (t Throttle) Empty() bool {
	return len(t.Leader) == 0 && len(t.Follower) == 0 && len(t.LeaderRate) == 0 && len(t.FollowerRate) == 0
}
