// SPDX-License-Identifier: MPL-2.0

package kafkaapi

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const (
	keyCreatePartitions = int16(kmsg.CreatePartitions)
	keyReassign         = int16(kmsg.AlterPartitionAssignments)
	keyListMoves        = int16(kmsg.ListPartitionReassignments)
	keyElectLeaders     = int16(kmsg.ElectLeaders)
)

// C-94 in layouts: an answer that is lost is no failure, and nothing is done twice.
func TestALostAnswerOfALayout(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	for name, verdict := range map[string]testbed.Verdict{"done": testbed.LoseAnswer(), "not done": testbed.CloseConnection()} {
		t.Run(name, func(t *testing.T) {
			topic := placed(ctx, t, client, cluster, [][]int32{{1, 2}})
			for _, key := range []int16{keyCreatePartitions, keyReassign} {
				recorder.Next(key, verdict)
			}
			r := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Partitions: 2, NewReplicas: [][]int32{{2, 3}}, Reassign: map[int32][]int32{0: {2, 1}}}}, false)[0]
			if r.Err != nil || len(r.Refused) > 0 {
				t.Fatalf("got %+v:\n%s", r, recorder)
			}
			waitLayout(ctx, t, client, topic, [][]int32{{2, 1}, {2, 3}})
		})
	}
}

// What may be asked again is asked again: another controller, the quota on mutations of the controller (KIP-599).
func TestLayoutRequestsAreAskedAgain(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := placed(ctx, t, client, cluster, [][]int32{{1, 2}})

	recorder.Next(keyCreatePartitions, ownAnswer(func(a *kmsg.CreatePartitionsResponse) {
		one := kmsg.NewCreatePartitionsResponseTopic()
		one.Topic, one.ErrorCode = topic, kerr.ThrottlingQuotaExceeded.Code
		a.Topics = append(a.Topics, one)
	}))
	recorder.Next(keyReassign, ownAnswer(func(a *kmsg.AlterPartitionAssignmentsResponse) { a.ErrorCode = kerr.NotController.Code }))
	r := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Partitions: 2, NewReplicas: [][]int32{{2, 3}}, Reassign: map[int32][]int32{0: {2, 1}}}}, false)[0]
	if r.Err != nil || len(r.Refused) > 0 {
		t.Fatalf("got %+v:\n%s", r, recorder)
	}
	recorder.Next(keyListMoves, ownAnswer(func(a *kmsg.ListPartitionReassignmentsResponse) { a.ErrorCode = kerr.NotController.Code }))
	if _, err := client.ListReassignments(ctx, TopicPartitions{topic: {0}}); err != nil {
		t.Error(err)
	}
	recorder.Next(keyElectLeaders, ownAnswer(func(a *kmsg.ElectLeadersResponse) { a.ErrorCode = kerr.NotController.Code }))
	if _, err := client.ElectPreferredLeaders(ctx, TopicPartitions{topic: {0}}); err != nil {
		t.Error(err)
	}
	waitLayout(ctx, t, client, topic, [][]int32{{2, 1}, {2, 3}})

	// At plan the quota means: not checked.
	recorder.Next(keyCreatePartitions, ownAnswer(func(a *kmsg.CreatePartitionsResponse) {
		one := kmsg.NewCreatePartitionsResponseTopic()
		one.Topic, one.ErrorCode = topic, kerr.ThrottlingQuotaExceeded.Code
		a.Topics = append(a.Topics, one)
	}))
	if r := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Partitions: 3}}, true)[0]; r.Err != nil {
		t.Error(r.Err)
	}
}

