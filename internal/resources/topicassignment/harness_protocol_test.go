// SPDX-License-Identifier: MPL-2.0

package topicassignment_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/kafka-layout/terraform-provider-kafka/internal/acctest"
	"github.com/kafka-layout/terraform-provider-kafka/internal/testbed"
)

const typeName = "kafka_topic_assignment"

// The requests that tests count.
const (
	keyDescribeLogDirs  = 35
	keyCreatePartitions = 37
	keyElectLeaders     = 43
	keyReassign         = 45
	keyList             = 46
)

type (
	values = acctest.Values
	// lists are the replicas of each partition.
	lists = [][]int32
)

// bench is a Terraform whose traffic to the cluster is recorded.
type bench struct {
	t       testing.TB
	cluster *testbed.Cluster
	rec     *testbed.Recorder
	tf      *acctest.Terraform
	// client and admin are not the provider's, and not recorded.
	client *kgo.Client
	admin  *kadm.Client
}

func newBench(t testing.TB) bench {
	t.Helper()
	return benchOn(t, own.Cluster(t))
}

func benchOn(t testing.TB, cluster *testbed.Cluster) bench {
	t.Helper()
	rec, client := testbed.Record(t, cluster), cluster.Client(t)
	return bench{
		t: t, cluster: cluster, rec: rec, tf: acctest.New(t, values{"bootstrap_servers": rec.BootstrapServers()}),
		client: client, admin: kadm.NewClient(client),
	}
}

// explicit is a configuration that states every replica.
func explicit(topic string, want lists) values {
	return values{"topic": topic, "assignment": mapOf(want)}
}

// computed is a configuration that states what is needed.
func computed(topic string, partitions, replicationFactor int) values {
	return values{"topic": topic, "partitions": partitions, "replication_factor": replicationFactor}
}

// among restricts a configuration to brokers.
func among(ids ...int) values {
	var brokers []any
	for _, id := range ids {
		brokers = append(brokers, id)
	}
	return values{"brokers": brokers}
}

func mapOf(want lists) map[string]any {
	m := map[string]any{}
	for p, list := range want {
		items := []any{}
		for _, id := range list {
			items = append(items, int64(id))
		}
		m[strconv.Itoa(p)] = items
	}
	return m
}

// listsOf is the inverse of mapOf for an assignment in a plan or a state.
func listsOf(t testing.TB, attribute any) lists {
	t.Helper()
	m, ok := attribute.(map[string]any)
	if !ok {
		t.Fatalf("Not a known assignment: %v", attribute)
	}
	all := make(lists, len(m))
	for key, value := range m {
		p, err := strconv.Atoi(key)
		if err != nil || p >= len(all) {
			t.Fatalf("Partition %q of %d", key, len(m))
		}
		for _, id := range value.([]any) {
			all[p] = append(all[p], int32(id.(int64)))
		}
	}
	return all
}

// imported imports a topic and forgets the requests of it.
func (b bench) imported(topic string) *acctest.Resource {
	b.t.Helper()
	r := b.tf.Resource(typeName)
	b.tf.Walk().Import(r, topic).NoErrors(b.t)
	b.rec.Reset()
	return r
}

// applied applies a configuration to a new resource and forgets the requests of it.
func (b bench) applied(config values) *acctest.Resource {
	b.t.Helper()
	r := b.tf.Resource(typeName)
	b.tf.Apply(r, config)
	b.rec.Reset()
	return r
}

// quiet fails the test if a write or a validation was sent.
func (b bench) quiet() {
	b.t.Helper()
	if n := len(b.rec.Writes()) + len(b.rec.Validations()); n > 0 {
		b.t.Fatalf("%d writes and validations where none are due:\n%s", n, b.rec)
	}
}

// submitted gives the lists of every move that was submitted, and fails the test if a partition was submitted twice. A cancel has nil.
func (b bench) submitted() map[int32][]int32 {
	b.t.Helper()
	all := map[int32][]int32{}
	for _, request := range b.rec.RequestsOf(keyReassign) {
		for _, topic := range request.Body.(*kmsg.AlterPartitionAssignmentsRequest).Topics {
			for _, p := range topic.Partitions {
				if _, twice := all[p.Partition]; twice {
					b.t.Errorf("Partition %d was submitted twice", p.Partition)
				}
				all[p.Partition] = p.Replicas
			}
		}
	}
	return all
}

// sends fails the test unless exactly these moves were submitted.
func (b bench) sends(want map[int32][]int32) {
	b.t.Helper()
	if got := b.submitted(); !maps.EqualFunc(got, want, slices.Equal[[]int32]) {
		b.t.Fatalf("Submitted %v, want %v", got, want)
	}
}

// inState fails the test unless state has this layout with what follows from it.
func inState(t testing.TB, r *acctest.Resource, want lists, pending bool) {
	t.Helper()
	got := r.State()
	if !reflect.DeepEqual(got["assignment"], any(mapOf(want))) {
		t.Fatalf("State has the layout %v, want %v", got["assignment"], want)
	}
	if got["reassignment_pending"] != pending || got["partitions"] != int64(len(want)) {
		t.Fatalf("State has %v pending and %v partitions, want %v and %d", got["reassignment_pending"], got["partitions"], pending, len(want))
	}
}

// mentions fails the test unless a diagnostic's text has all of these.
func mentions(t testing.TB, d acctest.Diagnostic, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(d.Summary+"\n"+d.Detail, text) {
			t.Errorf("It does not say %q: %s", text, d)
		}
	}
}

// warned gives the one warning whose summary begins with a text.
func warned(t testing.TB, all acctest.Diagnostics, summary string) acctest.Diagnostic {
	t.Helper()
	for _, d := range all.Warnings() {
		if strings.HasPrefix(d.Summary, summary) {
			return d
		}
	}
	t.Fatalf("No warning %q:\n%s", summary, all)
	return acctest.Diagnostic{}
}

// planned fails the test unless a plan has this action, no errors, and this layout.
func planned(t testing.TB, p *acctest.Plan, action acctest.Action, want lists) {
	t.Helper()
	p.Diagnostics.NoErrors(t)
	if p.Action != action || !reflect.DeepEqual(p.After["assignment"], any(mapOf(want))) {
		t.Fatalf("The plan is a %s to %v, want a %s to %v", p.Action, p.After["assignment"], action, want)
	}
}

// asked gives an error until a request was sent so often.
func (b bench) asked(key int16, times int) error {
	if n := b.rec.Count(key); n < times {
		return fmt.Errorf("it was sent %d times", n)
	}
	return nil
}

// replicasOf are the lists of the only topic of a reassignment.
func replicasOf(request testbed.Request) map[int32][]int32 {
	all := map[int32][]int32{}
	for _, p := range request.Body.(*kmsg.AlterPartitionAssignmentsRequest).Topics[0].Partitions {
		all[p.Partition] = p.Replicas
	}
	return all
}

// background applies a plan beside the test, which reads what was said.
func (b bench) background(p *acctest.Plan) <-chan acctest.Diagnostics {
	done := make(chan acctest.Diagnostics, 1)
	go func() { done <- b.tf.ApplyPlan(p) }()
	return done
}

// waits returns when an apply has submitted moves and polls for their end.
func (b bench) waits() {
	b.t.Helper()
	b.waitFor("the moves to be submitted", func() error { return b.asked(keyReassign, 1) })
	seen := b.rec.Count(keyList)
	b.waitFor("apply to look at the moves", func() error { return b.asked(keyList, seen+3) })
}
