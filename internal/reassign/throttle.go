// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"fmt"
	"strconv"
	"strings"
)

// Replica is one partition's copy on one broker.
type Replica struct {
	Partition, Broker int32
}

// String is Kafka's spelling of an entry in a throttled-replica list: "7:2" is partition 7 on broker 2.
func (r Replica) String() string { return fmt.Sprintf("%d:%d", r.Partition, r.Broker) }

// MarshalText is String, so that private state has the lists as Kafka has them.
func (r Replica) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what String gives. Blanks around it are passed over.
func (r *Replica) UnmarshalText(text []byte) error {
	partition, broker, ok := strings.Cut(strings.TrimSpace(string(text)), ":")
	p, errP := strconv.ParseUint(partition, 10, 31)
	b, errB := strconv.ParseUint(broker, 10, 31)
	if !ok || errP != nil || errB != nil {
		return fmt.Errorf("%q is not of the form partition:broker", text)
	}
	r.Partition, r.Broker = int32(p), int32(b)
	return nil
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
	// Noted: the run that set it said so itself. Rates that are not in it are somebody else's then; where a run was killed, nobody can tell.
	Noted bool `json:"noted,omitempty"`
}

// Empty tells whether nothing is throttled.
func (t Throttle) Empty() bool {
	return len(t.Leader) == 0 && len(t.Follower) == 0 && len(t.LeaderRate) == 0 && len(t.FollowerRate) == 0
}