// An error at the top of an answer is never an empty answer (C-70), and names the permission.
func TestErrorsAtTheTop(t *testing.T) {
	ctx := testContext(t)
	client, cluster, recorder := recordedClient(t, 0)
	topic := placed(ctx, t, client, cluster, [][]int32{{1}})
	denied := kerr.ClusterAuthorizationFailed.Code
	permission := func(err error) string {
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, ErrNotAuthorized) {
			return "none: " + errText(err)
		}
		return e.Permission
	}
	recorder.Next(keyListMoves, ownAnswer(func(a *kmsg.ListPartitionReassignmentsResponse) { a.ErrorCode = denied }))
	if _, err := client.ListReassignments(ctx, TopicPartitions{topic: {0}}); permission(err) != "DESCRIBE on Cluster" {
		t.Error(permission(err))
	}
	recorder.Next(keyReassign, ownAnswer(func(a *kmsg.AlterPartitionAssignmentsResponse) { a.ErrorCode = denied }))
	if r := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: map[int32][]int32{0: {2}}}}, false)[0]; permission(r.Refused[0]) != "ALTER on Cluster" {
		t.Error(permission(r.Refused[0]))
	}
	recorder.Next(keyElectLeaders, ownAnswer(func(a *kmsg.ElectLeadersResponse) { a.ErrorCode = denied }))
	if _, err := client.ElectPreferredLeaders(ctx, TopicPartitions{topic: {0}}); permission(err) != "ALTER on Cluster" {
		t.Error(permission(err))
	}
	recorder.Next(int16(kmsg.DescribeLogDirs), ownAnswer(func(a *kmsg.DescribeLogDirsResponse) { a.ErrorCode = denied }))
	if b := client.DescribeLogDirs(ctx, []int32{1}, TopicPartitions{topic: {0}})[0]; permission(b.Err) != "DESCRIBE on Cluster" {
		t.Error(permission(b.Err))
	}
}

func errText(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// ownAnswer answers in the broker's place.
func ownAnswer[R kmsg.Response](fill func(R)) testbed.Verdict {
	answer := reflect.New(reflect.TypeFor[R]().Elem()).Interface().(R)
	fill(answer)
	return testbed.Answer(answer)
}

// A move to a broker that is down is accepted and stays. It is listed with what it adds and removes, can be taken back,
// and its broker is registered and fenced, and neither electable nor describable.
func TestMovesInFlight(t *testing.T) {
	ctx := testContext(t)
	cluster := testbed.Own(t, testbed.Options{})
	client := plainClient(t, Options{BootstrapServers: cluster.BootstrapServers()})
	topic := placed(ctx, t, client, cluster, [][]int32{{1, 2}, {3, 1}})
	if err := cluster.Stop(ctx, 3); err != nil {
		t.Fatal(err)
	}
	if err := cluster.WaitBrokers(ctx); err != nil {
		t.Fatal(err)
	}
	brokers, err := client.RegisteredBrokers(ctx)
	if err != nil || len(brokers) != 3 || brokers[1].Fenced || !brokers[2].Fenced || brokers[2].Rack == "" {
		t.Errorf("got %+v, %v", brokers, err)
	}
	if r := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: map[int32][]int32{0: {1, 3}}}}, false)[0]; len(r.Refused) > 0 {
		t.Fatal(r.Refused)
	}
	moves, err := client.ListReassignments(ctx, TopicPartitions{topic: {0, 1}, topic + "-absent": {0}})
	move := moves[topic][0]
	if err != nil || len(moves) != 1 || len(moves[topic]) != 1 || !slices.Equal(move.Target(), []int32{1, 3}) ||
		!slices.Equal(move.Adding, []int32{3}) || !slices.Equal(move.Removing, []int32{2}) {
		t.Errorf("got %+v, %v", moves, err)
	}
	if layout := client.ReadLayout(ctx, topic); layout.Err != nil || layout.MovesErr != nil || !slices.Equal(layout.Moving[0].Target(), []int32{1, 3}) {
		t.Errorf("got %+v", layout)
	}
	refused, err := client.ElectPreferredLeaders(ctx, TopicPartitions{topic: {1}})
	if err != nil || !errors.Is(refused[topic][1], ErrPreferredLeaderNotAvailable) {
		t.Errorf("got %v, %v", refused, err)
	}
	dirs := client.DescribeLogDirs(ctx, []int32{1, 3}, TopicPartitions{topic: {0}})
	if dirs[0].Err != nil || dirs[1].Err == nil {
		t.Errorf("got %+v", dirs)
	}
	if r := client.AlterTopics(ctx, []TopicAlteration{{Topic: topic, Reassign: map[int32][]int32{0: nil}}}, false)[0]; len(r.Refused) > 0 {
		t.Fatal(r.Refused)
	}
	waitLayout(ctx, t, client, topic, [][]int32{{1, 2}, {3, 1}})
}
