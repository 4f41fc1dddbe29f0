// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"slices"
	"testing"

	"github.com/IBM/sarama"
	"pgregory.net/rapid"
)

// The library keeps the answers for single partitions to itself. Whatever they are, they are read as they came; renamed fields fail here.
func TestReassignmentCodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answer := &sarama.AlterPartitionReassignmentsResponse{}
		want := map[topicPartition]codeAndMessage{}
		for range rapid.IntRange(0, 10).Draw(t, "answers") {
			tp := topicPartition{rapid.SampledFrom([]string{"orders", "audit", ""}).Draw(t, "topic"), rapid.Int32Range(-1, 5).Draw(t, "partition")}
			read := codeAndMessage{code: rapid.Int16().Draw(t, "code"), message: rapid.String().Draw(t, "message")}
			var message *string
			if read.message != "" {
				message = &read.message
			}
			answer.AddError(tp.topic, tp.partition, sarama.KError(read.code), message)
			want[tp] = read
		}
		got := reassignmentCodes(answer)
		if len(got) != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		}
		for tp, read := range want {
			if got[tp] != read {
				t.Fatalf("%v: got %v, want %v", tp, got[tp], read)
			}
		}
	})
	if got := reassignmentCodes(&sarama.AlterPartitionReassignmentsResponse{}); len(got) != 0 {
		t.Errorf("an empty answer gives %v", got)
	}
}

// The target of a move is the union without what is removed, in its order, and the move is left as it is.
func TestTarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.Int32Range(0, 20), rapid.ID[int32]).Draw(t, "ids")
		target := rapid.IntRange(0, len(ids)).Draw(t, "target")
		r := Reassignment{Replicas: slices.Clone(ids), Removing: slices.Clone(ids[target:])}
		if got := r.Target(); !slices.Equal(got, ids[:target]) || !slices.Equal(r.Replicas, ids) {
			t.Fatalf("the target of %+v is %v", r, got)
		}
	})
}

func TestReassignmentsOfHoles(t *testing.T) {
	answer := &sarama.ListPartitionReassignmentsResponse{TopicStatus: map[string]map[int32]*sarama.PartitionReplicaReassignmentsStatus{
		"orders": {0: {Replicas: []int32{2, 1}, AddingReplicas: []int32{2}, RemovingReplicas: []int32{1}}, 1: nil}, "audit": {3: nil},
	}}
	got := reassignmentsOf(answer)
	if len(got) != 1 || len(got["orders"]) != 1 || !slices.Equal(got["orders"][0].Target(), []int32{2}) {
		t.Errorf("got %+v", got)
	}
}

func TestElectionsOf(t *testing.T) {
	text := "The preferred leader was not available."
	answer := &sarama.ElectLeadersResponse{ReplicaElectionResults: map[string]map[int32]*sarama.PartitionResult{
		"orders": {0: {}, 1: {ErrorCode: sarama.KError(codeElectionNotNeeded)}, 2: {ErrorCode: sarama.KError(codePreferredLeaderUnavailable), ErrorMessage: &text}, 3: nil},
		"audit":  {0: {}},
	}}
	got := electionsOf(answer)
	var e *Error
	if len(got) != 1 || len(got["orders"]) != 1 || !errors.As(got["orders"][2], &e) || e.Message != text || !errors.Is(e, ErrPreferredLeaderNotAvailable) {
		t.Errorf("got %v", got)
	}
}

func TestLogDirs(t *testing.T) {
	dir := sarama.DescribeLogDirsResponseDirMetadata{
		Path: "/data", TotalBytes: 10, UsableBytes: 4,
		Topics: []sarama.DescribeLogDirsResponseTopic{{Topic: "orders", Partitions: []sarama.DescribeLogDirsResponsePartition{{PartitionID: 3, Size: 7}}}},
	}
	offline := sarama.DescribeLogDirsResponseDirMetadata{Path: "/gone", ErrorCode: sarama.ErrKafkaStorageError}
	for name, c := range map[string]struct {
		answer sarama.DescribeLogDirsResponse
		denied bool
		usable int64
	}{
		"now":                  {sarama.DescribeLogDirsResponse{Version: 4, LogDirs: []sarama.DescribeLogDirsResponseDirMetadata{dir, offline}}, false, 4},
		"before 3.3":           {sarama.DescribeLogDirsResponse{Version: 3, LogDirs: []sarama.DescribeLogDirsResponseDirMetadata{dir, offline}}, false, -1},
		"denied before v3":     {sarama.DescribeLogDirsResponse{Version: 1}, true, 0},
		"denied from v3 on":    {sarama.DescribeLogDirsResponse{Version: 4, ErrorCode: sarama.ErrClusterAuthorizationFailed}, true, 0},
		"denied beside a list": {sarama.DescribeLogDirsResponse{Version: 4, ErrorCode: sarama.ErrClusterAuthorizationFailed, LogDirs: []sarama.DescribeLogDirsResponseDirMetadata{dir}}, true, 0},
	} {
		got := logDirs(7, &c.answer)
		if got.Broker != 7 || errors.Is(got.Err, ErrNotAuthorized) != c.denied {
			t.Errorf("%s: got %+v", name, got)
			continue
		}
		if c.denied {
			continue
		}
		if d := got.Dirs[0]; d.Path != "/data" || d.UsableBytes != c.usable || d.Sizes["orders"][3] != 7 || d.Err != nil || got.Dirs[1].Err == nil {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}
