// SPDX-License-Identifier: MPL-2.0

package reassign

import (
	"testing"

	"github.com/kafka-layout/terraform-provider-kafka/internal/kafkaapi"
)

func layoutOf(replicas, inSync []int32, leader int32, move *kafkaapi.Reassignment) kafkaapi.Layout {
	layout := kafkaapi.Layout{TopicDescription: kafkaapi.TopicDescription{
		Name: "orders", ID: "id", Partitions: []kafkaapi.PartitionDescription{{Partition: 0, Leader: leader, Replicas: replicas, InSyncReplicas: inSync}},
	}}
	if move != nil {
		layout.Moving = map[int32]kafkaapi.Reassignment{0: *move}
	}
	return layout
}

// Where a partition is on its way from [1, 2] to [1, 3].
func TestPositionOf(t *testing.T) {
	for name, c := range map[string]struct {
		replicas []int32
		move     *kafkaapi.Reassignment
		want     position
	}{
		"before":                             {[]int32{1, 2}, nil, elsewhere},
		"on its way":                         {[]int32{1, 3, 2}, &kafkaapi.Reassignment{Replicas: []int32{1, 3, 2}, Adding: []int32{3}, Removing: []int32{2}}, onTheWay},
		"off the list, brokers are not done": {[]int32{1, 3, 2}, nil, elsewhere},
		"done":                               {[]int32{1, 3}, nil, atGoal},
		"in another order":                   {[]int32{3, 1}, nil, elsewhere},
		"somebody moves it elsewhere":        {[]int32{1, 4, 2}, &kafkaapi.Reassignment{Replicas: []int32{1, 4, 2}, Adding: []int32{4}, Removing: []int32{2}}, elsewhere},
		"somebody moves it on from the goal": {[]int32{1, 3}, &kafkaapi.Reassignment{Replicas: []int32{1, 3, 4}, Adding: []int32{4}, Removing: []int32{3}}, elsewhere},
	} {
		if got := positionOf(layoutOf(c.replicas, c.replicas, 1, c.move), 0, []int32{1, 3}); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if got := positionOf(layoutOf([]int32{1, 3}, nil, 1, nil), 7, []int32{1, 3}); got != elsewhere {
		t.Errorf("A partition that is not there is %d", got)
	}
}

// A cancelled move is at rest when brokers show its outcome, and not while they still show the replicas of both lists.
func TestAtRest(t *testing.T) {
	moving := &kafkaapi.Reassignment{Replicas: []int32{1, 3, 2}, Adding: []int32{3}, Removing: []int32{2}}
	for name, c := range map[string]struct {
		from, to, now []int32
		move          *kafkaapi.Reassignment
		ended, want   bool
	}{
		"listed":                             {[]int32{1, 2}, []int32{1, 3}, []int32{1, 3, 2}, moving, false, false},
		"both lists":                         {[]int32{1, 2}, []int32{1, 3}, []int32{1, 3, 2}, nil, false, false},
		"back":                               {[]int32{1, 2}, []int32{1, 3}, []int32{1, 2}, nil, false, true},
		"back in another order":              {[]int32{2, 1}, []int32{1, 3}, []int32{1, 2}, nil, false, true},
		"more replicas, not shown yet":       {[]int32{1, 2}, []int32{1, 2, 3}, []int32{1, 2, 3}, nil, false, false},
		"more replicas, it had ended before": {[]int32{1, 2}, []int32{1, 2, 3}, []int32{1, 2, 3}, nil, true, true},
		"it had ended before":                {[]int32{1, 2}, []int32{1, 3}, []int32{1, 3}, nil, true, true},
		"somebody else":                      {[]int32{1, 2}, []int32{1, 3}, []int32{4, 5}, nil, false, true},
	} {
		tr := &transit{Moving: Moving{Topic: "orders", Move: Move{From: c.from, To: c.to}}}
		if got := atRest(tr, layoutOf(c.now, c.now, 1, c.move), c.ended); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// C-98: a move is cancelled only where a former replica is alive and in sync.
func TestCannotCancel(t *testing.T) {
	for name, c := range map[string]struct {
		inSync []int32
		alive  map[int32]bool
		kept   bool
	}{
		"alive":                  {[]int32{1}, map[int32]bool{1: true}, false},
		"not known":              {[]int32{1}, nil, false},
		"down, last in sync":     {[]int32{1}, map[int32]bool{1: false, 3: true}, true},
		"alive and not in sync":  {[]int32{3}, map[int32]bool{1: true, 2: true, 3: true}, true},
		"one of two":             {[]int32{1, 2}, map[int32]bool{2: true}, false},
		"nobody is in sync":      {nil, map[int32]bool{1: true}, true},
		"gone from the cluster":  {[]int32{2}, map[int32]bool{1: true}, true},
		"only the new one alive": {[]int32{1, 3}, map[int32]bool{3: true}, true},
	} {
		tr := &transit{Moving: Moving{Move: Move{From: []int32{1, 2}, To: []int32{3}}}, seen: kafkaapi.PartitionDescription{InSyncReplicas: c.inSync}}
		if got := cannotCancel(tr, c.alive); (got != "") != c.kept {
			t.Errorf("%s: %q", name, got)
		}
	}
}
